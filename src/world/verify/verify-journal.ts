import { dirname } from "node:path";
import { errorMessage } from "../../kernel/index.ts";
import type { AgentCheck } from "../execution/context.ts";
import { type Journal, JournalFailure, type JournalReader } from "../journal/index.ts";
import { endOfOpening } from "../replay/moment.ts";
import { firstPlace } from "../replay/replay.ts";
import { type Check, checkReplay } from "./replay-check.ts";
import { RerunCheck } from "./rerun-check.ts";

export type Verification = {
  readonly ok: boolean;
  readonly events: number;
  readonly stateHash: string;
  readonly checks: readonly Check[];
};

/**
 * Checks the base, the hash chain and the snapshots of a journal. Checks that the events lead to
 * the recorded states, and that every invariant holds in them. Runs the commands again and checks
 * that they cause the same events. Transactions that timed out are not run again.
 */
export const verifyJournal = (journal: Journal, agentProblem: AgentCheck): Verification => {
  const base = checkBase(journal);
  const chain = journal.verifyChain();
  const links = chain.ok ? `${chain.events} events` : `event ${chain.seq}: ${chain.detail}`;
  const kept = journal.verifySnapshots();
  const files: readonly Check[] = [
    ...base,
    { name: "chain", ok: chain.ok, detail: links },
    {
      name: "snapshots",
      ok: kept.ok,
      detail: kept.ok ? `${kept.snapshots} snapshots` : kept.detail,
    },
  ];
  if (!chain.ok || base.some(({ ok }) => !ok)) return verificationOf(files);
  const { checks: replayed, events, hash } = checkReplay(journal);
  const checks = [...files, ...replayed, ...new RerunCheck(journal, agentProblem).run()];
  return verificationOf(checks, hash, events);
};

export const verificationOf = (
  checks: readonly Check[],
  stateHash = "",
  events = 0,
): Verification => ({ ok: checks.every(({ ok }) => ok), events, stateHash, checks });

const checkBase = (journal: Journal): readonly Check[] => {
  const found = (ok: boolean, detail: string): readonly Check[] => [{ name: "base", ok, detail }];
  try {
    const { state, seq } = firstPlace(journal);
    if (seq === 0) return [];
    return state.world.has("world")
      ? found(true, `the state after event ${seq}`)
      : found(false, "its state holds no world");
  } catch (error) {
    return found(false, errorMessage(error));
  }
};

/**
 * The damage to a journal up to event `upTo`, with the fix, or null. Recomputes the hash chain
 * (100,000 events a second). Does not replay events or check snapshot bodies.
 */
export const damageIn = (journal: JournalReader, upTo: number | null = null): string | null => {
  const chain = journal.verifyChain(upTo);
  if (!chain.ok) return `${journal.path} is damaged: ${chain.detail}; ${cureFrom(journal, chain)}`;
  const snapshots = journal.verifySnapshots({ upTo, bodies: false });
  if (snapshots.ok) return null;
  const cure = "check it with `sim verify`, then use a copy of it";
  return `${journal.path} is damaged: ${snapshots.detail}; ${cure}`;
};

/**
 * Why reading journals threw `error`: the message of a JournalFailure, or else the damage of the
 * first damaged journal, because readers assume valid rows. Null if nothing explains the error.
 */
export const readingProblem = (
  error: unknown,
  journals: readonly JournalReader[],
): string | null => {
  if (error instanceof JournalFailure) return error.message;
  for (const journal of journals) {
    const damage = damageIn(journal);
    if (damage !== null) return damage;
  }
  return null;
};

const cureFrom = (journal: JournalReader, { soundSeq }: { readonly soundSeq: number }): string => {
  const isUsable = soundSeq >= endOfOpening(journal) && soundSeq > 0;
  if (!isUsable) return "use a copy of it";
  const fork = `sim fork ${dirname(journal.path)} --at event:${soundSeq}`;
  return `use a copy, or continue from before it with \`${fork}\``;
};
