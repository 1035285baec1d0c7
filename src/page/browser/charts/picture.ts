import { printable } from "../../../text/index.ts";

type Point = readonly [x: number, y: number];

/** A part of a picture. Lengths are in px, angles in degrees, colours CSS variables of `PAPER`. */
export type Shape =
  | {
      readonly kind: "line";
      readonly points: readonly Point[];
      readonly stroke: string;
      readonly width: number;
      readonly dash?: readonly number[] | null;
    }
  | {
      readonly kind: "area";
      readonly points: readonly Point[];
      readonly fill: string;
      readonly opacity?: number;
    }
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
      readonly isItalic?: boolean;
    };

/** A picture. A file of it also has the title and the note, above the shapes. */
export type Picture = {
  readonly title: string;
  readonly note: string;
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
};

/** The number of distinct colours. The other series are grey. */
export const TONES = 8;

/** The dashes of a line in pixels: of the first `TONES` styles, of the next, and so on. */
export const DASHES = [null, [6, 4], [2, 3], [9, 3, 2, 3]] as const;

/** The number of lines that a chart can tell apart. */
export const STYLES = TONES * DASHES.length;

/** The CSS variable with the colour of a series (`charts.css`). */
export const toneVariable = (at: number): string =>
  at < TONES ? `--tone-${at + 1}` : "--tone-other";

/** The colours on paper, as in the light theme of `charts.css`. */
const PAPER: { readonly [variable: string]: string } = {
  "--panel": "#ffffff",
  "--ink": "#1d1f24",
  "--ink-soft": "#565b66",
  "--grid": "#e3e3de",
  "--tone-1": "#2563c9",
  "--tone-2": "#d1600f",
  "--tone-3": "#12866a",
  "--tone-4": "#a63d97",
  "--tone-5": "#8a6a00",
  "--tone-6": "#c22f4a",
  "--tone-7": "#4a7f9c",
  "--tone-8": "#6a55c4",
  "--tone-other": "#b9bbb8",
};

const paperOf = (variable: string): string => PAPER[variable] ?? "#000000";

const FONT = "Arial, Helvetica, sans-serif";

/** About how wide a text is, without a browser to measure it. */
export const widthOf = (text: string, size: number): number => text.length * size * 0.56;

/** The smallest of 1, 2 and 5 times a power of ten that is at least `rough`, which is positive. */
export const roundStep = (rough: number): number => {
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
};

const LABEL_CHARS_MAX = 16;

/** The text of a label next to a line or a bar. */
export const shortLabel = (text: string): string =>
  text.length <= LABEL_CHARS_MAX ? text : `${text.slice(0, LABEL_CHARS_MAX - 1)}…`;

export const rectangle = (
  [x, y]: Point,
  [width, height]: readonly [width: number, height: number],
  fill: string,
  opacity = 1,
): Shape => ({
  kind: "area",
  points: [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ],
  fill,
  opacity,
});

/** The keys of a chart in a line: a square in each colour, and its name. */
export const keyShapes = (
  keys: readonly { readonly text: string; readonly tone: string }[],
  [left, top]: Point,
  size: number,
): readonly Shape[] => {
  let next = left;
  return keys.flatMap(({ text, tone }): readonly Shape[] => {
    const x = next;
    next += widthOf(text, size) + 40;
    return [
      rectangle([x, top], [14, 14], tone),
      { kind: "text", at: [x + 20, top + 12], text, size },
    ];
  });
};

const HEAD_LEFT = 24;
const HEAD_HEIGHT = 70;
const NOTE_PX = 14;

/** The title, and below it as many sentences of the note as have room. */
const headShapes = ({ title, note, width }: Picture): readonly Shape[] => {
  const kept: string[] = [];
  for (const sentence of note.split(/(?<=[.:]) /)) {
    if (widthOf([...kept, sentence].join(" "), NOTE_PX) > width - HEAD_LEFT) break;
    kept.push(sentence);
  }
  const text = kept.join(" ");
  return [
    { kind: "text", at: [HEAD_LEFT, 30], text: title, size: 20, isBold: true },
    { kind: "text", at: [HEAD_LEFT, 54], text, size: NOTE_PX, fill: "--ink-soft" },
  ];
};

