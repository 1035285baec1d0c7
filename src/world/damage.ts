import { dirname } from "node:path";
import type { Journal } from "./journal/index.ts";
import { endOfOpening } from "./opening.ts";

/**
 * Why what a journal holds, up to an event or all of it, is not what was written, with the cure;
 * null when it is. Every hash of the chain is made again, but nothing is replayed: 100,000 events
 * take a second. The texts of snapshots are looked at by who restores from them.
 */
export const damageIn = (journal: Journal, upTo: number | null = null): string | null => {
  const chain = journal.verifyChain(upTo);
  if (!chain.ok) return `${journal.path} is damaged: ${chain.detail}; ${cureFrom(journal, chain)}`;
  const snapshots = journal.verifySnapshots({ upTo, bodies: false });
  if (snapshots.ok) return null;
  const cure = "look with `sim verify`, then use a copy of it";
  return `${journal.path} is damaged: ${snapshots.detail}; ${cure}`;
};

const cureFrom = (journal: Journal, { soundSeq }: { readonly soundSeq: number }): string => {
  const isUsable = soundSeq >= endOfOpening(journal) && soundSeq > 0;
  if (!isUsable) return "use a copy of it";
  const fork = `sim fork ${dirname(journal.path)} --at ${soundSeq}`;
  return `use a copy, or go on from before it with \`${fork}\``;
};
