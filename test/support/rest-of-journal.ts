import { stateText } from "../../src/kernel/index.ts";
import { type Beginning, Journal, restore, stateHash } from "../../src/world/index.ts";

type Cut = {
  /** The end of a transaction. */
  readonly seq: number;
  readonly path: string;
  readonly change?: (base: Beginning) => Beginning;
};

/** What is after event `seq` of a journal as a journal of its own, which goes on from there. */
export const restOf = (whole: Journal, { seq, path, change = (base) => base }: Cut): Journal => {
  const { state, atMs } = restore(whole, { upTo: seq });
  const [event] = whole.events({ after: seq - 1, upTo: seq });
  const hash = event?.hash ?? "";
  const text = stateText(state);
  const base = { seq, atMs, hash, stateHash: stateHash(state), state: text, carried: "{}" };
  const settings = { sync: "normal", groupMs: 1_000_000, base: change(base) } as const;
  const made = Journal.create(path, settings);
  if (!made.ok) throw new Error(made.problem);
  const rows = [...whole.events({ after: seq })];
  for (const { command, fused, firstSeq, lastSeq } of whole.transactions({ after: seq })) {
    const events = rows.filter((row) => row.seq >= firstSeq && row.seq <= lastSeq);
    made.journal.append({ command, fused, events });
  }
  made.journal.flush();
  return made.journal;
};
