import { isObject, type JsonObject, jsonIn } from "../../kernel/index.ts";
import type { SimulationRunner } from "../../run/index.ts";
import type { JournalRow } from "../../world/index.ts";
import { type Output, oneLine } from "../core/output.ts";

/** The event fields to print, in this order: ids first, then amounts. */
const SHOWN = [
  ..."id agent artifact_id action target method contract grantor task submission hold".split(" "),
  ..."from to reason code fault resource amount price micros score reward".split(" "),
];

const VALUE_CHARS_MAX = 60;

/**
 * Prints one line per new command after the command is on disk. The line contains the run time, the
 * kind of command, the principal and the events. Returns a function that stops the printing.
 */
export const printTrace = (output: Output, runner: SimulationRunner): (() => void) => {
  const { journal } = runner;
  let after = runner.lastSeqBefore;
  return runner.follow((committed) => {
    const upTo = committed.at(-1)?.seq ?? after;
    for (const { firstSeq, lastSeq, command } of journal.transactions({ after, upTo })) {
      const rows = [...journal.events({ after: firstSeq - 1, upTo: lastSeq })];
      output.notice(lineOf(fieldsIn(command), rows));
      after = lastSeq;
    }
  });
};

const lineOf = (command: JsonObject, rows: readonly JournalRow[]): string => {
  const [first] = rows;
  const time = `${((first?.atMs ?? 0) / 1_000).toFixed(3)} s`;
  const events = rows.map(({ kind, body }) => [kind, ...shownIn(fieldsIn(body))].join(" "));
  return [time, command.kind, first?.principal ?? "-", events.join("; ")].join("  ");
};

const shownIn = (event: JsonObject): readonly string[] =>
  SHOWN.flatMap((field) => {
    const value = event[field];
    const isShown = typeof value === "string" || typeof value === "number";
    return isShown ? [`${field}=${oneLine(String(value)).slice(0, VALUE_CHARS_MAX)}`] : [];
  });

const fieldsIn = (text: string): JsonObject => {
  const value = jsonIn(text);
  return isObject(value) ? value : {};
};
