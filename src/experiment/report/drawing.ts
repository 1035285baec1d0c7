import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** A specification of Vega-Lite. Its own types forbid read-only arrays. */
export type Spec = { readonly [key: string]: unknown };

/** A chart before it is drawn. */
export type ChartSpec = {
  /** The name of its files. */
  readonly name: string;
  /** What the chart shows, for readers who do not see it. */
  readonly says: string;
  readonly spec: Spec;
};

export type DrawnChart = {
  readonly name: string;
  readonly says: string;
  /** An SVG element without styles and ids, for a page that has `darkStyle`. */
  readonly svg: string;
};

/**
 * The colours of charts. Each colour has a counterpart for dark pages. The colours of arms differ
 * in lightness too, and each arm also has its own shape and dashes, so charts work in grey.
 */
export const INK = "#1d1f24";
export const SOFT = "#565b66";
const GRID = "#e7e7e2";
export const PAPER = "#ffffff";
/** The background of what cannot be detected. */
export const HAZE = "#e3e6ec";
export const LINK = "#9aa0ab";

const ARMS = [
  { colour: "#22262e", dark: "#e9eaec", dash: [1, 0], shape: "circle" },
  { colour: "#d9690a", dark: "#f2955a", dash: [7, 3], shape: "square" },
  { colour: "#1b5fb8", dark: "#6ea3f8", dash: [2, 2], shape: "triangle-up" },
  { colour: "#23997c", dark: "#4cc3a2", dash: [9, 3, 2, 3], shape: "diamond" },
  { colour: "#7a2f8f", dark: "#d38ae0", dash: [4, 2], shape: "triangle-down" },
  { colour: "#c2577f", dark: "#f29bbb", dash: [1, 3], shape: "cross" },
] as const;

/** The style of the arm with this number. The first arm is the control. Repeats after six arms. */
export const armStyle = (at: number) => ARMS[at % ARMS.length] ?? ARMS[0];

/** CSS that gives charts below `scope` dark colours on dark screens. Print stays light. */
export const darkStyle = (scope: string): string => {
  const colours = [
    [INK, "#e8eaed"],
    [SOFT, "#a3a8b3"],
    [GRID, "#2f343d"],
    [PAPER, "#1c1f25"],
    [HAZE, "#363c48"],
    [LINK, "#6b7280"],
    ...ARMS.map(({ colour, dark }) => [colour, dark]),
  ];
  const rules = colours.flatMap(([light, dark]) => [
    `${scope}[fill="${light}"]{fill:${dark}}`,
    `${scope}[stroke="${light}"]{stroke:${dark}}`,
  ]);
  return `@media screen and (prefers-color-scheme:dark){${rules.join("")}}`;
};

export const FONT_SIZE = 11.5;

/** The look of all charts. Arimo, Arial and Liberation Sans have equal widths. */
const CONFIG = {
  background: PAPER,
  padding: 14,
  font: "Arimo, Arial, 'Liberation Sans', Helvetica, sans-serif",
  aria: false,
  view: { stroke: null },
  axis: {
    domain: false,
    tickColor: GRID,
    gridColor: GRID,
    labelColor: SOFT,
    labelFontSize: FONT_SIZE,
    titleColor: SOFT,
    titleFontSize: FONT_SIZE,
    titleFontWeight: "normal",
    tickSize: 4,
    labelPadding: 4,
    titlePadding: 8,
  },
  title: {
    color: INK,
    fontSize: 14,
    fontWeight: "bold",
    subtitleColor: SOFT,
    subtitleFontSize: FONT_SIZE,
    subtitlePadding: 5,
    anchor: "start",
    frame: "group",
    offset: 14,
  },
  header: { labelColor: INK, labelFontSize: FONT_SIZE, title: null },
  text: { color: INK, fontSize: FONT_SIZE },
  legend: { disable: true },
} as const;

/**
 * Draws charts in turn. The same spec always gives the same text. Loads Vega, which takes a
 * tenth of a second or two.
 */
