import type { Event, EventOf } from "../../kernel/index.ts";
import {
  flowKindOf,
  INCOME_SOURCES,
  type IncomeSource,
  isBroker,
  isIncome,
  paymentIn,
} from "../../run/index.ts";
import { components, density, reciprocity, sumOf } from "./statistics.ts";

export type Income = { readonly [S in IncomeSource]: number };

export const NO_INCOME: Income = {
  services: 0,
  reads: 0,
  fees: 0,
  mint: 0,
  proceeds: 0,
  tasks: 0,
  sales: 0,
  credit: 0,
  other: 0,
};

/** The income of each principal by source. Scrip given to a broker is negative income. */
export class IncomeCounter {
  readonly #incomes = new Map<string, Income>();

  count(event: Event): void {
    if (!isReceipt(event)) return;
    const source = flowKindOf(event);
    if (event.to === null || !isIncome(source)) return;
    this.#add(event.to, source, event.amount);
    if (event.kind === "scrip_transferred" && isBroker(event.to)) {
      this.#add(event.from, source, -event.amount);
    }
  }

  ids(): Iterable<string> {
    return this.#incomes.keys();
  }

  of(id: string): Income {
    const { sales, credit, ...others } = this.#incomes.get(id) ?? NO_INCOME;
    return { ...others, sales: Math.max(0, sales), credit: Math.max(0, credit) };
  }

  #add(id: string, source: IncomeSource, amount: number): void {
    const before = this.#incomes.get(id) ?? NO_INCOME;
    this.#incomes.set(id, { ...before, [source]: before[source] + amount });
  }
}

const RECEIPTS = ["scrip_transferred", "hold_spent", "scrip_minted", "proceeds_shared"] as const;

const isReceipt = (event: Event): event is EventOf<(typeof RECEIPTS)[number]> =>
  RECEIPTS.some((kind) => kind === event.kind);

export const earnedIn = (income: Income): number =>
  sumOf(INCOME_SOURCES.map((source) => income[source]));

/** The income from sales of calls, reads, access and artifacts. */
export const revenueIn = ({ services, reads, fees, sales }: Income): number =>
  services + reads + fees + sales;

export const incomeOfAll = (incomes: readonly Income[]): Income => {
  const sum: { [S in IncomeSource]: number } = { ...NO_INCOME };
  for (const income of incomes) for (const source of INCOME_SOURCES) sum[source] += income[source];
  return sum;
};

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
      .sort((a, b) => b.revenue - a.revenue || (soldName(a) < soldName(b) ? -1 : 1));
  }
}

const soldName = ({ artifact, seller }: ServiceMetrics): string => `${artifact} ${seller}`;

/** Programs sorted by revenue from the calls of all their sellers, largest first. */
export const bestSellers = (services: readonly ServiceMetrics[]) =>
  [...Map.groupBy(services, ({ artifact }) => artifact)]
    .map(([artifact, rows]) => ({
      artifact,
      sales: sumOf(rows.map(({ sales }) => sales)),
      revenue: sumOf(rows.map(({ revenue }) => revenue)),
    }))
    .sort((a, b) => b.revenue - a.revenue || (a.artifact < b.artifact ? -1 : 1));

type TradeEdge = Flow & { readonly from: string; readonly to: string };

/** The graph of payments. The nodes are all agents, and other principals with payments. */
export type TradeNetwork = ReturnType<TradeGraph["network"]>;

type Flow = { readonly payments: number; readonly amount: number };

export class TradeGraph {
  readonly #flows = new Map<string, Map<string, Flow>>();

  #payments = 0;
  #turnover = 0;

  /** `ownerOf` returns the principal that owned a hold before the event. */
  count(event: Event, ownerOf: (hold: string) => string | null): void {
    const payment = paymentIn(event, ownerOf);
    if (payment !== null) this.add(payment);
  }

  add({ from, to, amount }: Pick<TradeEdge, "from" | "to" | "amount">): void {
    this.#payments += 1;
    this.#turnover += amount;
    const targets = this.#flows.get(from) ?? new Map<string, Flow>();
    const { payments, amount: sum } = targets.get(to) ?? { payments: 0, amount: 0 };
    this.#flows.set(from, targets.set(to, { payments: payments + 1, amount: sum + amount }));
  }

  get payments(): number {
    return this.#payments;
  }

  get turnover(): number {
    return this.#turnover;
  }

  paidBy(id: string): number {
    let sum = 0;
    for (const { amount } of this.#flows.get(id)?.values() ?? []) sum += amount;
    return sum;
  }

  network(agents: readonly string[]) {
    const edges = this.#edges();
    const nodes = nodesOf(agents, edges);
    const parts = components(
      nodes.map(({ id }) => id),
      this.#flows,
    );
    return {
      nodes,
      /** The edges with the largest amounts, largest first. The other figures cover all edges. */
      edges: edges.slice(0, 2_000),
      edge_count: edges.length,
      density: density(nodes.length, edges.length),
      reciprocity: reciprocity(this.#flows),
      /** The number of connected components, and the size of the largest component. */
      components: parts.length,
      largest_component: parts[0] ?? 0,
    };
  }

  #edges(): readonly TradeEdge[] {
    const edges = [...this.#flows].flatMap(([from, targets]) =>
      [...targets].map(([to, flow]) => ({ from, to, ...flow })),
    );
    return edges.sort((a, b) => b.amount - a.amount || (nameOf(a) < nameOf(b) ? -1 : 1));
  }
}

const nameOf = ({ from, to }: TradeEdge): string => `${from} ${to}`;

const nodesOf = (agents: readonly string[], edges: readonly TradeEdge[]) => {
  const isAgent = new Set(agents);
  const ids = new Set([...agents, ...edges.flatMap(({ from, to }) => [from, to]).sort()]);
  const sums = new Map<string, { paid: number; received: number; partners: Set<string> }>();
  for (const id of ids) sums.set(id, { paid: 0, received: 0, partners: new Set() });
  for (const { from, to, amount } of edges) {
    const [payer, payee] = [sums.get(from), sums.get(to)];
    if (payer === undefined || payee === undefined) continue;
    payer.paid += amount;
    payer.partners.add(to);
    payee.received += amount;
    payee.partners.add(from);
  }
  return [...sums].map(([id, { paid, received, partners }]) => {
    return { id, agent: isAgent.has(id), paid, received, partners: partners.size };
  });
};
