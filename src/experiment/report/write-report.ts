import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileOpener, fillFiles, naming, type OutputFile } from "../../read/index.ts";
import { chartsOf } from "./charts.ts";
import { type DrawnChart, pngFile, svgFile } from "./drawing.ts";
import { reportPage } from "./page.ts";
import type { ReportInput } from "./report-input.ts";
import { reportTables } from "./tables.ts";

const FIGURES = "figures";

/**
 * Writes the page, the charts and the tables of an experiment into the folder `dir`: `report.html`,
 * `figures/*.svg` and `.png`, and tables as CSV and Parquet. Writes all files or none. Files of an
 * earlier report are replaced.
 * @returns the paths of the files.
 * @throws FileFailure that names the file that cannot be written.
 */
export const writeReport = async (dir: string, input: ReportInput): Promise<readonly string[]> => {
  const charts = await chartsOf(input);
  const files: OutputFile[] = [
    { path: join(dir, "report.html"), content: await reportPage(input, charts) },
  ];
  for (const chart of Object.values(charts).flat()) files.push(...(await figureFiles(dir, chart)));
  const tables = await tableFiles(dir, input);
  const paths = [...files, ...tables].map(({ path }) => path);
  fillFiles(paths, (drafts) => {
    for (const [at, { path, content }] of files.entries()) {
      naming(path, () => writeFileSync(drafts[at] ?? path, content));
    }
    for (const [at, { path, fill }] of tables.entries()) {
      naming(path, () => fill(drafts[files.length + at] ?? path));
    }
  });
  return paths;
};

const figureFiles = async (dir: string, chart: DrawnChart): Promise<readonly OutputFile[]> => {
  const path = join(dir, FIGURES, chart.name);
  return [
    { path: `${path}.svg`, content: svgFile(chart) },
    { path: `${path}.png`, content: await pngFile(chart) },
  ];
};

type TableOutput = { readonly path: string; readonly fill: (draft: string) => void };

const tableFiles = async (dir: string, input: ReportInput): Promise<readonly TableOutput[]> => {
  const open = { csv: await fileOpener("csv"), parquet: await fileOpener("parquet") };
  const { name, manifest_hash } = input.result;
  const notes = { ...input.versions, experiment: name, manifest_hash };
  return reportTables(input).flatMap((table) =>
    table.formats.map((format) => ({
      path: join(dir, `${table.name}.${format}`),
      fill: (draft) => {
        const file = open[format](draft, table.columns, notes);
        for (const row of table.rows()) file.write(row);
        file.end();
      },
    })),
  );
};
