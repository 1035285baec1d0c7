import { type ActionEnd, endsAction } from "../../kernel/index.ts";
import type { Journal } from "../../world/index.ts";
import { withCalls } from "./asked-models.ts";
import type { Movement } from "./movement.ts";
import { eventsBetween, lastEvent, type Placed } from "./past-events.ts";
import { type ThoughtTrail, thoughtBefore } from "./thought-trail.ts";

/** What was used when scrip moved: a program that ran, or an artifact that was read. */
export type Use = {
  readonly seq: number;
  readonly kind: "artifact_invoked" | "artifact_read";
  readonly artifact: string;
  readonly method: string | null;
  readonly caller: string;
  readonly price: number;
};

/** What the mint decided that moved scrip. */
export type Verdict = {
  readonly seq: number;
  readonly kind: "artifact_scored" | "auction_resolved" | "task_solved";
  readonly artifact: string | null;
  readonly says: string;
};

/** The end of an action. */
export type ActionTrail = {
  readonly seq: number;
  readonly at_ms: number;
  readonly principal: string;
  readonly action: string;
  readonly target: string | null;
  readonly method: string | null;
  readonly message: string;
};

/** An action with the thought behind it; a person's action has none. */
export type Deed = { readonly action: ActionTrail; readonly thought: ThoughtTrail | null };

/** Why scrip moved: each is null where there is nothing of the kind. */
export type Cause = {
  readonly use: Use | null;
  readonly mint: Verdict | null;
  /** In which it moved, or which bid or solved what the mint paid for. */
  readonly deed: Deed | null;
  /** How the artifact that earned or cost it was made, where another action than `deed` did so. */
  readonly making: (Deed & { readonly artifact: string; readonly seq: number }) | null;
};

export const causeOf = (journal: Journal, movement: Movement): Cause => {
  const end = journal.transactionEnd(movement.seq) ?? movement.seq;
  const after = [...eventsBetween(journal, { after: movement.seq, upTo: end })];
  const use = useAmong(after, movement);
  const mint = use === null ? verdictOn(journal, movement) : null;
  const action = after.find(endsAction);
  const deed =
    action !== undefined ? deedOf(journal, action) : mint === null ? null : bidOf(journal, mint);
  const artifact = use?.artifact ?? mint?.artifact ?? movement.artifact;
  const making = artifact === null ? null : makingOf(journal, artifact, end);
  const isToldAlready = making !== null && making.action.seq === deed?.action.seq;
  return { use, mint, deed, making: isToldAlready ? null : making };
};

/** A program ends after what it paid and was paid; the first that fits is the innermost. */
const useAmong = (events: readonly Placed[], { artifact }: Movement): Use | null => {
  const uses = events.map(useIn).filter((use) => use !== null);
  return (
    uses.find((use) => use.artifact === artifact) ?? (artifact === null ? uses[0] : null) ?? null
  );
};

const useIn = (event: Placed): Use | null => {
  const { seq, kind } = event;
  if (kind === "artifact_invoked") {
    const { artifact_id: artifact, method, caller, price } = event;
    return { seq, kind, artifact, method, caller, price };
  }
  if (kind !== "artifact_read") return null;
  return {
    seq,
    kind,
    artifact: event.artifact_id,
    method: null,
    caller: event.by,
    price: event.price,
  };
};

const MINT_REASONS: ReadonlySet<string> = new Set(["mint", "mint_share", "task", "burned"]);

/** What the mint decided stands before what it pays, at the same moment. */
const verdictOn = (journal: Journal, { seq, at_ms, reason }: Movement): Verdict | null => {
  if (!MINT_REASONS.has(reason)) return null;
  const fits = (event: { readonly at_ms: number }): boolean => event.at_ms === at_ms;
  const near = Math.max(0, seq - 200);
  const all = [...eventsBetween(journal, { after: near, upTo: seq })].filter(fits);
  return all.map(verdictIn).findLast((verdict) => verdict !== null) ?? null;
};

const verdictIn = (event: Placed): Verdict | null => {
  const { seq, kind } = event;
  switch (kind) {
    case "artifact_scored": {
      const says = `score ${event.score}: ${event.reason}`;
      return { seq, kind, artifact: event.artifact_id, says };
    }
    case "task_solved":
      return { seq, kind, artifact: event.artifact_id, says: `task ${event.task}` };
    case "auction_resolved": {
      const says = `auction ${event.auction}, price ${event.price}`;
      return { seq, kind, artifact: null, says };
    }
    default:
      return null;
  }
};

/** The action that bid what the mint has paid for. */
const bidOf = (journal: Journal, { seq, artifact }: Verdict): Deed | null => {
  if (artifact === null) return null;
  const bid = lastEvent(journal, {
    upTo: seq,
    kinds: ["bid_placed"],
    fits: ({ artifact_id }) => artifact_id === artifact,
  });
  return bid === null ? null : deedAround(journal, bid.seq);
};

/** How an artifact got the code or the text that it has. */
const makingOf = (journal: Journal, artifact: string, upTo: number): Cause["making"] => {
  const write = lastEvent(journal, {
    upTo,
    kinds: ["artifact_written"],
    fits: ({ artifact_id, created, fields: { code, content } }) =>
      artifact_id === artifact && (created || code !== undefined || content !== undefined),
  });
  const deed = write === null ? null : deedAround(journal, write.seq);
  return write === null || deed === null ? null : { artifact, seq: write.seq, ...deed };
};

/** The action in which an event happened. */
const deedAround = (journal: Journal, seq: number): Deed | null => {
  const end = journal.transactionEnd(seq) ?? seq;
  const action = [...eventsBetween(journal, { after: seq, upTo: end })].find(endsAction);
  return action === undefined ? null : deedOf(journal, action);
};

const deedOf = (journal: Journal, event: Placed<ActionEnd>): Deed => {
  const { seq, at_ms, action, target, method, message } = event;
  const principal = event.principal ?? "";
  return {
    action: { seq, at_ms, principal, action, target, method, message },
    thought: thoughtBefore(journal, principal, seq),
  };
};

/** Fills in what models were asked for the thoughts behind some causes. */
export const causesWithCalls = (journal: Journal, causes: readonly Cause[]): readonly Cause[] => {
  const thoughts = causes
    .flatMap(({ deed, making }) => [deed?.thought ?? null, making?.thought ?? null])
    .filter((thought) => thought !== null);
  const bySeq = withCalls(journal, thoughts);
  const filled = <D extends Deed>(deed: D): D => {
    const thought = deed.thought === null ? null : (bySeq.get(deed.thought.seq) ?? null);
    return { ...deed, thought };
  };
  return causes.map(({ deed, making, ...cause }) => ({
    ...cause,
    deed: deed === null ? null : filled(deed),
    making: making === null ? null : filled(making),
  }));
};
