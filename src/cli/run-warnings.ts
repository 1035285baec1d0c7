import { decodeEvent, type EventOf } from "../kernel/index.ts";
import type { SimulationRunner } from "../runner/index.ts";
import { type Clock, type JournalRow, noteOf } from "../world/index.ts";
import type { Output } from "./output.ts";
import { printable } from "./printable.ts";

/** Faults that do not pass by themselves, and what to look at. */
const CURES: ReadonlyMap<string, string> = new Map([
  ["connection", "does a server listen there, and is its base_url right?"],
  ["unauthorized", "is the key right, and may it use this model?"],
  ["bad_request", "is the name of the model right, and does it take what is asked?"],
  ["no_credit", "the provider has nothing left to be paid with"],
]);

/** A thought that failed for a model says so: `fault: …`, or `step NAME: fault: …`. */
const FAULT = /^(?:step \w+: )?(\w+): /;

/** All agents do then, for minutes a thought. */
const STANDS_STILL = " Virtual time stands still while it is tried again; Ctrl-C ends the run.";

const MESSAGE_CHARS_MAX = 300;

/**
 * Says while the run goes on what a person should know of at once: trouble that stops nobody, such
 * as a checkpoint that could not be written, and faults of models. Returns what ends the watch.
 */
export const tellWarnings = (output: Output, runner: SimulationRunner): (() => void) => {
  const tellFault = faultTeller(output, runner.clock.kind);
  return runner.follow((rows) => {
    for (const row of rows) {
      if (row.kind === "warning_raised") output.note(`warning: ${lineOf(noteOf(row.body).text)}`);
      else if (row.kind === "thought_failed") tellFault(row);
    }
  });
};

const lineOf = (text: unknown): string =>
  printable(String(text).replaceAll(/\s+/g, " ")).slice(0, MESSAGE_CHARS_MAX);

/**
 * Says once for each such fault that a thought has ended by it: the rest of the run is likely to go
 * the same way.
 */
const faultTeller = (output: Output, clock: Clock["kind"]): ((row: JournalRow) => void) => {
  const told = new Set<string>();
  const tell = ({ at_ms, principal, message }: EventOf<"thought_failed">): void => {
    const [, fault = ""] = FAULT.exec(message) ?? [];
    const cure = CURES.get(fault);
    if (cure === undefined || told.has(fault)) return;
    told.add(fault);
    const who = `${principal} could not think at ${at_ms / 1000} s`;
    const wait = clock === "virtual" && fault === "connection" ? STANDS_STILL : "";
    output.note(`warning: ${who}: ${lineOf(message)}; ${cure}${wait}`);
  };
  return (row) => {
    const event = decodeEvent(row);
    if (event.kind === "thought_failed" && event.reason === "llm_error") tell(event);
  };
};
