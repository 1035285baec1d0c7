import { messageOf, readState } from "../../kernel/index.ts";
import type { Journal } from "../journal/index.ts";
import type { AgentCheck } from "../machinery.ts";
import { Replaying } from "./replaying.ts";
import { Rerunning } from "./rerunning.ts";
import type { Check, Verdict } from "./verdict.ts";

/**
 * Does this journal tell the truth? The state that it goes on from, if it does; its chain of
 * hashes; its snapshots; that its events lead to the states that were kept, with every invariant
 * holding; and that its commands, put again to a world of the same beginning with the agents'
 * programs run again, cause the same events. Where the engine had been killed, what was recorded is
 * taken as it stands.
 */
export const verifyJournal = (journal: Journal, agentProblem: AgentCheck): Verdict => {
  const start = startOf(journal);
  const chain = journal.verifyChain();
  const links: Check = chain.ok
    ? { name: "chain", ok: true, detail: `${chain.head.seq - start.seq} events` }
    : { name: "chain", ok: false, detail: `event ${chain.seq}: ${chain.detail}` };
  const kept = journal.verifySnapshots();
  const snapshots: Check = kept.ok
    ? { name: "snapshots", ok: true, detail: `${kept.snapshots} snapshots` }
    : { name: "snapshots", ok: false, detail: kept.detail };
  const kinds = [...start.checks, links, snapshots];
  if (!start.ok || !links.ok) return { ok: false, events: 0, stateHash: "", checks: kinds };
  const replayed = new Replaying(journal).run();
  const rerun = new Rerunning(journal, agentProblem).run();
  const checks = [...kinds, ...replayed.checks, ...rerun];
  const { events, hash } = replayed;
  return { ok: checks.every((check) => check.ok), events, stateHash: hash, checks };
};

/** Whether what the journal goes on from is what it says, and the event that it goes on from. */
type Start = { readonly ok: boolean; readonly seq: number; readonly checks: readonly Check[] };

const startOf = (journal: Journal): Start => {
  const found = (ok: boolean, seq: number, detail: string): Start => {
    return { ok, seq, checks: [{ name: "base", ok, detail }] };
  };
  try {
    const base = journal.base();
    if (base === null) return { ok: true, seq: 0, checks: [] };
    const { seq } = base;
    const read = readState(base.state);
    if (!read.ok) return found(false, seq, read.problem);
    return read.state.whole.has("world")
      ? found(true, seq, `the state after event ${seq}`)
      : found(false, seq, "its state holds no world");
  } catch (error) {
    return found(false, 0, messageOf(error));
  }
};
