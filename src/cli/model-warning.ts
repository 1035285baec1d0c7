import { decodeEvent, type EventOf } from "../kernel/index.ts";
import type { SimulationRunner } from "../runner/index.ts";
import { isBookkeeping } from "../world/index.ts";
import type { Output } from "./output.ts";
import { printable } from "./printable.ts";

/** Faults that do not pass by themselves, and what to look at. */
const CURES: ReadonlyMap<string, string> = new Map([
  ["connection", "does a server listen there, and is its base_url right?"],
  ["unauthorized", "is the key right, and may it use this model?"],
  ["no_credit", "the provider has nothing left to be paid with"],
]);

/** A thought that failed for a model says so: `fault: …`, or `step NAME: fault: …`. */
const FAULT = /^(?:step \w+: )?(\w+): /;

const MESSAGE_CHARS_MAX = 300;

/**
 * Says once for each such fault that a thought has ended by it, while the run goes on: the rest of
 * the run is likely to go the same way. Returns what ends the watch.
 */
export const warnOfModels = (output: Output, runner: SimulationRunner): (() => void) => {
  const told = new Set<string>();
  const tell = ({ at_ms, principal, message }: EventOf<"thought_failed">): void => {
    const [, fault = ""] = FAULT.exec(message) ?? [];
    const cure = CURES.get(fault);
    if (cure === undefined || told.has(fault)) return;
    told.add(fault);
    const who = `${principal} could not think at ${at_ms / 1000} s`;
    const what = printable(message.replaceAll(/\s+/g, " ")).slice(0, MESSAGE_CHARS_MAX);
    output.note(`warning: ${who}: ${what}; ${cure}`);
  };
  return runner.follow((rows) => {
    for (const row of rows) {
      if (isBookkeeping(row.kind) || row.kind !== "thought_failed") continue;
      const event = decodeEvent(row);
      if (event.kind === "thought_failed" && event.reason === "llm_error") tell(event);
    }
  });
};
