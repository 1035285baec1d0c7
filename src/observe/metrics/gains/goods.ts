import { type Event, isReserved, type PrivateValues, type State } from "../../../kernel/index.ts";
import { paymentIn } from "../../../runner/index.ts";
import { type GainsFromTrade, type Good, gainsFromTrade } from "./gains-from-trade.ts";

type Payment = { readonly from: string; readonly to: string; readonly amount: number };

/** The offers from one owner to one receiver that are open, and what was paid meanwhile. */
type Pair = { offers: number; paid: number };

/**
 * Follows who owns each artifact and what it was sold for, and knows what artifacts are worth to
 * agents. A program that holds an artifact, such as the escrow, does not become its owner here.
 *
 * The price of a sale is the scrip that the former owner received in the action by which the new
 * owner got the artifact, and what the new owner paid to the former owner while the artifact was
 * offered to it. If an action moves several artifacts of one owner, the first one that an agent
 * values has the price.
 */
export class Goods {
  readonly #values = new Map<string, PrivateValues>();
  /** The artifacts that an agent values. */
  readonly #valued = new Set<string>();
  readonly #goods = new Map<string, Good>();
  /** The pair of each artifact that is offered. */
  readonly #offers = new Map<string, string>();
  readonly #pairs = new Map<string, Pair>();
  /** What the current action has paid and moved so far. */
  #payments: Payment[] = [];
  #moved: { readonly artifact: string; readonly to: string; readonly offered: number }[] = [];

  constructor(state: State) {
    for (const { id, values } of state.agents.rows()) this.#addAgent(id, values);
    for (const { id, owner, createdBy, deleted } of state.artifacts.rows()) {
      if (deleted === null) this.#add(id, isReserved(owner) ? createdBy : owner);
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
        this.#endOffer(event.artifact_id);
        this.#delete(event.artifact_id);
        return;
      case "ownership_offered":
        return this.#offer(event.artifact_id, pairOf(event.from, event.to));
      case "ownership_offer_ended":
        this.#endOffer(event.artifact_id);
        return;
      case "ownership_transferred": {
        const { artifact_id: artifact, from, to } = event;
        const isOffered = this.#offers.get(artifact) === pairOf(from, to);
        const paid = this.#endOffer(artifact);
        this.#moved.push({ artifact, to, offered: isOffered ? paid : 0 });
        return;
      }
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

  #offer(artifact: string, pair: string): void {
    this.#endOffer(artifact);
    if (!this.#valued.has(artifact)) return;
    this.#offers.set(artifact, pair);
    const { offers, paid } = this.#pairs.get(pair) ?? { offers: 0, paid: 0 };
    this.#pairs.set(pair, { offers: offers + 1, paid });
  }

  /** Returns what was paid while artifacts were offered, since the last one was accepted. */
  #endOffer(artifact: string): number {
    const name = this.#offers.get(artifact);
    const pair = name === undefined ? undefined : this.#pairs.get(name);
    if (name === undefined || pair === undefined) return 0;
    this.#offers.delete(artifact);
    const { offers, paid } = pair;
    if (offers === 1) this.#pairs.delete(name);
    else this.#pairs.set(name, { offers: offers - 1, paid: 0 });
    return paid;
  }

  #pay(payment: Payment): void {
    const pair = this.#pairs.get(pairOf(payment.to, payment.from));
    if (pair === undefined) this.#payments.push(payment);
    else pair.paid += payment.amount;
  }

  #endAction(at_ms: number): void {
    const others = this.#moved.filter(({ artifact }) => !this.#valued.has(artifact));
    const valued = this.#moved.filter(({ artifact }) => this.#valued.has(artifact));
    for (const { artifact, to: buyer, offered } of [...valued, ...others]) {
      const good = this.#goods.get(artifact);
      if (good === undefined || !this.#values.has(buyer) || good.owner === buyer) continue;
      const { owner: seller } = good;
      if (seller === null) continue;
      const price = offered + this.#takePaid(seller);
      good.sales.push({ at_ms, seller, buyer, price });
      good.owner = buyer;
    }
    this.#moved = [];
    this.#payments = [];
  }

  /** Takes what the current action has paid to a principal. */
  #takePaid(to: string): number {
    const mine = this.#payments.filter((payment) => payment.to === to);
    this.#payments = this.#payments.filter((payment) => payment.to !== to);
    return mine.reduce((sum, { amount }) => sum + amount, 0);
  }
}

const pairOf = (from: string, to: string): string => `${from} ${to}`;
