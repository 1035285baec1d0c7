import { printable } from "../../text/index.ts";

type Point = readonly [x: number, y: number];

/**
 * A part of a picture. Lengths are in px, angles in degrees, colours names of `PALETTE`, paths those
 * of SVG. Without a fill, a path has only its stroke.
 */
export type Shape =
  | {
      readonly kind: "path";
      readonly d: string;
      readonly fill?: Colour;
      readonly stroke?: Colour;
      readonly width?: number;
      readonly dash?: readonly number[] | null;
      readonly opacity?: number;
    }
  | {
      readonly kind: "text";
      readonly at: Point;
      readonly text: string;
      readonly size: number;
      readonly fill?: Colour;
      readonly anchor?: "start" | "middle" | "end";
      readonly turn?: number;
      readonly isBold?: boolean;
      readonly isItalic?: boolean;
    }
  | {
      readonly kind: "group";
      readonly at?: Point;
      readonly shapes: readonly Shape[];
      /** On a page: where a click leads, and what a screen reader and a pointer read. */
      readonly href?: string | null;
      readonly says?: string;
    };

/** A picture. A file of it also has the title and the note, above the shapes. */
export type Picture = {
  readonly title: string;
  readonly note: string;
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
};

/** The colours of pages and charts, on light and on dark screens. Paper is always light. */
const PALETTE = {
  page: ["#f6f6f3", "#14161a"],
  panel: ["#ffffff", "#1c1f25"],
  ink: ["#1d1f24", "#e9eaec"],
  "ink-soft": ["#565b66", "#a3a8b3"],
  rule: ["#dedfda", "#343942"],
  grid: ["#e8e8e3", "#2a2e36"],
  accent: ["#1f5fd0", "#82aefb"],
  warn: ["#9a5b00", "#f0b95e"],
  "warn-soft": ["#fdf1dc", "#35290f"],
  "tone-1": ["#2563c9", "#6ea3f8"],
  "tone-2": ["#d1600f", "#f2955a"],
  "tone-3": ["#12866a", "#4cc3a2"],
  "tone-4": ["#a63d97", "#da85ce"],
  "tone-5": ["#8a6a00", "#d2b14a"],
  "tone-6": ["#c22f4a", "#f27f93"],
  "tone-7": ["#4a7f9c", "#86bdd9"],
  "tone-8": ["#6a55c4", "#a899f2"],
  "tone-other": ["#b9bbb8", "#5b616c"],
} as const;

export type Colour = keyof typeof PALETTE;

const variables = (at: 0 | 1): string =>
  Object.entries(PALETTE)
    .map(([name, both]) => `--${name}:${both[at]}`)
    .join(";");

/** CSS with a variable for each colour, such as `--ink`. */
export const PALETTE_STYLE =
  `:root{color-scheme:light dark;${variables(0)}}` +
  `@media screen and (prefers-color-scheme:dark){:root{${variables(1)}}}`;

/** CSS that gives pictures below `scope` dark colours on dark screens. */
export const darkStyle = (scope: string): string => {
  const rules = Object.values(PALETTE).flatMap(([light, dark]) =>
    ["fill", "stroke"].map((name) => `${scope}[${name}="${light}"]{${name}:${dark}}`),
  );
  return `@media screen and (prefers-color-scheme:dark){${rules.join("")}}`;
};

/** The number of distinct colours. The other series are grey. */
export const TONES = 8;

/** The dashes of a line in pixels: of the first `TONES` styles, of the next, and so on. */
export const DASHES = [null, [6, 4], [2, 3], [9, 3, 2, 3]] as const;

/** The number of lines that a chart can tell apart. */
export const STYLES = TONES * DASHES.length;

/** The colour of a series. */
export const toneAt = (at: number): Colour =>
  at < TONES ? (`tone-${at + 1}` as Colour) : "tone-other";

/** Arimo, Arial and Liberation Sans have equal widths. */
const FONT = "Arimo, Arial, 'Liberation Sans', Helvetica, sans-serif";

/** Advance widths of Arial, in thousandths of the font size, for the characters 32 to 126. */
const WIDTHS = (
  "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 " +
  "556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 " +
  "1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 " +
  "667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 " +
  "333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 " +
  "556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
)
  .split(" ")
  .map(Number);

/** A machine without our fonts has a wider one. */
const OTHER_FONT = 1.1;

