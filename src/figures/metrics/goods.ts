import {
  type Event,
  type EventOf,
  genesisId,
  isObject,
  isReserved,
  type Json,
  liveArtifact,
  type PrivateValues,
  type State,
} from "../../kernel/index.ts";
import { paymentIn } from "../../run/index.ts";
import { decodeJson } from "../../world/index.ts";
import { sumOf } from "./statistics.ts";

/** `offers` are those from the receiver of the payment to its payer that were open then. */
type Payment = { readonly to: string; readonly amount: number; readonly offers: readonly Offer[] };

/** An offer of an artifact, and what was paid for it in earlier actions while it was open. */
type Offer = { readonly from: string; readonly to: string; readonly payments: Payment[] };

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
  /** The changes of holders. `offer` is null if the artifact was not offered to the new holder. */
  #changes: { readonly artifact: string; readonly to: string; readonly offer: Offer | null }[] = [];

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

  gains() {
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

/** A line in the books that a contract keeps in its state, such as a listing of the escrow. */
export type BookLine = { readonly [name: string]: Json };

/** The state of a genesis contract, or an empty object if the world does not have the contract. */
export const bookOf = (state: State, name: string): BookLine => {
  const kept = liveArtifact(state, genesisId(name))?.state;
  const book = kept === undefined ? null : decodeJson(kept);
  return isObject(book) ? book : {};
};

export const linesIn = (list: Json | undefined): readonly BookLine[] =>
  listIn(list).filter((line): line is BookLine => isObject(line));

export const listIn = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? value : [];

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

/** A change of an artifact's owner. The price is 0 for a gift. */
type Sale = {
  readonly at_ms: number;
  readonly seller: string;
  readonly buyer: string;
  readonly price: number;
};

/** An artifact, its first owner, and its owner now. `owner` is null if it was deleted. */
type Good = { readonly maker: string; owner: string | null; readonly sales: Sale[] };

/** In whole scrip. Only the artifacts that an agent values are listed, by id. */
export type GainsFromTrade = ReturnType<typeof gainsFromTrade>;

/**
 * Computes the gains from trade in artifacts with induced values (Smith, "Experimental Economics:
 * Induced Value Theory", 1976). The efficiency is the realised surplus as a share of the possible
 * surplus (Plott and Smith, "An Experimental Examination of Two Exchange Institutions", 1978).
 */
const gainsFromTrade = (
  goods: ReadonlyMap<string, Good>,
  values: ReadonlyMap<string, PrivateValues>,
) => {
  const valued = new Map<string, Map<string, number>>();
  for (const [agent, own] of values) {
    for (const [artifact, value] of Object.entries(own)) {
      const known = valued.get(artifact) ?? new Map<string, number>();
      valued.set(artifact, known.set(agent, value));
    }
  }
  const artifacts = [...valued]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([artifact, worth]) => gainsIn(artifact, worth, goods.get(artifact), values));
  return { artifacts, ...surplusOf(artifacts) };
};

/** The efficiency is null if no gain is possible. */
const surplusOf = (parts: readonly { readonly realised: number; readonly possible: number }[]) => {
  const realised = sumOf(parts.map((part) => part.realised));
  const possible = sumOf(parts.map((part) => part.possible));
  return { realised, possible, efficiency: possible === 0 ? null : realised / possible };
};

/**
 * The gains from trade in one artifact. `worth` is its value to each agent that states one.
 *
 * The realised surplus is the value to the owner at the end minus the value to the maker; prices
 * only divide it. The possible surplus is the highest value minus the value to the maker. Without
 * a maker, the agent that values the artifact least counts as the maker, and nothing is realised.
 */
const gainsIn = (
  artifact: string,
  worth: ReadonlyMap<string, number>,
  good: Good | undefined,
  agents: ReadonlyMap<string, unknown>,
) => {
  const { maker = null, owner = null, sales = [] } = good ?? {};
  const valueTo = (id: string | null): number => (id === null ? 0 : (worth.get(id) ?? 0));
  const all = [...worth.values()];
  const cost = maker === null ? Math.min(...all) : valueTo(maker);
  const realised = maker === null ? 0 : valueTo(owner) - cost;
  const traders = sales.flatMap(({ seller, buyer }) => [seller, buyer]);
  const parties = new Set([...worth.keys(), ...traders.filter((id) => agents.has(id))]);
  return {
    artifact,
    /** `maker` and `owner` are null if the artifact does not exist. */
    maker,
    owner,
    /** The price of the last sale, or null without a sale. */
    price: sales.at(-1)?.price ?? null,
    sales: [...sales],
    /** `value` is null if the agent states no value for the artifact. */
    gains: [...parties].map((agent) => {
      const value = worth.get(agent) ?? null;
      const kept = (owner === agent ? valueTo(agent) : 0) - (maker === agent ? valueTo(agent) : 0);
      return { agent, value, gain: kept + netSales(sales, agent) };
    }),
    ...surplusOf([{ realised, possible: Math.max(...all) - cost }]),
  };
};

/** What an agent received for an artifact minus what the agent paid for it. */
const netSales = (sales: readonly Sale[], agent: string): number =>
  sumOf(
    sales.map(({ seller, buyer, price }) => {
      if (seller === agent) return price;
      return buyer === agent ? -price : 0;
    }),
  );

/** Lists the gains of agents, such as `ann 12, bob 18`. */
export const gainsText = ({ gains }: Pick<GainsFromTrade["artifacts"][number], "gains">): string =>
  gains.map(({ agent, gain }) => `${agent} ${gain}`).join(", ");
