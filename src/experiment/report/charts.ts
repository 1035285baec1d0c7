import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  darkStyle,
  joinedPictures,
  type LineSpec,
  linePicture,
  type Picture,
  rowsPicture,
  svgText,
} from "../../read/index.ts";
import { printable } from "../../text/index.ts";
import { curvesOf } from "../analysis/curves.ts";
import { pointText } from "../result/result.ts";
import { curveLines, DIFFERENCES_NOTE, differenceRows, RUNS_NOTE, runRows } from "./chart-specs.ts";
import { cellsOf, type ReportInput } from "./report-input.ts";

export type DrawnChart = {
  /** The name of its files. */
  readonly name: string;
  /** What the chart shows, for readers who do not see it. */
  readonly says: string;
  readonly picture: Picture;
};

/** The charts of a report by their kind, in their order. Kinds without values are empty. */
export type Charts = {
  readonly differences: readonly DrawnChart[];
  readonly trajectories: readonly DrawnChart[];
  readonly distributions: readonly DrawnChart[];
};

const PANELS_MAX = 12;
const PANEL = { width: 520, height: 280 };

/** Draws all charts of a report. The same input always gives the same charts. */
export const chartsOf = (input: ReportInput): Charts => {
  const { result, trajectories } = input;
  const cells = cellsOf(input);
  const names = cells.map(({ name }) => name);
  const named = printable(names.join(", "));
  const measures = Object.keys(result.measures);
  const bases = new Set(
    Object.values(result.measures).flatMap(({ differences }) => differences.map(({ b }) => b)),
  );
  const base = bases.size === 1 ? [...bases].join() : "the control at the same factors";
  const forests = measures.flatMap((measure) => {
    const spec = differenceRows(result, measure);
    return spec === null ? [] : [{ ...rowsPicture(spec), title: measure }];
  });
  const points = [...new Set(cells.map(({ factors }) => pointText(factors)))];
  const over = points.slice(0, PANELS_MAX);
  const left = points.length - over.length;
  return {
    differences:
      forests.length === 0
        ? []
        : [
            {
              name: "differences",
              says: `Differences from ${base} with 95 % intervals, for ${measures.join(", ")}`,
              picture: joinedPictures(forests, {
                title: `Differences from ${base}`,
                note: DIFFERENCES_NOTE,
                columns: 1,
              }),
            },
          ],
    trajectories: curvesOf([], cells, result, trajectories).flatMap((figure) => {
      if (!figure.cells.some(({ at_ms }) => at_ms.length > 1)) return [];
      const specOf = (point: string): LineSpec => {
        const own = cells.filter(({ factors }) => pointText(factors) === point);
        return curveLines(
          figure,
          own.map(({ name }) => name),
          result,
        );
      };
      const { title, note } = specOf(over[0] ?? "");
      const panels = over.map((point): Picture => {
        const spec = specOf(point);
        const size = over.length === 1 ? undefined : PANEL;
        return { ...linePicture(spec, undefined, undefined, size), title: point };
      });
      const more = left === 0 ? "" : ` ${left} more points are in trajectories.parquet.`;
      const [only] = panels;
      return {
        name: `trajectory-${figure.figure}`,
        says: `${figure.title} over run time, for ${named}`,
        picture:
          panels.length === 1 && only !== undefined
            ? { ...only, title, note }
            : joinedPictures(panels, { title, note: `${note}${more}`, columns: 2 }),
      };
    }),
    distributions: measures.flatMap((measure) => {
      const spec = runRows(result, measure, names, (_, says) => ({
        says,
        href: null,
        isFilled: true,
      }));
      if (spec === null) return [];
      const joins = spec.rows.some(({ marks }) =>
        marks.some((each) => "joins" in each && each.joins),
      );
      const note = `${result.measures[measure]?.says ?? ""}. ${RUNS_NOTE}`;
      return {
        // The name of the measure as part of a file name.
        name: `distribution-${measure.replaceAll(/[^A-Za-z0-9_.-]/g, "-")}`,
        says: `${printable(measure)} of each run, for ${named}`,
        picture: {
          ...rowsPicture(spec),
          title: measure,
          note: joins ? `${note} Lines join runs with the same seed.` : note,
        },
      };
    }),
  };
};

/** A chart in a page that has `darkStyle`. */
export const svgElement = ({ picture, says }: DrawnChart): string => svgText(picture, "", says);

/** A chart as a file: it adapts to dark screens by itself. */
export const svgFile = ({ picture, says }: DrawnChart): string =>
  svgText(picture, `<style>${darkStyle("")}</style>`, says);

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
  const drawing = new Resvg(svgElement(chart), {
    // A chart of 17 cm then has 300 dots an inch.
    fitTo: { mode: "zoom", value: 2 },
    font: { fontBuffers: fonts, defaultFontFamily: "Arimo", sansSerifFamily: "Arimo" },
  });
  const picture = drawing.render();
  const png = picture.asPng();
  picture.free();
  drawing.free();
  return png;
};
