/** How many colours tell series apart; what comes later is drawn in grey. */
export const TONES = 8;

/** The variable of `charts.css` that holds the colour of a series. */
export const toneVariable = (at: number): string =>
  at < TONES ? `--tone-${at + 1}` : "--tone-other";

/** Of something that keeps its colour wherever it stands: beyond the colours they come again. */
export const lastingToneVariable = (order: number): string => toneVariable(order % TONES);

/** For what is drawn on a canvas, which knows no variables. */
export const colourOf = (variable: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(variable).trim();

/** Calls `change` whenever the system turns light or dark. Returns the way to end that. */
export const onThemeChange = (change: () => void): (() => void) => {
  const query = matchMedia("(prefers-color-scheme: dark)");
  query.addEventListener("change", change);
  return () => query.removeEventListener("change", change);
};
