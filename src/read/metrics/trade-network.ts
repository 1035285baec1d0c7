import type { Event } from "../../kernel/index.ts";
import { paymentIn } from "../../run/index.ts";
import { components, density, reciprocity } from "./statistics.ts";

type TradeEdge = Flow & { readonly from: string; readonly to: string };

/** The graph of payments. The nodes are all agents, and other principals with payments. */
export type TradeNetwork = ReturnType<TradeGraph["network"]>;

const EDGES_MAX = 2_000;

type Payment = { readonly from: string; readonly to: string; readonly amount: number };

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

  add({ from, to, amount }: Payment): void {
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
      edges: edges.slice(0, EDGES_MAX),
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
