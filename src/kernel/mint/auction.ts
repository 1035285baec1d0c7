import { liveArtifact } from "../artifact/tables.ts";
import { accept, refuse } from "../core/decision.ts";
import { draw, type PrngState } from "../core/random.ts";
import { physicsOf, worldRow } from "../core/world.ts";
import { splitFor } from "../ledger/payment.ts";
import type { MintDecision, MintEvent } from "./events.ts";
import { closesAt, hasMint, type MintTables, type Submission } from "./mint.ts";
/**
 * Resolves the next auction. Bids on deleted or changed artifacts are void. The highest valid bids
 * win. Each winner pays the highest losing bid, but at least the minimum bid. A bid below the
 * minimum loses: the minimum can have risen since the bid. Losing and void bids are refunded.
 * Winners get back all but the price, which stays held until the score.
 */
export const decideResolve = (
  state: MintTables,
  { at_ms }: { readonly at_ms: number },
): MintDecision => {
  const { mint } = physicsOf(state);
  const { auctions: auction, prng } = worldRow(state);
  if (!hasMint(state)) return refuse("not_found", "there is no mint in this world");
  const closesAtMs = closesAt(mint, auction);
  if (at_ms < closesAtMs) {
    return refuse("invalid_argument", `auction ${auction} closes at ${closesAtMs / 1_000} s`);
  }
  const bids = [...state.submissions.rows()]
    .filter((row) => row.stage === "bid" && row.auction === auction)
    .sort((a, b) => b.amount - a.amount || (a.id < b.id ? -1 : 1));
  const valid = bids.filter((bid) => isUnchanged(state, bid));
  const tooLow = valid.filter(({ amount }) => amount < mint.minimum_bid);
  const drawn = settleTie(valid.slice(0, valid.length - tooLow.length), mint.slots, prng);
  const won = drawn.ranking.slice(0, mint.slots);
  const lost = [...drawn.ranking.slice(mint.slots), ...tooLow];
  const highestLost = won.length === 0 ? 0 : (lost[0]?.amount ?? 0);
  const price = Math.max(mint.minimum_bid, highestLost);
  const stamp = { at_ms, principal: null };
  const { draws, prng: next } = drawn;
  const dice: readonly MintEvent[] =
    draws === 0 ? [] : [{ ...stamp, kind: "random_drawn", draws, prng: next }];
  const voided = bids.filter((bid) => !valid.includes(bid));
  const idsOf = (rows: readonly Submission[]): readonly string[] => rows.map(({ id }) => id);
  const ids = { won: idsOf(won), lost: idsOf(lost), void: idsOf(voided) };
  const resolved: MintEvent = { ...stamp, kind: "auction_resolved", auction, price, ...ids };
  const refunds = [...lost, ...voided].map(
    ({ hold }): MintEvent => ({ ...stamp, kind: "hold_released", hold, into: null }),
  );
  // Winners get back what they bid above the price.
  const change = won
    .filter(({ amount }) => amount > price)
    .flatMap(({ id, hold: from, amount }, before): readonly MintEvent[] => {
      const purpose = { kind: "bid", submission: id } as const;
      const { hold, event: split } = splitFor(state, stamp, from, purpose, amount - price, before);
      return [split, { ...stamp, kind: "hold_released", hold, into: null }];
    });
  const events = [...dice, resolved, ...refunds, ...change];
  return accept(events, { auction, price, won: ids.won });
};

/** True if the artifact is unchanged since the bid. No owner check: a transfer cancels the bid. */
const isUnchanged = (state: MintTables, bid: Submission): boolean =>
  liveArtifact(state, bid.artifact)?.version === bid.version;

/** Shuffles the bids that tie for the last winning place (Fisher–Yates shuffle). */
const settleTie = (ranked: readonly Submission[], slots: number, prng: PrngState) => {
  const ranking = [...ranked];
  const amount = ranking[slots]?.amount;
  const isTied = slots > 0 && amount !== undefined && ranking[slots - 1]?.amount === amount;
  if (!isTied) return { ranking, draws: 0, prng };
  const first = ranking.findIndex((row) => row.amount === amount);
  const tied = ranking.filter((row) => row.amount === amount);
  let next = prng;
  let draws = 0;
  for (let left = tied.length; left > 1; left--) {
    const [roll, after] = draw(next);
    next = after;
    draws += 1;
    const chosen = tied.splice(Math.floor(roll * left), 1);
    tied.push(...chosen);
  }
  ranking.splice(first, tied.length, ...tied);
  return { ranking, draws, prng: next };
};
