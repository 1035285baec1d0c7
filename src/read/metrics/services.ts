import type { Event } from "../../kernel/index.ts";
import { sumOf } from "./statistics.ts";

/** The paid calls of one program while one principal owned it. The owner is the seller. */
type ServiceMetrics = {
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
type BestSeller = Pick<ServiceMetrics, "artifact" | "sales" | "revenue">;

/** Programs sorted by revenue from calls, largest first. */
export const bestSellers = (services: readonly ServiceMetrics[]): readonly BestSeller[] =>
  [...Map.groupBy(services, ({ artifact }) => artifact)]
    .map(([artifact, rows]) => ({
      artifact,
      sales: sumOf(rows.map(({ sales }) => sales)),
      revenue: sumOf(rows.map(({ revenue }) => revenue)),
    }))
    .sort((a, b) => b.revenue - a.revenue || (a.artifact < b.artifact ? -1 : 1));
