import type { Event } from "../../kernel/index.ts";
import { sumOf } from "./statistics.ts";

/** The paid calls of one program while one principal owned it. The owner is the seller. */
export type ServiceMetrics = {
  readonly artifact: string;
  readonly seller: string;
  readonly sales: number;
  readonly revenue: number;
  /** The number of principals whose scrip paid for the calls. */
  readonly customers: number;
  readonly first_price: number;
  readonly last_price: number;
};

type Service = Omit<ServiceMetrics, "customers"> & { readonly payers: Set<string> };

/** Paid calls by program and owner. A customer is a principal that paid, such as a program. */
export class ServiceCounter {
  readonly #services = new Map<string, Service>();

  /** `ownerOf` returns the principal that owned a hold before the event. */
  count(event: Event, ownerOf: (hold: string) => string | null): void {
    if (event.kind !== "scrip_transferred" && event.kind !== "hold_spent") return;
    const { to: seller, artifact_id: artifact, amount } = event;
    if (event.reason !== "price" || seller === null || artifact === undefined) return;
    const payer = event.kind === "hold_spent" ? ownerOf(event.hold) : event.from;
    const key = JSON.stringify([artifact, seller]);
    const before = this.#services.get(key);
    const payers = before?.payers ?? new Set();
    if (payer !== null) payers.add(payer);
    this.#services.set(key, {
      artifact,
      seller,
      sales: (before?.sales ?? 0) + 1,
      revenue: (before?.revenue ?? 0) + amount,
      payers,
      first_price: before?.first_price ?? amount,
      last_price: amount,
    });
  }

  services(): readonly ServiceMetrics[] {
    return [...this.#services.values()]
      .map(({ payers, first_price, last_price, ...sold }) => {
        return { ...sold, customers: payers.size, first_price, last_price };
      })
      .sort((a, b) => b.revenue - a.revenue || (nameOf(a) < nameOf(b) ? -1 : 1));
  }
}

const nameOf = ({ artifact, seller }: ServiceMetrics): string => `${artifact} ${seller}`;

/** The paid calls of one program, for all its sellers together. */
export type BestSeller = Pick<ServiceMetrics, "artifact" | "sales" | "revenue">;

/** Programs sorted by revenue from calls, largest first. */
export const bestSellers = (services: readonly ServiceMetrics[]): readonly BestSeller[] =>
  [...Map.groupBy(services, ({ artifact }) => artifact)]
    .map(([artifact, rows]) => ({
      artifact,
      sales: sumOf(rows.map(({ sales }) => sales)),
      revenue: sumOf(rows.map(({ revenue }) => revenue)),
    }))
    .sort((a, b) => b.revenue - a.revenue || (a.artifact < b.artifact ? -1 : 1));

/** How the sales of one program moved the price index. */
export type PriceMover = {
  readonly artifact: string;
  /** The index is the product of the factors of all programs. */
  readonly factor: number;
  readonly first_price: number;
  readonly last_price: number;
  readonly sales: number;
};

/** The most programs of each direction. */
const PRICE_MOVERS_MAX = 5;

type Sold = Omit<PriceMover, "artifact" | "factor"> & {
  readonly revenue: number;
  /** The logarithm of the factor. */
  readonly moved: number;
};

/**
 * The price level of programs, as a Divisia index (1925). The index starts at 1 and needs no choice
 * of period. Each sale adds log(new price / last price) to the log of the index, multiplied by the
 * program's share of all spending on programs so far, including this sale. The first sale of a
 * program does not change the index.
 */
export class PriceIndex {
  readonly #sold = new Map<string, Sold>();
  #sales = 0;
  #spent = 0;
  #logarithm = 0;

  count(event: Event): void {
    if (event.kind !== "artifact_invoked" || event.paid_to === null || event.price === 0) return;
    const { artifact_id: id, price } = event;
    const before = this.#sold.get(id);
    const revenue = (before?.revenue ?? 0) + price;
    this.#sales += 1;
    this.#spent += price;
    const change = (revenue / this.#spent) * Math.log(price / (before?.last_price ?? price));
    this.#logarithm += change;
    this.#sold.set(id, {
      revenue,
      moved: (before?.moved ?? 0) + change,
      first_price: before?.first_price ?? price,
      last_price: price,
      sales: (before?.sales ?? 0) + 1,
    });
  }

  /** The programs that raised the index most, then those that lowered it most. */
  movers(): readonly PriceMover[] {
    const sorted = [...this.#sold].sort(([, a], [, b]) => b.moved - a.moved);
    const rising = sorted.filter(([, { moved }]) => moved > 0).slice(0, PRICE_MOVERS_MAX);
    const falling = sorted.filter(([, { moved }]) => moved < 0).slice(-PRICE_MOVERS_MAX);
    return [...rising, ...falling.toReversed()].map(
      ([artifact, { moved, first_price, last_price, sales }]) => {
        return { artifact, factor: Math.exp(moved), first_price, last_price, sales };
      },
    );
  }

  get sales(): number {
    return this.#sales;
  }

  get spent(): number {
    return this.#spent;
  }

  get value(): number {
    return Math.exp(this.#logarithm);
  }
}