export const drawCharts = async (specs: readonly ChartSpec[]): Promise<readonly DrawnChart[]> => {
  const [vega, { compile }] = await Promise.all([import("vega"), import("vega-lite")]);
  // Without a canvas, Vega only guesses widths, and leaves too much space for texts. Its types lack
  // its text metrics.
  const { textMetrics } = vega as unknown as { readonly textMetrics: object };
  Object.assign(textMetrics, {
    // Leaves room for a font that is wider than Arial, on machines that have none of ours.
    width: ({ fontSize = FONT_SIZE }: { readonly fontSize?: number }, text: unknown) =>
      1.15 * textWidth(String(text ?? ""), fontSize),
  });
  const logger = vega.logger(vega.None);
  const charts: DrawnChart[] = [];
  for (const { name, says, spec } of specs) {
    // Vega changes the specification that it gets.
    const whole = structuredClone({ ...spec, config: CONFIG });
    const { spec: compiled } = compile(whole as unknown as Parameters<typeof compile>[0], {
      logger,
    });
    const view = new vega.View(vega.parse(compiled), { renderer: "none", logger });
    const drawn = await view.toSVG();
    view.finalize();
    const label = says
      .replaceAll("&", "&amp;")
      .replaceAll('"', "&quot;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;");
    const svg = `<svg role="img" aria-label="${label}" ${drawn.slice("<svg ".length)}`;
    charts.push({ name, says, svg });
  }
  return charts;
};

/** A chart as a file: it adapts to dark screens by itself. */
export const svgFile = ({ svg }: DrawnChart): string => {
  const end = svg.indexOf(">") + 1;
  return `${svg.slice(0, end)}<style>${darkStyle("")}</style>${svg.slice(end)}\n`;
};

/** The renderer of pictures is loaded once, because it cannot be loaded twice in a process. */
let renderer: ReturnType<typeof loadRenderer> | null = null;

const loadRenderer = async () => {
  const { initWasm, Resvg } = await import("@resvg/resvg-wasm");
  const packageFile = (specifier: string): Promise<Uint8Array<ArrayBuffer>> =>
    readFile(fileURLToPath(import.meta.resolve(specifier)));
  await initWasm(await packageFile("@resvg/resvg-wasm/index_bg.wasm"));
  const fonts = ["400Regular/Arimo_400Regular.ttf", "700Bold/Arimo_700Bold.ttf"];
  return {
    Resvg,
    fonts: await Promise.all(fonts.map((file) => packageFile(`@expo-google-fonts/arimo/${file}`))),
  };
};

/**
 * A chart as a PNG picture, in light colours. The font has Latin, Greek, Cyrillic and Hebrew
 * characters; others are empty boxes.
 */
export const pngFile = async (chart: DrawnChart): Promise<Uint8Array> => {
  renderer ??= loadRenderer();
  const { Resvg, fonts } = await renderer;
  const drawing = new Resvg(svgFile(chart), {
    // A chart of 17 cm then has 300 dots an inch.
    fitTo: { mode: "zoom", value: 3 },
    font: { fontBuffers: fonts, defaultFontFamily: "Arimo", sansSerifFamily: "Arimo" },
  });
  const picture = drawing.render();
  const png = picture.asPng();
  picture.free();
  drawing.free();
  return png;
};

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

/** The width of a text in pixels, in Arial or a font with equal widths. */
export const textWidth = (text: string, fontSize = FONT_SIZE): number => {
  const widths = [...text].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    // The characters of other alphabets, and of scripts with wide characters.
    return WIDTHS[code - 32] ?? (code < 0x1100 ? 600 : 1_000);
  });
  return (widths.reduce((sum, width) => sum + width, 0) * fontSize) / 1_000;
};

/** A text that is at most `max` pixels wide. A longer text loses its end and gets the mark `…`. */
export const fittedText = (text: string, max: number): string => {
  if (textWidth(text) <= max) return text;
  const characters = [...text];
  while (characters.length > 0 && textWidth(`${characters.join("")}…`) > max) characters.pop();
  return `${characters.join("").trimEnd()}…`;
};

/** As `fittedText`, but a longer text loses its middle: names of cells differ at their ends. */
export const fittedName = (text: string, max: number): string => {
  if (textWidth(text) <= max) return text;
  const characters = [...text];
  const head = characters.slice(0, Math.ceil(characters.length / 2));
  const tail = characters.slice(head.length);
  const joined = (): string => `${head.join("")}…${tail.join("")}`;
  while (head.length > 0 && textWidth(joined()) > max) {
    head.pop();
    if (textWidth(joined()) > max) tail.shift();
  }
  return joined();
};
