import type { LorenzPoint, TradeNetwork } from "../../../read/index.ts";

/** What charts without state show, on the screen and in files. */

export type BarRow = {
  readonly label: string;
  readonly href?: string;
  /** One non-negative value for each part. */
  readonly values: readonly number[];
};

export type BarSpec = {
  readonly title: string;
  readonly note: string;
  readonly unit: string;
  /** The names of the parts of a bar. A chart with a single part has no legend. */
  readonly parts: readonly string[];
  readonly rows: readonly BarRow[];
};

export type LorenzSpec = {
  readonly title: string;
  readonly note: string;
  readonly points: readonly LorenzPoint[];
  readonly gini: number;
};

export type NetworkSpec = {
  readonly title: string;
  readonly note: string;
  readonly network: Pick<TradeNetwork, "nodes" | "edges" | "edge_count">;
  /** The part of the run with the payments. Example: `from 2:00.0 to 2:30.0`. Default: all. */
  readonly when?: string | undefined;
  readonly pick?: ((id: string) => void) | undefined;
  /** The principal that a person has searched for. */
  readonly found?: string | null;
};

/** The note of a network, after a sentence that says which payments it shows. */
export const withPayments = ({ when }: Pick<NetworkSpec, "when">, note: string): string =>
  when === undefined ? note : `Payments ${when}. ${note}`;
