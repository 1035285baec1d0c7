import { type EventOf, genesisId, type State } from "../../kernel/index.ts";
import { DEBT_CONTRACT, flowKindOf, paymentIn, type TradeKind, tradeIn } from "../../run/index.ts";
import {
  EVENT_COLUMNS,
  type ExportStep,
  eventTable,
  integer,
  orNull,
  placeOf,
  type RowOf,
  tableOf,
  text,
} from "./export-table.ts";

const TRADE_COLUMNS = {
  ...EVENT_COLUMNS,
  trade: text("`service` (a paid call), `read`, `sale`, `loan` or `task`"),
  buyer: orNull(text("who paid; the borrower of a loan; null if the world posted the task")),
  seller: orNull(text("who was paid; the lender of a loan; the solver of a task")),
  artifact_id: orNull(text("what was called, read, sold (the first of several) or rewarded")),
  method: orNull(text("the called method")),
  price: orNull(integer("the price, the loan or the reward", "scrip")),
};

type TradeRow = RowOf<typeof TRADE_COLUMNS>;
type Paid = EventOf<"scrip_transferred"> | EventOf<"hold_spent">;

const payerOf = (event: Paid, state: State): string | null =>
  event.kind === "hold_spent" ? (state.holds.get(event.hold)?.owner ?? null) : event.from;

const ESCROW = genesisId("escrow");
const BROKERS: ReadonlySet<string> = new Set([ESCROW, DEBT_CONTRACT]);

/**
 * Finds the parties of trades. The event of a trade does not name them all, but the events before
 * it do: a price is paid before its call ends, and a broker pays and hands over during its call.
 */
class TradeFinder {
  /** Who paid for a call or a read that has not ended, by artifact. */
  readonly #payers = new Map<string, Paid & { readonly payer: string | null }>();
  #brokered: { readonly to: string; readonly amount: number }[] = [];
  #handedOver: string[] = [];

  rowsOf(step: ExportStep): readonly TradeRow[] {
    const { event, state } = step;
    if (event === null) return [];
    const trade = tradeIn(event);
    const row = trade === null ? null : this.#rowOf(step, trade);
    if (event.kind === "scrip_transferred" || event.kind === "hold_spent") {
      this.#pay({ ...event, payer: payerOf(event, state) });
    } else if (event.kind === "ownership_transferred" || event.kind === "ownership_offered") {
      if (event.from === ESCROW) this.#handedOver.push(event.artifact_id);
    } else if (event.kind === "artifact_invoked" && BROKERS.has(event.artifact_id)) {
      this.#brokered = [];
      this.#handedOver = [];
    }
    return row === null ? [] : [row];
  }

  #pay(paid: Paid & { readonly payer: string | null }): void {
    const { reason, artifact_id: artifact, to, amount, payer } = paid;
    if (payer !== null && BROKERS.has(payer) && to !== null) this.#brokered.push({ to, amount });
    const isPrice = reason === "price" || reason === "read_price";
    if (isPrice && artifact !== undefined) this.#payers.set(artifact, paid);
  }

  #rowOf(step: ExportStep, trade: TradeKind): TradeRow | null {
    const { event, state } = step;
    const about = { ...placeOf(step), trade };
    switch (event?.kind) {
      case "artifact_read": {
        const { artifact_id, by, price } = event;
        const paid = this.#payers.get(artifact_id);
        const parties = { buyer: paid?.payer ?? by, seller: paid?.to ?? null };
        return { ...about, ...parties, artifact_id, method: null, price };
      }
      case "task_solved": {
        const { task, artifact_id, solver: seller, reward: price } = event;
        const buyer = state.tasks.get(task)?.poster ?? null;
        return { ...about, buyer, seller, artifact_id, method: null, price };
      }
      case "artifact_invoked":
        return { ...about, ...(trade === "service" ? this.#service(event) : this.#deal(event)) };
      default:
        return null;
    }
  }

  #service({ artifact_id, method, caller, price, paid_to }: EventOf<"artifact_invoked">) {
    const buyer = this.#payers.get(artifact_id)?.payer ?? caller;
    return { buyer, seller: paid_to, artifact_id, method, price };
  }

  /** A sale or a loan. The broker pays the other party; it may also return change to the caller. */
  #deal({ artifact_id: broker, method, caller }: EventOf<"artifact_invoked">) {
    const deal = this.#brokered.find(({ to }) => to !== caller);
    const [other, price] = [deal?.to ?? null, deal?.amount ?? null];
    return broker === ESCROW
      ? { buyer: caller, seller: other, artifact_id: this.#handedOver[0] ?? null, method, price }
      : { buyer: other, seller: caller, artifact_id: null, method, price };
  }
}

/** All trades that `trades.by_kind` counts. */
export const TRADES = tableOf(
  "trades",
  "a completed trade; gifts are not trades",
  TRADE_COLUMNS,
  () => {
    const finder = new TradeFinder();
    return { rowsOf: (step) => finder.rowsOf(step) };
  },
);

/** All payments that `money.payments` and `money.turnover` count. */
export const PAYMENTS = eventTable(
  "payments",
  "scrip that one principal paid another ([what a payment is](report.md#the-figures))",
  {
    payer: text("who paid, such as an agent or a program with an account"),
    payee: text("who was paid"),
    amount: integer("what was paid", "scrip"),
    source: text("the source of the payee's income, such as `services`"),
    reason: text("the reason in the event, such as `price`"),
    artifact_id: orNull(text("the artifact that was paid for, if the event names one")),
  },
  (event, { state }) => {
    if (event.kind !== "scrip_transferred" && event.kind !== "hold_spent") return null;
    const payment = paymentIn(event, () => payerOf(event, state));
    if (payment === null) return null;
    const { from: payer, to: payee, amount } = payment;
    const { reason, artifact_id = null } = event;
    return { payer, payee, amount, source: flowKindOf(event), reason, artifact_id };
  },
);

