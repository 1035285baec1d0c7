import { components, density, reciprocity } from "./directed-graph.ts";
import type { Payment } from "./payment.ts";

export type TradeNode = {
  readonly id: string;
  readonly agent: boolean;
  readonly paid: number;
  readonly received: number;
  /** How many it paid or was paid by. */
  readonly partners: number;
};

export type TradeEdge = {
  readonly from: string;
  readonly to: string;
  readonly payments: number;
  readonly amount: number;
};

/** Who paid whom. Its nodes are all agents, and whoever else paid or was paid. */
export type TradeNetwork = {
  readonly nodes: readonly TradeNode[];
  /** The greatest amounts first, no more than `EDGES_MAX`; the figures are of all. */
  readonly edges: readonly TradeEdge[];
  readonly edge_count: number;
  readonly density: number;
  readonly reciprocity: number;
  /** Parts between which nobody paid anybody. */
  readonly components: number;
  /** How many nodes the largest part has. */
  readonly largest_component: number;
};

export const EDGES_MAX = 2_000;

type Flow = { readonly payments: number; readonly amount: number };

/** Gathers payments into a network. */
export class TradeGraph {
  readonly #flows = new Map<string, Map<string, Flow>>();

  count({ from, to, amount }: Payment): void {
    let targets = this.#flows.get(from);
    if (targets === undefined) {
      targets = new Map();
      this.#flows.set(from, targets);
    }
    const { payments, amount: sum } = targets.get(to) ?? { payments: 0, amount: 0 };
    targets.set(to, { payments: payments + 1, amount: sum + amount });
  }

  /** What somebody paid to all others. */
  paidBy(id: string): number {
    let sum = 0;
    for (const { amount } of this.#flows.get(id)?.values() ?? []) sum += amount;
    return sum;
  }

  network(agents: readonly string[]): TradeNetwork {
    const edges = this.#edges();
    const nodes = nodesOf(agents, edges);
    const parts = components(
      nodes.map(({ id }) => id),
      this.#flows,
    );
    return {
      nodes,
      edges: edges.slice(0, EDGES_MAX),
      edge_count: edges.length,
      density: density(nodes.length, edges.length),
      reciprocity: reciprocity(this.#flows),
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

const nodesOf = (agents: readonly string[], edges: readonly TradeEdge[]): readonly TradeNode[] => {
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
