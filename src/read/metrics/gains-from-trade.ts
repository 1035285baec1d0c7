import type { PrivateValues } from "../../kernel/index.ts";
import { sumOf } from "./statistics.ts";

/** A change of an artifact's owner. The price is 0 for a gift. */
export type Sale = {
  readonly at_ms: number;
  readonly seller: string;
  readonly buyer: string;
  readonly price: number;
};

/** An artifact, its first owner, and its owner now. `owner` is null if it was deleted. */
export type Good = { readonly maker: string; owner: string | null; readonly sales: Sale[] };

/** What an agent gains from one artifact. `value` is null if the agent states no value for it. */
type AgentGain = { readonly agent: string; readonly value: number | null; readonly gain: number };

type Surplus = {
  readonly realised: number;
  readonly possible: number;
  /** Null if no gain is possible. */
  readonly efficiency: number | null;
};

/** The gains from trade in one artifact. `maker` and `owner` are null if it does not exist. */
export type ArtifactGains = Surplus & {
  readonly artifact: string;
  readonly maker: string | null;
  readonly owner: string | null;
  /** The price of the last sale, or null without a sale. */
  readonly price: number | null;
  readonly sales: readonly Sale[];
  readonly gains: readonly AgentGain[];
};

/** In whole scrip. Only the artifacts that an agent values are listed, by id. */
export type GainsFromTrade = Surplus & { readonly artifacts: readonly ArtifactGains[] };

/**
 * Computes the gains from trade in artifacts with induced values (Smith, "Experimental Economics:
 * Induced Value Theory", 1976). The efficiency is the realised surplus as a share of the possible
 * surplus (Plott and Smith, "An Experimental Examination of Two Exchange Institutions", 1978).
 */
export const gainsFromTrade = (
  goods: ReadonlyMap<string, Good>,
  values: ReadonlyMap<string, PrivateValues>,
): GainsFromTrade => {
  const valued = new Map<string, Map<string, number>>();
  for (const [agent, own] of values) {
    for (const [artifact, value] of Object.entries(own)) {
      const known = valued.get(artifact) ?? new Map<string, number>();
      valued.set(artifact, known.set(agent, value));
    }
  }
  const artifacts = [...valued]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([artifact, worth]) => gainsIn({ artifact, worth, agents: values }, goods.get(artifact)));
  return { artifacts, ...surplusOf(artifacts) };
};

type Valued = {
  readonly artifact: string;
  /** The value of the artifact to each agent that states one. */
  readonly worth: ReadonlyMap<string, number>;
  /** All agents. */
  readonly agents: ReadonlyMap<string, unknown>;
};

const surplusOf = (
  parts: readonly { readonly realised: number; readonly possible: number }[],
): Surplus => {
  const realised = sumOf(parts.map((part) => part.realised));
  const possible = sumOf(parts.map((part) => part.possible));
  return { realised, possible, efficiency: possible === 0 ? null : realised / possible };
};

/**
 * The realised surplus is the value to the owner at the end minus the value to the maker; prices
 * only divide it. The possible surplus is the highest value minus the value to the maker. Without
 * a maker, the agent that values the artifact least counts as the maker, and nothing is realised.
 */
const gainsIn = ({ artifact, worth, agents }: Valued, good: Good | undefined): ArtifactGains => {
  const { maker = null, owner = null, sales = [] } = good ?? {};
  const valueTo = (id: string | null): number => (id === null ? 0 : (worth.get(id) ?? 0));
  const all = [...worth.values()];
  const cost = maker === null ? Math.min(...all) : valueTo(maker);
  const realised = maker === null ? 0 : valueTo(owner) - cost;
  const traders = sales.flatMap(({ seller, buyer }) => [seller, buyer]);
  const parties = new Set([...worth.keys(), ...traders.filter((id) => agents.has(id))]);
  return {
    artifact,
    maker,
    owner,
    price: sales.at(-1)?.price ?? null,
    sales: [...sales],
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
export const gainsText = ({ gains }: Pick<ArtifactGains, "gains">): string =>
  gains.map(({ agent, gain }) => `${agent} ${gain}`).join(", ");
