import { agentOfMemory } from "../agent/memory.ts";
import type { Artifact } from "../artifact/artifact.ts";
import { find } from "../artifact/tables.ts";
import { accept, type Refused, refuse } from "../core/decision.ts";
import { type Id, isReserved } from "../core/ids.ts";
import { physicsOf, worldRow } from "../core/world.ts";
import { accountRefusal, holdFor } from "../ledger/payment.ts";
import { type Subject, stamp } from "../ledger/subject.ts";
import type { MintDecision, MintEvent } from "./events.ts";
import {
  closesAt,
  comingAuction,
  type MintTables,
  openAuction,
  opensAt,
  submissionId,
  submissionOf,
} from "./mint.ts";

/**
 * Checks, in this order: the bidder has an account; the artifact exists, is the bidder's, is a
 * program, has no open bid; bidding is open; the minimum. Callers check that the bidder can pay.
 */
export const decideBid = (state: MintTables, by: Subject, id: Id, scrip: number): MintDecision => {
  const { mint } = physicsOf(state);
  // The scrip of a bidder without an account is in a purse, and a purse ends with the call.
  const found = accountRefusal(state, by.actor, ", and only principals can bid") ?? find(state, id);
  if (found.kind !== "accepted") return found;
  const artifact = found.answer;
  const refused = bidRefusal(state, by, artifact) ?? closedRefusal(state, by);
  if (refused !== null) return refused;
  if (scrip < mint.minimum_bid) {
    const message = `attach the bid, ${mint.minimum_bid} scrip or more: {attach: {scrip: n}}`;
    return refuse(scrip === 0 ? "missing_argument" : "invalid_argument", message);
  }
  const auction = comingAuction(mint, by.atMs);
  const submission = submissionId(artifact.id, worldRow(state).bidsMade + 1);
  const purpose = { kind: "bid", submission } as const;
  const { hold, event: held } = holdFor(state, by, purpose, scrip);
  const { version } = artifact;
  const bid = {
    submission,
    artifact_id: id,
    bidder: by.actor,
    amount: scrip,
    hold,
    auction,
    version,
  };
  const closes_at_ms = closesAt(mint, auction);
  const answer = { submission, artifact: id, amount: scrip, auction, closes_at_ms };
  return accept([held, { ...stamp(by), kind: "bid_placed", ...bid }], answer);
};

const bidRefusal = (state: MintTables, by: Subject, artifact: Artifact): Refused | null => {
  const { id, owner } = artifact;
  if (owner !== by.actor) {
    return refuse("not_owner", `${id} belongs to ${owner}; bid a program that you own`);
  }
  if (isReserved(id))
    return refuse("invalid_type", `${id} belongs to the world; bid a program that you own`);
  if (artifact.canExecute || agentOfMemory(state, id) !== null) {
    return refuse("invalid_type", `${id} is an agent or its memory; bid a program`);
  }
  if (artifact.methods.length === 0) {
    return refuse("invalid_type", `${id} has no code to be scored; bid a program`);
  }
  const known = state.submissions.get(id);
  if (known === undefined) return null;
  const why = known.stage === "bid" ? "already has an open bid" : "has won and waits for its score";
  return refuse("already_exists", `${id} ${why}; its submission is ${known.id}`);
};

const closedRefusal = (state: MintTables, by: Subject): Refused | null => {
  const { mint } = physicsOf(state);
  if (openAuction(mint, by.atMs) !== null) return null;
  const opens_at_ms = opensAt(mint, comingAuction(mint, by.atMs));
  const opens = `bidding opens again at ${opens_at_ms / 1_000} s`;
  return refuse("not_open", `${opens}; it is ${by.atMs / 1_000} s now`, { opens_at_ms });
};

/** Cancels a bid and refunds all of it. Checks its existence, its bidder, then the closing time. */
export const decideCancel = (state: MintTables, by: Subject, id: string): MintDecision => {
  const submission = submissionOf(state, id);
  if (submission === undefined) {
    return refuse("not_found", `there is no open submission "${id}"; status() lists yours`);
  }
  if (submission.bidder !== by.actor) {
    return refuse("not_owner", `${id} is a bid of ${submission.bidder}, not of ${by.actor}`);
  }
  const closedAtMs = closesAt(physicsOf(state).mint, submission.auction);
  if (by.atMs >= closedAtMs) {
    return refuse("invalid_argument", `bidding closed at ${closedAtMs / 1_000} s; ${id} is final`);
  }
  const { artifact, amount } = submission;
  return accept(withdrawalEvents(state, by, artifact), {
    submission: id,
    artifact,
    refunded: amount,
  });
};

export const withdrawalEvents = (
  state: MintTables,
  by: Subject,
  artifact_id: Id,
): readonly MintEvent[] => {
  const bid = state.submissions.get(artifact_id);
  if (bid?.stage !== "bid") return [];
  return [
    { ...stamp(by), kind: "bid_cancelled", submission: bid.id, artifact_id },
    { ...stamp(by), kind: "hold_released", hold: bid.hold, into: null },
  ];
};

/** The fields of an artifact that a scorer sees. */
const JUDGED = ["content", "code", "interface"] as const;

/** Keeps the bid on an artifact valid if a write sets none of the `JUDGED` fields. */
export const carryBid = (
  state: MintTables,
  written: {
    readonly artifact_id: Id;
    readonly version: number;
    readonly fields: { readonly [F in (typeof JUDGED)[number]]?: unknown };
  },
): void => {
  const bid = state.submissions.get(written.artifact_id);
  if (bid === undefined || bid.version !== written.version - 1) return;
  if (JUDGED.some((field) => written.fields[field] !== undefined)) return;
  state.submissions.put(bid.artifact, { ...bid, version: written.version });
};
