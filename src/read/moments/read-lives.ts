import { endsAction } from "../../kernel/index.ts";
import { decodeEvent, type JournalReader } from "../../world/index.ts";
import { iterationOf, proseIn } from "./iteration.ts";
import type { LifeMoment } from "./life-moment.ts";
import { Lives, type MomentListener } from "./lives.ts";

/** The moments of a run up to event `upTo`. Reads the journal once. */
export const readLives = (
  journal: JournalReader,
  {
    upTo,
    listener = null,
  }: { readonly upTo?: number | undefined; readonly listener?: MomentListener | null } = {},
): Lives => {
  const lives = new Lives(journal, listener);
  for (const row of journal.events({ upTo })) lives.add(row);
  lives.settle();
  return lives;
};

/** The text of a moment, read from its two events. */
export const proseOf = (journal: JournalReader, { seq, thought, hasTools }: LifeMoment): string => {
  const end = eventAt(journal, seq);
  if (end === null || !(endsAction(end) || end.kind === "thought_failed")) return "";
  const decided = thought === null ? null : eventAt(journal, thought);
  const isThought = decided?.kind === "thought_completed";
  return proseIn(iterationOf(isThought ? decided : null, end, hasTools));
};

const eventAt = (journal: JournalReader, seq: number) => {
  const [row] = journal.events({ after: seq - 1, upTo: seq });
  return row === undefined ? null : decodeEvent(row);
};
