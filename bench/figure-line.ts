import type { Figure } from "./figure.ts";

/** Figures to read, one a line. */
export const shownFigures = (figures: readonly Figure[]): string => figures.map(lineOf).join("\n");

const lineOf = ({ name, value, unit, bar, limit }: Figure): string => {
  const beside = [
    bar === null ? "" : `bar ${bar}`,
    limit === null ? "" : `${limit.name}: ${limit.value.toFixed(2)}`,
  ].filter((each) => each !== "");
  const about = beside.length === 0 ? "" : ` (${beside.join("; ")})`;
  return `${name}: ${value.toFixed(2)} ${unit}${about}`;
};
