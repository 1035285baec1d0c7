import type { Difference } from "./comparison.ts";

/** The figures of a comparison in plain words, with their units; what is not here names itself. */
const LABELS: { readonly [figure: string]: string } = {
  duration_s: "run time (s)",
  actions: "actions",
  refused: "actions refused",
  thoughts: "thoughts",
  cost_usd: "owed to providers (USD)",
  scrip_total: "scrip there is",
  scrip_minted: "scrip minted",
  scrip_burned: "scrip burned",
  gini: "Gini of the agents' wealth (0 to 1)",
  trades: "trades",
  invocations_paid: "paid calls",
  artifacts: "artifacts",
  principals: "principals",
  spawned: "agents spawned",
  freezes: "times an agent froze",
  rescues: "times one was rescued",
  bankruptcies: "agents gone bankrupt",
  alarms: "alarms that rang",
};

export const figureLabel = (name: string): string => LABELS[name] ?? name;

/** What the columns are called that say by how much each further run differs from the first. */
export const differenceHeads = (runs: readonly string[]): readonly string[] =>
  runs.length === 2 ? ["difference"] : runs.slice(1).map((run) => `${run} differs by`);

/** By how much the value of a run is more or less than that of the first; null where it is none. */
export const differencesIn = ({
  values: [first, ...others],
}: Difference<number | string>): readonly (number | null)[] =>
  others.map((other) =>
    typeof first === "number" && typeof other === "number" ? rounded(other - first) : null,
  );

/** Sums of decimals have digits at their end that mean nothing. */
const rounded = (difference: number): number => Math.round(difference * 1e6) / 1e6;

export const signedText = (difference: number | null): string =>
  difference === null ? "-" : difference > 0 ? `+${difference}` : String(difference);
