import type { Event, EventOf } from "../../kernel/index.ts";
import {
  EVENT_COLUMNS,
  type ExportStep,
  type ExportTable,
  integer,
  orNull,
  placeOf,
  type RowOf,
  text,
} from "./export-table.ts";

const SALE_COLUMNS = {
  ...EVENT_COLUMNS,
  sale: integer("number of the sale, from 0"),
  price: orNull(integer("price of a lot; null if the supply was divided", "scrip")),
  lots_offered: integer("lots offered", "lots"),
  lots_asked: integer("lots that buyers asked for", "lots"),
  lots_sold: integer("lots sold", "lots"),
};

export const COMPUTE_SALES: ExportTable<typeof SALE_COLUMNS> = {
  name: "compute_sales",
  says: "a sale of model budget by the world",
  columns: SALE_COLUMNS,
  open: () => ({
    rowsOf: (step) => {
      if (step.event?.kind !== "compute_sold") return [];
      const { sale, price, offered, asked, sold } = step.event;
      const lots = { lots_offered: offered, lots_asked: asked, lots_sold: sold };
      return [{ ...placeOf(step), sale, price, ...lots }];
    },
  }),
};

const SUPPLY_COLUMNS = {
  ...EVENT_COLUMNS,
  principal: text("who received the model budget"),
  how: text("`bought`, or `granted` if the supply was divided"),
  lots: integer("lots bought; 0 for a grant", "lots"),
  price: integer("price of a lot; 0 for a grant", "scrip"),
  paid: integer("lots × price", "scrip"),
  budget_micros: integer("model budget received", "micro-dollars"),
};

export const COMPUTE_ISSUED: ExportTable<typeof SUPPLY_COLUMNS> = {
  name: "compute_issued",
  says: "model budget that the world sold or gave to one principal",
  columns: SUPPLY_COLUMNS,
  open: () => ({
    rowsOf: (step) => {
      const issued = step.event === null ? null : issuedIn(step.event);
      return issued === null ? [] : [{ ...placeOf(step), ...issued }];
    },
  }),
};

const issuedIn = (event: Event) => {
  if (event.kind === "compute_bought") {
    const { buyer: principal, lots, price, micros: budget_micros } = event;
    return { principal, how: "bought", lots, price, paid: lots * price, budget_micros };
  }
  if (event.kind !== "compute_granted") return null;
  const { to: principal, micros: budget_micros } = event;
  return { principal, how: "granted", lots: 0, price: 0, paid: 0, budget_micros };
};

const AUCTION_COLUMNS = {
  ...EVENT_COLUMNS,
  auction: integer("number of the auction, from 0"),
  price: integer("the price that each winner pays", "scrip"),
  bids: integer("bids at the close, also void ones", "bids"),
  won: integer("bids that won", "bids"),
  void: integer("bids on artifacts that were changed or deleted", "bids"),
};

export const AUCTIONS: ExportTable<typeof AUCTION_COLUMNS> = {
  name: "auctions",
  says: "an auction of the mint that ended",
  columns: AUCTION_COLUMNS,
  open: () => ({
    rowsOf: (step) => {
      if (step.event?.kind !== "auction_resolved") return [];
      const { auction, price, won, lost, void: voided } = step.event;
      const bids = won.length + lost.length + voided.length;
      const counts = { bids, won: won.length, void: voided.length };
      return [{ ...placeOf(step), auction, price, ...counts }];
    },
  }),
};

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

export const AUCTION_BIDS: ExportTable<typeof BID_COLUMNS> = {
  name: "auction_bids",
  says: "a bid at the mint since counting started, in the order in which bids ended",
  columns: BID_COLUMNS,
  open: () => {
    const book = new BidBook();
    return { rowsOf: (step) => book.rowsOf(step), end: () => book.left() };
  },
};
