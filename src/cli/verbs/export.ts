import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { Option } from "commander";
import { fillFiles, naming } from "../../figures/index.ts";
import {
  EXPORT_FORMATS,
  EXPORT_TABLES,
  type ExportCounts,
  type ExportFormat,
  exportRun,
  fileOpener,
} from "../../read/index.ts";
import { readRun } from "../../run/index.ts";
import { didYouMean } from "../../text/index.ts";
import { CliError } from "../core/exit.ts";
import {
  addOutFlags,
  addRunArgument,
  duration,
  names,
  type OutFlags,
  path,
} from "../core/flags.ts";
import { type Register, withExamples } from "../core/shell.ts";
import { readFrom } from "../run/open-run.ts";

type Flags = OutFlags & {
  readonly format: ExportFormat;
  readonly output?: string;
  readonly tables?: string;
  readonly every?: number;
};

type Table = (typeof EXPORT_TABLES)[number];

const EXPORTS_FOLDER = "exports";

export const register: Register = (command, { output }) => {
  addOutFlags(
    addRunArgument(command)
      .addOption(
        new Option("--format <format>", "format of the files")
          .choices(EXPORT_FORMATS)
          .default("parquet"),
      )
      .option("-o, --output <dir>", `folder for the files (default: ${EXPORTS_FOLDER}/<run>)`, path)
      .option("--tables <names>", "write only these tables, separated by commas", names)
      .option(
        "--every <time>",
        "interval of agents_over_time, such as 10s (default: the moments of the report)",
        duration,
      ),
  );
  withExamples(command, [
    "sim export latest",
    "sim export latest --format csv -o tables",
    "sim export latest --tables trades,agents_over_time --every 1s",
  ]);
  command.action(async (run: string, flags: Flags) => {
    const { dir, counts } = await written(run, flags);
    if (flags.json === true) {
      output.json({ dir, format: flags.format, tables: counts });
      return;
    }
    output.table(["table", "rows"], Object.entries(counts));
    output.note(`written: ${dir}`);
  });
};

type Written = { readonly dir: string; readonly counts: ExportCounts };

const written = async (run: string, flags: Flags): Promise<Written> => {
  const { format, every, out } = flags;
  const tables = wantedTables(flags.tables);
  const openFile = await fileOpener(format);
  return readFrom(run, out, (journal, folder) => {
    if (journal.countOf(["world_created"]) === 0 && journal.baseMark() === null) {
      return `${run}: nothing has happened in this run yet`;
    }
    const dir = flags.output ?? join(EXPORTS_FOLDER, basename(folder));
    if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() === false) {
      throw new CliError(
        `-o ${dir}: it is not a folder; name a folder, which gets a file per table`,
      );
    }
    const paths = tables.map(({ name }) => join(dir, `${name}.${format}`));
    const { notes, run: cells } = aboutRun(folder);
    const counts = fillFiles(paths, (drafts) =>
      naming(dir, () =>
        exportRun(journal, {
          run: cells,
          tables,
          everyMs: every === undefined ? null : Math.max(1, Math.round(every * 1_000)),
          fileOf: (table) => {
            const draft = drafts[tables.indexOf(table)] ?? "";
            return openFile(draft, table.columns, notes);
          },
        }),
      ),
    );
    return { dir, counts };
  });
};

/** @throws CliError if a table does not exist. */
const wantedTables = (list: string | undefined): readonly Table[] => {
  if (list === undefined) return EXPORT_TABLES;
  const wanted = list.split(",").map((name) => name.trim());
  const known = EXPORT_TABLES.map(({ name }) => name);
  for (const name of wanted) {
    if (known.includes(name)) continue;
    const cure = didYouMean(name, known) ?? `the tables are ${known.join(", ")}`;
    throw new CliError(`--tables ${name}: there is no such table; ${cure}`);
  }
  return EXPORT_TABLES.filter(({ name }) => wanted.includes(name));
};

/** The notes in the files of a run, and the values of the columns that all tables have. */
const aboutRun = (folder: string) => {
  const read = readRun(folder);
  if (!read.ok) return { notes: {}, run: { run_id: basename(folder), seed: null } };
  const { run, madeBy } = read.about;
  const seed = String(run.seed);
  return {
    notes: { run: run.id, seed, clock: run.clock, version: madeBy.version },
    run: { run_id: run.id, seed: run.seed },
  };
};
