import {
  countedFrom,
  LogEntry,
  measureRun,
  type Projection,
  readLog,
} from "../../figures/index.ts";
import { type JournalReader, replay, restore } from "../../world/index.ts";
import { AGENTS, AGENTS_OVER_TIME } from "./agent-tables.ts";
import { ARTIFACT_VERSIONS, ARTIFACTS } from "./artifact-tables.ts";
import { ACTIONS, CALLS, EVENTS, MODEL_CALLS, THOUGHTS } from "./event-tables.ts";
import type { ExportedRun, ExportRow, ExportTable, RunCells } from "./export-table.ts";
import { FIGURES, TIMELINE } from "./figure-tables.ts";
import type { TableFile } from "./table-file.ts";
import {
  AUCTION_BIDS,
  AUCTIONS,
  COMPUTE_ISSUED,
  COMPUTE_SALES,
  PAYMENTS,
  TRADES,
} from "./trade-tables.ts";

/** All tables, in the order of `docs/export.md`. */
export const EXPORT_TABLES: readonly ExportTable[] = [
  EVENTS,
  AGENTS,
  AGENTS_OVER_TIME,
  TRADES,
  PAYMENTS,
  ARTIFACTS,
  ARTIFACT_VERSIONS,
  CALLS,
  MODEL_CALLS,
  ACTIONS,
  THOUGHTS,
  COMPUTE_SALES,
  COMPUTE_ISSUED,
  AUCTIONS,
  AUCTION_BIDS,
  TIMELINE,
  FIGURES,
];

type Wanted = {
  /** The values of the first columns of every row. */
  readonly run: RunCells;
  readonly tables: readonly ExportTable[];
  /** The file of a table. */
  readonly fileOf: (table: ExportTable) => TableFile;
  /** The interval of `agents_over_time` in ms. Null: the moments of the timeline. */
  readonly everyMs: number | null;
};

export type ExportCounts = { readonly [table: string]: number };

/**
 * Writes the tables of a run, and returns their numbers of rows. Reads the journal at most twice,
 * and model calls once. Memory use does not grow with the number of events.
 */
export const exportRun = (journal: JournalReader, wanted: Wanted): ExportCounts => {
  const { tables, fileOf, everyMs, run: cells } = wanted;
  // Fixes the last event for all tables, because a run in progress adds events meanwhile.
  const upTo = journal.head().seq;
  const run = exportedRun(journal, upTo, everyMs);
  const open = tables.map((table) => {
    const file = fileOf(table);
    const source = table.open(run);
    const sink = { name: table.name, rows: 0, file };
    const write = (rows: Iterable<ExportRow>): void => {
      for (const row of rows) {
        file.write({ ...cells, ...row });
        sink.rows += 1;
      }
    };
    return { sink, source, write };
  });
  const perEvent = open.flatMap(({ source: { rowsOf }, write }) =>
    rowsOf === undefined ? [] : [{ rowsOf, write }],
  );
  const { state } =
    perEvent.length === 0
      ? restore(journal, { upTo })
      : replay(journal, {
          upTo,
          before: (row, state) => {
            const { event } = new LogEntry(row);
            for (const { rowsOf, write } of perEvent) write(rowsOf({ row, event, state }));
          },
        });
  const perCall = open.flatMap(({ source: { rowOfCall }, write }): readonly Projection[] =>
    rowOfCall === undefined ? [] : [{ call: (call) => write([rowOfCall(call)]) }],
  );
  readLog(journal, perCall, { upTo });
  for (const { source, sink, write } of open) {
    write(source.end?.(state) ?? []);
    sink.file.end();
  }
  return Object.fromEntries(open.map(({ sink }) => [sink.name, sink.rows]));
};

const exportedRun = (journal: JournalReader, upTo: number, everyMs: number | null): ExportedRun => {
  const metrics = measureRun(journal, upTo).metrics();
  const base = countedFrom(journal);
  const { at_ms: endMs } = metrics;
  const count = everyMs === null ? 0 : Math.ceil((endMs - base.at_ms) / everyMs);
  const moments =
    everyMs === null
      ? metrics.timeline.at_ms
      : [...Array(count).keys()].map((step) => base.at_ms + step * everyMs).concat(endMs);
  return { journal, base, metrics, moments };
};
