import { packedJson } from "../../src/world/core/packed-json.ts";
import { Journal, restore, stateText } from "../../src/world/index.ts";

type Cut = {
  /** The end of a transaction. */
  readonly seq: number;
  readonly path: string;
  /** Changes the text of the state that the new journal starts from. */
  readonly change?: (state: string) => string;
};

/** The events after `seq` as a journal of their own, which starts from the state after `seq`. */
export const journalAfter = (
  whole: Journal,
  { seq, path, change = (text) => text }: Cut,
): Journal => {
  const { state, atMs } = restore(whole, { upTo: seq });
  const [event] = whole.events({ after: seq - 1, upTo: seq });
  const hash = event?.hash ?? "";
  const base = { seq, atMs, hash, state: packedJson(change(stateText(state))), carried: "{}" };
  const made = Journal.create(path, { sync: "normal", groupMs: 1_000_000, base });
  if (!made.ok) throw new Error(made.problem);
  const rows = [...whole.events({ after: seq })];
  for (const { command, timedOut, firstSeq, lastSeq } of whole.transactions({ after: seq })) {
    const events = rows.filter((row) => row.seq >= firstSeq && row.seq <= lastSeq);
    made.journal.append({ command, timedOut, events });
  }
  made.journal.flush();
  return made.journal;
};