/** About how wide a text is, without a browser to measure it. */
export const widthOf = (text: string, size: number): number => {
  let sum = 0;
  for (const character of printable(text)) {
    const code = character.codePointAt(0) ?? 0;
    // The characters of other alphabets, and of scripts with wide characters.
    sum += WIDTHS[code - 32] ?? (code < 0x1100 ? 600 : 1_000);
  }
  return (OTHER_FONT * sum * size) / 1_000;
};

/** A text that is at most `max` px wide. A longer text loses its end and gets the mark `…`. */
const fittedText = (text: string, size: number, max: number): string => {
  if (widthOf(text, size) <= max) return text;
  const characters = [...text];
  while (characters.length > 0 && widthOf(`${characters.join("")}…`, size) > max) characters.pop();
  return `${characters.join("").trimEnd()}…`;
};

/** As `fittedText`, but a longer text loses its middle: names often differ at their ends. */
export const fittedName = (text: string, size: number, max: number): string => {
  if (widthOf(text, size) <= max) return text;
  const characters = [...text];
  const head = characters.slice(0, Math.ceil(characters.length / 2));
  const tail = characters.slice(head.length);
  const joined = (): string => `${head.join("")}…${tail.join("")}`;
  while (head.length > 0 && widthOf(joined(), size) > max) {
    head.pop();
    if (widthOf(joined(), size) > max) tail.shift();
  }
  return joined();
};

/** The smallest of 1, 2 and 5 times a power of ten that is at least `rough`, which is positive. */
export const roundStep = (rough: number): number => {
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
};

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** The path through some points. */
export const pathOf = (points: readonly Point[], isClosed = false): string =>
  points.length === 0
    ? ""
    : `M${points.map(([x, y]) => `${rounded(x)} ${rounded(y)}`).join("L")}${isClosed ? "Z" : ""}`;

export const rectanglePath = ([x, y]: Point, width: number, height: number): string =>
  `M${rounded(x)} ${rounded(y)}h${rounded(width)}v${rounded(height)}h${rounded(-width)}Z`;