/** A picture for a paper as SVG: white, without serifs. */
export const svgText = (picture: Picture): string => {
  const { width, height, shapes } = picture;
  const whole = height + HEAD_HEIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${whole}" ` +
      `width="${width}" height="${whole}" font-family="${FONT}">`,
    `<rect width="${width}" height="${whole}" fill="#ffffff"/>`,
    ...headShapes(picture).map(shapeText),
    `<g transform="translate(0 ${HEAD_HEIGHT})">`,
    ...shapes.map(shapeText),
    "</g></svg>\n",
  ].join("\n");
};

const shapeText = (shape: Shape): string => {
  switch (shape.kind) {
    case "line": {
      const dash = shape.dash ? ` stroke-dasharray="${shape.dash.join(" ")}"` : "";
      const stroke = `stroke="${paperOf(shape.stroke)}" stroke-width="${shape.width}"${dash}`;
      return `<polyline points="${pointsText(shape.points)}" fill="none" ${stroke}/>`;
    }
    case "area": {
      const { points, fill, opacity = 1 } = shape;
      const pale = opacity === 1 ? "" : ` fill-opacity="${rounded(opacity)}"`;
      return `<polygon points="${pointsText(points)}" fill="${paperOf(fill)}"${pale}/>`;
    }
    case "circle": {
      const [x, y] = shape.at.map(rounded);
      return `<circle cx="${x}" cy="${y}" r="${rounded(shape.radius)}" fill="${paperOf(shape.fill)}"/>`;
    }
    case "text": {
      const { at, text, size, fill = "--ink", anchor = "start", turn = 0 } = shape;
      const [x, y] = at.map(rounded);
      const turned = turn === 0 ? "" : ` transform="rotate(${turn} ${x} ${y})"`;
      const bold = shape.isBold === true ? ' font-weight="bold"' : "";
      const italic = shape.isItalic === true ? ' font-style="italic"' : "";
      const place = `x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}"`;
      const look = `fill="${paperOf(fill)}"${bold}${italic}${turned}`;
      return `<text ${place} ${look}>${escaped(text)}</text>`;
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

/**
 * The same picture as PNG. The policy of a published page forbids images, so a canvas cannot draw
 * the SVG.
 */
export const pngBlob = (picture: Picture): Promise<Blob> => {
  const { width, height, shapes } = picture;
  const canvas = document.createElement("canvas");
  canvas.width = width * SCALE;
  canvas.height = (height + HEAD_HEIGHT) * SCALE;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("this browser cannot draw");
  context.scale(SCALE, SCALE);
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, width, height + HEAD_HEIGHT);
  for (const shape of headShapes(picture)) paint(context, shape);
  context.translate(0, HEAD_HEIGHT);
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
    const { at, text, size, fill = "--ink", anchor = "start", turn = 0 } = shape;
    const style = `${shape.isItalic ? "italic " : ""}${shape.isBold ? "bold " : ""}`;
    context.translate(...at);
    context.rotate((turn * Math.PI) / 180);
    context.font = `${style}${size}px ${FONT}`;
    context.textAlign = anchor === "middle" ? "center" : anchor;
    context.fillStyle = paperOf(fill);
    context.fillText(printable(text), 0, 0);
  } else {
    context.beginPath();
    if (shape.kind === "circle") context.arc(...shape.at, shape.radius, 0, 2 * Math.PI);
    else for (const point of shape.points) context.lineTo(...point);
    if (shape.kind === "line") {
      context.strokeStyle = paperOf(shape.stroke);
      context.lineWidth = shape.width;
      context.setLineDash([...(shape.dash ?? [])]);
      context.stroke();
    } else {
      context.globalAlpha = shape.kind === "area" ? (shape.opacity ?? 1) : 1;
      context.fillStyle = paperOf(shape.fill);
      context.fill();
    }
  }
  context.restore();
};