export const COMPUTE_SALES = eventTable(
  "compute_sales",
  "a sale of model budget by the world",
  {
    sale: integer("number of the sale, from 0"),
    price: orNull(integer("price of a lot; null if the supply was divided", "scrip")),
    lots_offered: integer("lots offered", "lots"),
    lots_asked: integer("lots that buyers asked for", "lots"),
    lots_sold: integer("lots sold", "lots"),
  },
  (event) => {
    if (event.kind !== "compute_sold") return null;
    const { offered: lots_offered, asked: lots_asked, sold: lots_sold } = event;
    return { ...event, lots_offered, lots_asked, lots_sold };
  },
);

export const COMPUTE_ISSUED = eventTable(
  "compute_issued",
  "model budget that the world sold or gave to one principal",
  {
    principal: text("who received the model budget"),
    how: text("`bought`, or `granted` if the supply was divided"),
    lots: integer("lots bought; 0 for a grant", "lots"),
    price: integer("price of a lot; 0 for a grant", "scrip"),
    paid: integer("lots × price", "scrip"),
    budget_micros: integer("model budget received", "micro-dollars"),
  },
  (event) => {
    if (event.kind === "compute_bought") {
      const { buyer: principal, lots, price, micros: budget_micros } = event;
      return { principal, how: "bought", lots, price, paid: lots * price, budget_micros };
    }
    if (event.kind !== "compute_granted") return null;
    const { to: principal, micros: budget_micros } = event;
    return { principal, how: "granted", lots: 0, price: 0, paid: 0, budget_micros };
  },
);

export const AUCTIONS = eventTable(
  "auctions",
  "an auction of the mint that ended",
  {
    auction: integer("number of the auction, from 0"),
    price: integer("the price that each winner pays", "scrip"),
    bids: integer("bids at the close, also void ones", "bids"),
    won: integer("bids that won", "bids"),
    void: integer("bids on artifacts that were changed or deleted", "bids"),
  },
  (event) => {
    if (event.kind !== "auction_resolved") return null;
    const { auction, price, won, lost, void: voided } = event;
    const bids = won.length + lost.length + voided.length;
    return { auction, price, bids, won: won.length, void: voided.length };
  },
);

const BID_COLUMNS = {
  ...EVENT_COLUMNS,
  submission: text("id of the bid"),
  auction: integer("number of the auction"),
  artifact_id: text("the program that was bid"),
  bidder: text("who bid"),
  amount: integer("the bid", "scrip"),
  outcome: text(
    "`won`, `lost`, `void` (the program was changed or deleted), `cancelled`, or `open` at the end",
  ),
  price: orNull(integer("what the winner paid; null if the bid did not win", "scrip")),
  score: orNull(integer("score of the program, 0 to 100; null without a score")),
  minted: orNull(integer("the scrip minted for the score", "scrip")),
  reason: orNull(text("reason of the score, or why there is no score")),
};

type BidRow = RowOf<typeof BID_COLUMNS>;

/** Bids whose end is not known yet. A bid is a row when it has ended. */
class BidBook {
  readonly #open = new Map<string, BidRow>();

  rowsOf(step: ExportStep): readonly BidRow[] {
    const { event } = step;
    switch (event?.kind) {
      case "bid_placed":
        this.#open.set(event.submission, bidRow(step, event));
        return [];
      case "bid_cancelled":
        return this.#close(event.submission, { outcome: "cancelled" });
      case "auction_resolved":
        return this.#resolve(event);
      case "artifact_scored": {
        const { submission, score, minted, reason } = event;
        return this.#close(submission, { score, minted, reason });
      }
      case "scoring_failed":
        return this.#close(event.submission, { price: 0, reason: event.reason });
      default:
        return [];
    }
  }

  left(): readonly BidRow[] {
    return [...this.#open.values()];
  }

  #resolve({ price, won, lost, void: voided }: EventOf<"auction_resolved">): readonly BidRow[] {
    for (const id of won) {
      const bid = this.#open.get(id);
      if (bid !== undefined) this.#open.set(id, { ...bid, outcome: "won", price });
    }
    return [
      ...lost.flatMap((id) => this.#close(id, { outcome: "lost" })),
      ...voided.flatMap((id) => this.#close(id, { outcome: "void" })),
    ];
  }

  #close(submission: string, change: Partial<BidRow>): readonly BidRow[] {
    const bid = this.#open.get(submission);
    this.#open.delete(submission);
    return bid === undefined ? [] : [{ ...bid, ...change }];
  }
}

const bidRow = (step: ExportStep, event: EventOf<"bid_placed">): BidRow => {
  const { submission, auction, artifact_id, bidder, amount } = event;
  const unknown = { outcome: "open", price: null, score: null, minted: null, reason: null };
  return { ...placeOf(step), submission, auction, artifact_id, bidder, amount, ...unknown };
};

export const AUCTION_BIDS = tableOf(
  "auction_bids",
  "a bid at the mint since counting started, in the order in which bids ended",
  BID_COLUMNS,
  () => {
    const book = new BidBook();
    return { rowsOf: (step) => book.rowsOf(step), end: () => book.left() };
  },
);
