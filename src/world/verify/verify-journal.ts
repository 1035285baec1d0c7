import { dirname } from "node:path";
import { errorMessage } from "../../kernel/index.ts";
import type { AgentCheck } from "../execution/index.ts";
import { endOfOpening } from "../genesis.ts";
import type { Journal } from "../journal/index.ts";
import { readState } from "../state-codec/read-state.ts";
import { type Check, ReplayCheck } from "./replay-check.ts";
import { RerunCheck } from "./rerun-check.ts";

export type Verification = {
  readonly ok: boolean;
  readonly events: number;
  readonly stateHash: string;
  readonly checks: readonly Check[];
};

/**
 * Checks the base of a journal, its chain of hashes and its snapshots; that its events lead to the
 * recorded states, in which every invariant holds; and that its commands, run again with all
 * programs, cause the same events. Transactions that timed out are taken as recorded.
 */
export const verifyJournal = (journal: Journal, agentProblem: AgentCheck): Verification => {
  const start = checkStart(journal);
  const chain = journal.verifyChain();
  const links: Check = chain.ok
    ? { name: "chain", ok: true, detail: `${chain.head.seq - start.seq} events` }
    : { name: "chain", ok: false, detail: `event ${chain.seq}: ${chain.detail}` };
  const kept = journal.verifySnapshots();
  const snapshots: Check = kept.ok
    ? { name: "snapshots", ok: true, detail: `${kept.snapshots} snapshots` }
    : { name: "snapshots", ok: false, detail: kept.detail };
  const files = [...start.checks, links, snapshots];
  if (!start.ok || !links.ok) return { ok: false, events: 0, stateHash: "", checks: files };
  const replayed = new ReplayCheck(journal).run();
  const rerun = new RerunCheck(journal, agentProblem).run();
  const checks = [...files, ...replayed.checks, ...rerun];
  const { events, hash } = replayed;
  return { ok: checks.every((check) => check.ok), events, stateHash: hash, checks };
};

type StartCheck = { readonly ok: boolean; readonly seq: number; readonly checks: readonly Check[] };

const checkStart = (journal: Journal): StartCheck => {
  const found = (ok: boolean, seq: number, detail: string): StartCheck => {
    return { ok, seq, checks: [{ name: "base", ok, detail }] };
  };
  try {
    const base = journal.base();
    if (base === null) return { ok: true, seq: 0, checks: [] };
    const { seq } = base;
    const read = readState(base.state);
    if (!read.ok) return found(false, seq, read.problem);
    return read.state.world.has("world")
      ? found(true, seq, `the state after event ${seq}`)
      : found(false, seq, "its state holds no world");
  } catch (error) {
    return found(false, 0, errorMessage(error));
  }
};

/**
 * How a journal is damaged up to an event, with the fix; or null. It recomputes the chain of hashes
 * (a second for 100,000 events), but does not replay events or check the bodies of snapshots.
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
  return `use a copy, or continue from before it with \`${fork}\``;
};
