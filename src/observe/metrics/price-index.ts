import type { Event } from "../../kernel/index.ts";
import type { ServiceMetrics } from "./run-metrics.ts";

type Service = Omit<ServiceMetrics, "artifact" | "customers"> & {
  readonly customers: Set<string>;
};

/**
 * What programs were sold for. The price index is Divisia's (1925), chained sale by sale: where a
 * program is sold at another price than the last time, the logarithm of the index moves by that of
 * the ratio of the two prices, weighted with the share that the program has in all that was spent
 * on programs up to and with this sale. It begins at 1, no choice of a period enters into it, and a
 * program that is new moves nothing.
 */
export class PriceIndex {
  readonly #services = new Map<string, Service>();
  #spent = 0;
  #logarithm = 0;

  /** The price, where the event is a sale of a program. */
  count(event: Event): number | null {
    if (event.kind !== "artifact_invoked" || event.paid_to === null || event.price === 0) {
      return null;
    }
    const { artifact_id: id, price, paid_to: seller, principal } = event;
    const before = this.#services.get(id);
    const customers = before?.customers ?? new Set();
    if (principal !== null) customers.add(principal);
    const revenue = (before?.revenue ?? 0) + price;
    this.#spent += price;
    const last = before?.last_price ?? price;
    this.#logarithm += (revenue / this.#spent) * Math.log(price / last);
    this.#services.set(id, {
      seller,
      sales: (before?.sales ?? 0) + 1,
      revenue,
      customers,
      first_price: before?.first_price ?? price,
      last_price: price,
    });
    return price;
  }

  get value(): number {
    return Math.exp(this.#logarithm);
  }

  /** The greatest revenue first. */
  services(): readonly ServiceMetrics[] {
    return [...this.#services]
      .map(([artifact, service]) => ({
        artifact,
        ...service,
        customers: service.customers.size,
      }))
      .sort((a, b) => b.revenue - a.revenue || (a.artifact < b.artifact ? -1 : 1));
  }
}
