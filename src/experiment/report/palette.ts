/**
 * The colours of charts. Each colour has a counterpart for dark pages. The colours of arms differ
 * in lightness too, and each arm also has its own shape and dashes, so charts work in grey.
 */
export const INK = "#1d1f24";
export const SOFT = "#565b66";
export const GRID = "#e7e7e2";
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

export type ArmStyle = {
  readonly colour: string;
  readonly dash: readonly number[];
  readonly shape: string;
};

/** The style of the arm with this number. The first arm is the control. Repeats after six arms. */
export const armStyle = (at: number): ArmStyle => ARMS[at % ARMS.length] ?? ARMS[0];

const DARK: readonly (readonly [light: string, dark: string])[] = [
  [INK, "#e8eaed"],
  [SOFT, "#a3a8b3"],
  [GRID, "#2f343d"],
  [PAPER, "#1c1f25"],
  [HAZE, "#363c48"],
  [LINK, "#6b7280"],
  ...ARMS.map(({ colour, dark }) => [colour, dark] as const),
];

/** CSS that gives charts below `scope` dark colours on dark screens. Print stays light. */
export const darkStyle = (scope: string): string => {
  const rules = DARK.flatMap(([light, dark]) => [
    `${scope}[fill="${light}"]{fill:${dark}}`,
    `${scope}[stroke="${light}"]{stroke:${dark}}`,
  ]);
  return `@media screen and (prefers-color-scheme:dark){${rules.join("")}}`;
};
