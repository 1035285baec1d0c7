import { csvLine, sumOf } from "../../../../read/index.ts";

import { numberText } from "../../parts/text.ts";
import { TONES } from "../chart.ts";
import { shortLabel } from "../lines/end-labels.ts";
import type { BarSpec } from "../specs.ts";
import {
  headShapes,
  PAPER_TONES,
  type Picture,
  rectangle,
  type Shape,
  widthOf,
} from "./picture.ts";
import { type ChartFiles, chartFiles } from "./save-menu.ts";

const WIDTH = 960;
const TEXT_PX = 16;
const LEFT = 24;
const TOP = 80;
const ROW = 30;
const BAR = 20;

export const barFiles = (spec: BarSpec): ChartFiles =>
  chartFiles(
    spec.title,
    () => barPicture(spec),
    () => barTable(spec),
  );

/** The bars as CSV: a row for each bar, a column for each part. */
export const barTable = ({ parts, rows }: BarSpec): string =>
  [
    csvLine(["name", ...parts]),
    ...rows.map(({ label, values }) => csvLine([label, ...values])),
  ].join("");

export const barPicture = (spec: BarSpec): Picture => {
  const { parts, rows, unit } = spec;
  const names = rows.map(({ label }) => shortLabel(label));
  const sums = rows.map(({ values }) => sumOf(values));
  const texts = sums.map((sum) => `${numberText(sum)} ${unit}`);
  const widest = (all: readonly string[]): number =>
    Math.max(0, ...all.map((text) => widthOf(text, TEXT_PX)));
  const from = LEFT + widest(names) + 12;
  const scale = (WIDTH - LEFT - widest(texts) - 12 - from) / Math.max(1e-9, ...sums);
  const drawn = rows.flatMap(({ values }, row): readonly Shape[] => {
    const y = TOP + row * ROW;
    let x = from;
    const bars = values.map((value, at) => {
      const start = x;
      x += value * scale;
      return rectangle([start, y], [value * scale, BAR], toneAt(at));
    });
    const text = { kind: "text", size: TEXT_PX } as const;
    return [
      { ...text, at: [from - 8, y + 16], text: names[row] ?? "", anchor: "end" },
      ...bars,
      { ...text, at: [x + 8, y + 16], text: texts[row] ?? "" },
    ];
  });
  const bottom = TOP + rows.length * ROW;
  const keys = parts.length > 1 ? keysOf(parts, bottom + 12) : [];
  const height = bottom + (keys.length > 0 ? 48 : 16);
  return { width: WIDTH, height, shapes: [...headShapes(spec, LEFT, WIDTH), ...drawn, ...keys] };
};

const toneAt = (at: number): string => PAPER_TONES[at % TONES] ?? "";

const keysOf = (parts: readonly string[], y: number): readonly Shape[] => {
  let x = LEFT;
  return parts.flatMap((part, at): readonly Shape[] => {
    const left = x;
    x += widthOf(part, TEXT_PX) + 40;
    return [
      rectangle([left, y], [14, 14], toneAt(at)),
      { kind: "text", at: [left + 20, y + 12], text: part, size: TEXT_PX },
    ];
  });
};
