import { isObject, type Result } from "../../kernel/index.ts";
import { parseTimeMs } from "../../text/index.ts";
import { decodeJson } from "../core/json.ts";
import type { Request } from "../core/request.ts";
import type { JournalReader } from "../journal/index.ts";

/** A point in time of a run: after an event, or at a run time in ms. */
export type RunPoint =
  | { readonly kind: "event"; readonly seq: number }
  | { readonly kind: "time"; readonly atMs: number };

/** An event, and the run time at which an observer looks at the world after this event. */
export type JournalPosition = { readonly seq: number; readonly atMs: number };

const EVENT = /^(?:event:)?(\d+)$/;

/** Parses a time such as `300s` or `2:30`, or an event such as `event:500` or `500`, or null. */
export const parseRunPoint = (text: string): RunPoint | null => {
  const [, digits] = EVENT.exec(text) ?? [];
  const seq = Number(digits);
  if (Number.isSafeInteger(seq) && seq >= 1) return { kind: "event", seq };
  const atMs = parseTimeMs(text);
  return atMs === null ? null : { kind: "time", atMs };
};

/**
 * The position of a moment in a run. For a time, it is after the last event at or before this time.
 * Null is the end of the run. Returns a problem if the run does not cover the moment.
 */
export const positionOf = (
  journal: JournalReader,
  moment: RunPoint | null,
): Result<{ readonly position: JournalPosition }> => {
  const base = journal.baseMark();
  if (moment?.kind === "event") {
    const { seq } = moment;
    if (seq === base?.seq) return { ok: true, position: base };
    // Reads no other event, because the last event can be damaged.
    const [event] = journal.events({ after: seq - 1, upTo: seq });
    if (event !== undefined) return { ok: true, position: event };
  }
  const [first = null] = base === null ? journal.events({ limit: 1 }) : [base];
  const [last = base] = journal.events({ after: journal.head().seq - 1 });
  if (first === null || last === null) return { ok: false, problem: "the run has no events" };
  if (moment === null) return { ok: true, position: last };
  if (moment.kind === "event") {
    const problem = `event ${moment.seq}: this run has the events ${first.seq} to ${last.seq}`;
    return { ok: false, problem };
  }
  const { atMs } = moment;
  if (atMs < first.atMs || atMs > last.atMs) {
    const covered = `this run covers ${first.atMs / 1_000} s to ${last.atMs / 1_000} s`;
    return { ok: false, problem: `${atMs / 1_000}s: ${covered}` };
  }
  const [next] = journal.events({ sinceMs: atMs + 1, limit: 1 });
  return { ok: true, position: { seq: (next?.seq ?? last.seq + 1) - 1, atMs } };
};

/** The kinds of requests that create a world and its first agents. They come before any action. */
const OPENING: ReadonlySet<unknown> = new Set<Request["kind"]>([
  "create_world",
  "install_artifact",
  "create_agent",
  "plan_schedule",
]);

/** The last event number of the opening requests, or of the base if the journal has a base. */
export const endOfOpening = (journal: JournalReader): number => {
  let end = journal.baseMark()?.seq ?? 0;
  if (end > 0) return end;
  for (const { firstSeq, lastSeq, command } of journal.transactions()) {
    // The first command is not checked, because it only notes that the run has started.
    if (firstSeq > 1 && !OPENING.has(kindOf(command))) break;
    end = lastSeq;
  }
  return end;
};

const kindOf = (command: string): unknown => {
  const request = decodeJson(command);
  return isObject(request) ? request.kind : null;
};