export const circlePath = ([x, y]: Point, radius: number): string =>
  `M${rounded(x - radius)} ${rounded(y)}` +
  `a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;

/** The shapes of marks, so that series can be told apart without colours. `size` is half a width. */
const MARKS: readonly ((at: Point, size: number) => string)[] = [
  circlePath,
  ([x, y], size) => rectanglePath([x - size, y - size], 2 * size, 2 * size),
  ([x, y], size) => `M${rounded(x)} ${rounded(y - size)}l${size} ${2 * size}h${-2 * size}Z`,
  ([x, y], size) =>
    `M${rounded(x)} ${rounded(y - size)}l${size} ${size}l${-size} ${size}l${-size} ${-size}Z`,
  ([x, y], size) => `M${rounded(x)} ${rounded(y + size)}l${size} ${-2 * size}h${-2 * size}Z`,
];

export const markPath = (shape: number, at: Point, size: number): string =>
  (MARKS[shape % MARKS.length] ?? circlePath)(at, size);

const KEY_PX = 14;

/** The keys of a chart, a square in each colour and its name, in lines of at most `width`. */
export const keyShapes = (
  keys: readonly { readonly text: string; readonly tone: Colour }[],
  { at: [left, top], width, size }: { at: Point; width: number; size: number },
): { readonly shapes: readonly Shape[]; readonly height: number } => {
  let [x, y] = [left, top];
  const shapes = keys.flatMap(({ text, tone }): readonly Shape[] => {
    const wide = widthOf(text, size) + KEY_PX + 24;
    if (x > left && x + wide > left + width) [x, y] = [left, y + size + 8];
    const own = x;
    x += wide;
    return [
      { kind: "path", d: rectanglePath([own, y], KEY_PX, KEY_PX), fill: tone },
      { kind: "text", at: [own + KEY_PX + 6, y + 12], text, size },
    ];
  });
  return { shapes, height: keys.length === 0 ? 0 : y - top + size + 8 };
};

const HEAD_LEFT = 24;
const NOTE_PX = 14;

/** The title, and below it the note, as far as it fits in three lines. */
export const headOf = ({ title, note, width }: Picture) => {
  const lines: string[] = [];
  for (const word of note.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length > 0 && widthOf(longer, NOTE_PX) <= width - 2 * HEAD_LEFT) {
      lines[lines.length - 1] = longer;
    } else lines.push(word);
  }
  const shown = lines.length > 3 ? [...lines.slice(0, 2), `${lines[2]} …`] : lines;
  const shapes: readonly Shape[] = [
    {
      kind: "text",
      at: [HEAD_LEFT, 30],
      text: fittedText(title, 20, width - 2 * HEAD_LEFT),
      size: 20,
      isBold: true,
    },
    ...shown.map((text, at): Shape => {
      return { kind: "text", at: [HEAD_LEFT, 54 + 19 * at], text, size: NOTE_PX, fill: "ink-soft" };
    }),
  ];
  return { shapes, height: 62 + 19 * Math.max(0, shown.length - 1) };
};

/** A picture for a paper as SVG: light, without serifs, without ids and styles. */
export const svgText = (picture: Picture, style = "", says: string | null = null): string => {
  const { width, shapes } = picture;
  const head = headOf(picture);
  const height = Math.ceil(picture.height + head.height);
  const label = says === null ? "" : ` role="img" aria-label="${escaped(says)}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg"${label} viewBox="0 0 ${width} ${height}" ` +
    `width="${width}" height="${height}" font-family="${FONT}">${style}\n` +
    `<rect width="${width}" height="${height}" fill="${PALETTE.panel[0]}"/>\n` +
    `${head.shapes.map(shapeText).join("\n")}\n` +
    `${shapeText({ kind: "group", at: [0, head.height], shapes })}</svg>\n`
  );
};

const shapeText = (shape: Shape): string => {
  switch (shape.kind) {
    case "path": {
      const { d, fill, stroke, width = 1, dash, opacity } = shape;
      const line =
        stroke === undefined ? "" : ` stroke="${PALETTE[stroke][0]}" stroke-width="${width}"`;
      const dashes = dash ? ` stroke-dasharray="${dash.join(" ")}"` : "";
      const pale = opacity === undefined ? "" : ` opacity="${rounded(opacity)}"`;
      const inside = fill === undefined ? "none" : PALETTE[fill][0];
      return `<path d="${d}" fill="${inside}"${line}${dashes}${pale}/>`;
    }
    case "text": {
      const { at, text, size, fill = "ink", anchor = "start", turn = 0 } = shape;
      const [x, y] = at.map(rounded);
      const turned = turn === 0 ? "" : ` transform="rotate(${turn} ${x} ${y})"`;
      const bold = shape.isBold === true ? ' font-weight="bold"' : "";
      const italic = shape.isItalic === true ? ' font-style="italic"' : "";
      const place = `x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}"`;
      const look = `fill="${PALETTE[fill][0]}"${bold}${italic}${turned}`;
      return `<text ${place} ${look}>${escaped(text)}</text>`;
    }
    case "group": {
      const [x, y] = (shape.at ?? [0, 0]).map(rounded);
      return `<g transform="translate(${x} ${y})">\n${shape.shapes.map(shapeText).join("\n")}\n</g>`;
    }
  }
};

const ESCAPES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

const escaped = (text: string): string =>
  printable(text).replace(/[&<>"]/g, (character) => ESCAPES[character] ?? "");

/** The colour of a shape on paper. */
export const paperColour = (colour: Colour): string => PALETTE[colour][0];

/** Pictures one below the other or in columns, each with its title, as one picture. */
export const joinedPictures = (
  panels: readonly Picture[],
  { title, note, columns }: { title: string; note: string; columns: number },
): Picture => {
  const width = Math.max(0, ...panels.map((panel) => panel.width));
  let top = 0;
  const shapes: Shape[] = [];
  for (let first = 0; first < panels.length; first += columns) {
    const row = panels.slice(first, first + columns);
    for (const [column, panel] of row.entries()) {
      const heading = { kind: "text", size: 16, isBold: true, text: panel.title } as const;
      shapes.push({
        kind: "group",
        at: [column * width, top],
        shapes: [
          { ...heading, at: [HEAD_LEFT, 24] },
          { kind: "group", at: [0, 36], shapes: panel.shapes },
        ],
      });
    }
    top += 36 + Math.max(...row.map(({ height }) => height));
  }
  const across = Math.min(columns, Math.max(1, panels.length));
  return { title, note, width: width * across, height: top, shapes };
};
