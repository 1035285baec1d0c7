import type { Event } from "../../kernel/index.ts";
import type { Balances } from "./balances.ts";
import type { ServiceMetrics } from "./run-metrics.ts";

type Service = Omit<ServiceMetrics, "customers"> & { readonly payers: Set<string> };

/**
 * Who was paid for the calls of which program, from the payments themselves: a program that changes
 * hands has a row for each of its sellers. A customer is whoever's money it was, which may be a
 * program's that was called by somebody else.
 */
export class ServiceBook {
  readonly #services = new Map<string, Service>();

  /** `books` are as they were before the event. */
  count(event: Event, books: Balances): void {
    if (event.kind !== "scrip_transferred" && event.kind !== "hold_spent") return;
    const { to: seller, artifact_id: artifact, amount } = event;
    if (event.reason !== "price" || seller === null || artifact === undefined) return;
    const payer = event.kind === "hold_spent" ? books.ownerOf(event.hold) : event.from;
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

  /** The greatest revenue first. */
  services(): readonly ServiceMetrics[] {
    return [...this.#services.values()]
      .map(({ payers, first_price, last_price, ...sold }) => ({
        ...sold,
        customers: payers.size,
        first_price,
        last_price,
      }))
      .sort((a, b) => b.revenue - a.revenue || (nameOf(a) < nameOf(b) ? -1 : 1));
  }
}

const nameOf = ({ artifact, seller }: ServiceMetrics): string => `${artifact} ${seller}`;
