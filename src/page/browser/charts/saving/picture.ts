import { printable } from "../../../../text/index.ts";

type Point = readonly [x: number, y: number];

/** A part of a picture. Lengths are in px, angles in degrees. */
export type Shape =
  | {
      readonly kind: "line";
      readonly points: readonly Point[];
      readonly stroke: string;
      readonly width: number;
      readonly dash?: readonly number[] | null;
    }
  | { readonly kind: "area"; readonly points: readonly Point[]; readonly fill: string }
  | { readonly kind: "circle"; readonly at: Point; readonly radius: number; readonly fill: string }
  | {
      readonly kind: "text";
      readonly at: Point;
      readonly text: string;
      readonly size: number;
      readonly fill?: string;
      readonly anchor?: "start" | "middle" | "end";
      readonly turn?: number;
      readonly isBold?: boolean;
    };

/** A picture for paper: white, without serifs. */
export type Picture = {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
};

/** The colours of series on white, as in the light theme of `charts.css`. */
export const PAPER_TONES = [
  "#2563c9",
  "#d1600f",
  "#12866a",
  "#a63d97",
  "#8a6a00",
  "#c22f4a",
  "#4a7f9c",
  "#6a55c4",
] as const;

export const PAPER_INK = "#1d1f24";
export const PAPER_SOFT = "#565b66";
export const PAPER_GRID = "#e3e3de";

const FONT = "Arial, Helvetica, sans-serif";

/** About how wide a text is, without a browser to measure it. */
export const widthOf = (text: string, size: number): number => text.length * size * 0.56;

export const rectangle = (
  [x, y]: Point,
  [width, height]: readonly [width: number, height: number],
  fill: string,
): Shape => ({
  kind: "area",
  points: [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ],
  fill,
});

/** The title, and below it as many sentences of the note as have room. */
export const headShapes = (
  { title, note }: { readonly title: string; readonly note: string },
  left: number,
  width: number,
): readonly Shape[] => {
  const kept: string[] = [];
  for (const sentence of note.split(/(?<=[.:]) /)) {
    if (widthOf([...kept, sentence].join(" "), NOTE_PX) > width - left) break;
    kept.push(sentence);
  }
  return [
    { kind: "text", at: [left, 30], text: title, size: 20, isBold: true },
    { kind: "text", at: [left, 54], text: kept.join(" "), size: NOTE_PX, fill: PAPER_SOFT },
  ];
};

const NOTE_PX = 14;

export const svgText = ({ width, height, shapes }: Picture): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
      `width="${width}" height="${height}" font-family="${FONT}">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...shapes.map(shapeText),
    "</svg>\n",
  ].join("\n");

const shapeText = (shape: Shape): string => {
  switch (shape.kind) {
    case "line": {
      const dash = shape.dash ? ` stroke-dasharray="${shape.dash.join(" ")}"` : "";
      const stroke = `stroke="${shape.stroke}" stroke-width="${shape.width}"${dash}`;
      return `<polyline points="${pointsText(shape.points)}" fill="none" ${stroke}/>`;
    }
    case "area":
      return `<polygon points="${pointsText(shape.points)}" fill="${shape.fill}"/>`;
    case "circle": {
      const [x, y] = shape.at.map(rounded);
      return `<circle cx="${x}" cy="${y}" r="${rounded(shape.radius)}" fill="${shape.fill}"/>`;
    }
    case "text": {
      const { at, text, size, fill = PAPER_INK, anchor = "start", turn = 0, isBold } = shape;
      const [x, y] = at.map(rounded);
      const turned = turn === 0 ? "" : ` transform="rotate(${turn} ${x} ${y})"`;
      const bold = isBold === true ? ' font-weight="bold"' : "";
      const place = `x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}"`;
      return `<text ${place} fill="${fill}"${bold}${turned}>${escaped(text)}</text>`;
    }
  }
};

const rounded = (value: number): number => Math.round(value * 100) / 100;

const pointsText = (points: readonly Point[]): string =>
  points.map(([x, y]) => `${rounded(x)},${rounded(y)}`).join(" ");

const ESCAPES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

const escaped = (text: string): string =>
  printable(text).replace(/[&<>"]/g, (character) => ESCAPES[character] ?? "");

/** Pixels of a PNG for each px of the picture. */
const SCALE = 2;

export const pngBlob = ({ width, height, shapes }: Picture): Promise<Blob> => {
  const canvas = document.createElement("canvas");
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("this browser cannot draw");
  context.scale(SCALE, SCALE);
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, width, height);
  for (const shape of shapes) paint(context, shape);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error("this browser cannot make the picture"));
      else resolve(blob);
    }, "image/png");
  });
};

const paint = (context: CanvasRenderingContext2D, shape: Shape): void => {
  context.save();
  if (shape.kind === "text") {
    const { at, text, size, fill = PAPER_INK, anchor = "start", turn = 0, isBold } = shape;
    context.translate(...at);
    context.rotate((turn * Math.PI) / 180);
    context.font = `${isBold === true ? "bold " : ""}${size}px ${FONT}`;
    context.textAlign = anchor === "middle" ? "center" : anchor;
    context.fillStyle = fill;
    context.fillText(printable(text), 0, 0);
  } else {
    context.beginPath();
    if (shape.kind === "circle") context.arc(...shape.at, shape.radius, 0, 2 * Math.PI);
    else for (const point of shape.points) context.lineTo(...point);
    if (shape.kind !== "line") {
      context.fillStyle = shape.fill;
      context.fill();
    } else {
      context.strokeStyle = shape.stroke;
      context.lineWidth = shape.width;
      context.setLineDash([...(shape.dash ?? [])]);
      context.stroke();
    }
  }
  context.restore();
};
