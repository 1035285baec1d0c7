import {
  type Event,
  type EventOf,
  isReserved,
  type Json,
  type PrivateValues,
  type State,
} from "../../kernel/index.ts";
import { paymentIn } from "../../run/index.ts";
import { type BookLine, bookOf, linesIn } from "./contract-book.ts";
import { type GainsFromTrade, type Good, gainsFromTrade } from "./gains-from-trade.ts";
import { sumOf } from "./statistics.ts";

/** `offers` are those from the receiver of the payment to its payer that were open then. */
type Payment = { readonly to: string; readonly amount: number; readonly offers: readonly Offer[] };

/** An offer of an artifact, and what was paid for it in earlier actions while it was open. */
type Offer = { readonly from: string; readonly to: string; readonly payments: Payment[] };

/** A change of the holder. `offer` is null if the artifact was not offered to the new holder. */
type HolderChange = {
  readonly artifact: string;
  readonly to: string;
  readonly offer: Offer | null;
};

/**
 * Follows who owns each artifact and what it was sold for, and knows what artifacts are worth to
 * agents. A program that holds an artifact, such as the escrow, does not become its owner here.
 *
 * The price of a sale is the scrip that the former owner received in the action by which the new
 * owner got the artifact, and what the new owner paid to the former owner in earlier actions while
 * the artifact was offered to it. Each payment counts once. A payment in an action that moves an
 * artifact of its receiver is not for an offer. If an action moves several artifacts of one owner,
 * the first one that an agent values has the price.
 */
export class Goods {
  readonly #values = new Map<string, PrivateValues>();
  /** The artifacts that an agent values. */
  readonly #valued = new Set<string>();
  readonly #goods = new Map<string, Good>();
  /** The open offers of artifacts that an agent values, by artifact. */
  readonly #offers = new Map<string, Offer>();
  /** The payments for offers that are the price of an artifact already. */
  readonly #counted = new WeakSet<Payment>();
  /** What the current action has paid and changed so far. */
  #payments: Payment[] = [];
  #changes: HolderChange[] = [];

  constructor(state: State) {
    for (const { id, values } of state.agents.rows()) this.#addAgent(id, values);
    const givers = giversIn(state);
    for (const { id, owner, createdBy, deleted } of state.artifacts.rows()) {
      if (deleted !== null) continue;
      this.#add(id, isReserved(owner) ? (givers.get(id) ?? createdBy) : owner);
    }
    for (const { artifact, from, to } of state.offers.rows()) {
      this.#offer({ artifact_id: artifact, from, to });
    }
  }

  /** `ownerOf` returns the principal that owned a hold before the event. */
  count(event: Event, ownerOf: (hold: string) => string | null): void {
    switch (event.kind) {
      case "agent_created":
        return this.#addAgent(event.id, event.values ?? {});
      case "artifact_written":
        if (event.created) this.#add(event.artifact_id, event.owner);
        return;
      case "artifact_deleted":
        this.#offers.delete(event.artifact_id);
        this.#delete(event.artifact_id);
        return;
      case "ownership_offered":
        return this.#offer(event);
      case "ownership_offer_ended":
        this.#offers.delete(event.artifact_id);
        return;
      case "ownership_transferred":
        return this.#change(event);
      case "scrip_transferred":
      case "hold_spent": {
        const payment = paymentIn(event, ownerOf);
        if (payment !== null) this.#pay(payment);
        return;
      }
      case "action_completed":
      case "action_refused":
        return this.#endAction(event.at_ms);
      default:
    }
  }

  gains(): GainsFromTrade {
    return gainsFromTrade(this.#goods, this.#values);
  }

  #addAgent(id: string, values: PrivateValues): void {
    this.#values.set(id, values);
    for (const artifact of Object.keys(values)) this.#valued.add(artifact);
  }

  #add(id: string, owner: string): void {
    this.#goods.set(id, { maker: owner, owner, sales: [] });
  }

  #delete(id: string): void {
    const good = this.#goods.get(id);
    if (good !== undefined) good.owner = null;
  }

  #offer(offered: Pick<EventOf<"ownership_offered">, "artifact_id" | "from" | "to">): void {
    const { artifact_id, from, to } = offered;
    this.#offers.delete(artifact_id);
    if (this.#valued.has(artifact_id)) this.#offers.set(artifact_id, { from, to, payments: [] });
  }

  #change({ artifact_id: artifact, from, to }: EventOf<"ownership_transferred">): void {
    const offer = this.#offers.get(artifact);
    const isAccepted = offer?.from === from && offer.to === to;
    this.#offers.delete(artifact);
    this.#changes.push({ artifact, to, offer: isAccepted ? offer : null });
  }

  #pay({ from, to, amount }: { from: string; to: string; amount: number }): void {
    const offers = [...this.#offers.values()].filter(
      (offer) => offer.from === to && offer.to === from,
    );
    this.#payments.push({ to, amount, offers });
  }

  #endAction(at_ms: number): void {
    const others = this.#changes.filter(({ artifact }) => !this.#valued.has(artifact));
    const valued = this.#changes.filter(({ artifact }) => this.#valued.has(artifact));
    const sellers = new Set<string>();
    for (const { artifact, to: buyer, offer } of [...valued, ...others]) {
      const good = this.#goods.get(artifact);
      if (good === undefined || good.owner === null || good.owner === buyer) continue;
      const { owner: seller } = good;
      sellers.add(seller);
      if (!this.#values.has(buyer)) continue;
      const price = this.#take(offer?.payments ?? []) + this.#take(this.#paidTo(seller));
      good.sales.push({ at_ms, seller, buyer, price });
      good.owner = buyer;
    }
    for (const payment of this.#payments) {
      if (sellers.has(payment.to)) continue;
      for (const { payments } of payment.offers) payments.push(payment);
    }
    this.#changes = [];
    this.#payments = [];
  }

  /** What the current action has paid to a principal. */
  #paidTo(to: string): readonly Payment[] {
    return this.#payments.filter((payment) => payment.to === to);
  }

  /** The sum of the payments that are not the price of another artifact. */
  #take(payments: readonly Payment[]): number {
    const open = payments.filter((payment) => !this.#counted.has(payment));
    for (const payment of open) this.#counted.add(payment);
    return sumOf(open.map(({ amount }) => amount));
  }
}

/** Who gave to the escrow and to the debt contract what they hold, by artifact. */
const giversIn = (state: State): ReadonlyMap<string, string> => {
  const givers = new Map<string, string>();
  const note = (giver: Json | undefined, goods: readonly BookLine[]): void => {
    for (const { artifact } of goods) {
      if (typeof artifact === "string" && typeof giver === "string") givers.set(artifact, giver);
    }
  };
  for (const listing of linesIn(bookOf(state, "escrow").listings)) {
    note(listing.seller, [listing, ...linesIn(listing.more)]);
  }
  for (const { debtor, collateral } of linesIn(bookOf(state, "debt_contract").open)) {
    note(debtor, linesIn(collateral));
  }
  return givers;
};
