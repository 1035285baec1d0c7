import type { State } from "../../kernel/index.ts";
import { Balances, MOVING } from "../metrics/money/balances.ts";
import { type Movement, movementIn } from "../trail/movement.ts";
import type { SeqEvent } from "../trail/past-events.ts";
import type { MomentMoney } from "./life-moment.ts";

/** A payment of the mint for a bid, and the moment of the bid by its `seq`. */
type Later = { readonly moment: number; readonly money: MomentMoney };

/**
 * The scrip that moments move. The auction of the mint comes after the bid, and no action causes
 * it. So the moment of the bid gets what the bidder is paid for the score, and what it pays.
 */
export class MomentBooks {
  readonly #balances: Balances;
  /** The moments of open bids, by submission and by hold. */
  readonly #bids = new Map<string, number>();

  /** `state` is the state before the first event. */
  constructor(state: State) {
    this.#balances = new Balances(state);
  }

  /** Counts the events of an action, and returns how they moved the scrip of its actor. */
  moved(actor: string, events: readonly SeqEvent[]): readonly MomentMoney[] {
    return events.flatMap((event) => {
      const movement = movementIn(event, actor, this.#balances);
      this.#balances.count(event);
      return movement === null ? [] : [moneyOf(movement, event)];
    });
  }

  /** Counts an event that belongs to no action. Returns the moment that it pays, if any. */
  count(event: SeqEvent): Later | null {
    const later = this.#laterOf(event);
    if (MOVING.has(event.kind)) this.#balances.count(event);
    return later;
  }

  /** Notes the bids of an action that became the moment `moment`. */
  bid(events: readonly SeqEvent[], moment: number): void {
    for (const event of events) {
      if (event.kind !== "bid_placed") continue;
      this.#bids.set(event.submission, moment);
      this.#bids.set(event.hold, moment);
    }
  }

  #laterOf(event: SeqEvent): Later | null {
    switch (event.kind) {
      case "hold_split": {
        const moment = this.#bids.get(event.hold);
        if (moment !== undefined) this.#bids.set(event.into, moment);
        return null;
      }
      case "proceeds_collected": {
        const money = { amount: -event.amount, what: "mint price", minted: false };
        return this.#later(event.hold, event, money);
      }
      case "artifact_scored": {
        const money = { amount: event.minted, what: "minted for a score", minted: true };
        return event.minted === 0 ? null : this.#later(event.submission, event, money);
      }
      default:
        return null;
    }
  }

  #later(
    bid: string,
    { seq, artifact_id: artifact }: { readonly seq: number; readonly artifact_id: string },
    money: Pick<MomentMoney, "amount" | "what" | "minted">,
  ): Later | null {
    const moment = this.#bids.get(bid);
    if (moment === undefined) return null;
    return { moment, money: { seq, ...money, other: null, artifact, later: true } };
  }
}

const moneyOf = (
  { seq, amount, other, what, artifact }: Movement,
  { kind }: SeqEvent,
): MomentMoney => {
  const minted = kind === "scrip_minted" && amount > 0;
  return { seq, amount, other, what, artifact, later: false, minted };
};
