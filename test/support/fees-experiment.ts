import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jsonOf } from "./sim.ts";

/** A small experiment with two arms and two seeds, and a measure of its own in `actions.ts`. */
export const FEES = `name: fees
question: Do higher fees make agents richer?
base:
  duration: 10s
  only: [ada, boole]
seeds: 1..2
arms:
  low: { set: { mint.minimum_bid: 5 } }
  high: { set: { mint.minimum_bid: 5, scrip.starting_amount: 500 }, label: rich }
measures:
  - gini
  - wealth.total
  - { name: early, figure: actions, between: [0s, 5s] }
  - { name: ada, figure: wealth, agent: ada }
  - { name: actions, file: ./actions.ts, unit: count }
`;

export const ACTIONS = `export default ({ metrics, events }) => {
  const kinds = [...events()].filter(({ event }) => event.kind === "action_executed");
  return metrics.work.actions + 0 * kinds.length;
};
`;

export type FeesResult = {
  readonly runs: readonly { readonly id: string; readonly [key: string]: unknown }[];
  readonly [key: string]: unknown;
};

/** Makes the experiment from `fees.yaml` in this folder, and returns what the command prints. */
export const makeFees = (folder: string): FeesResult => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "fees.yaml"), FEES);
  writeFileSync(join(folder, "actions.ts"), ACTIONS);
  return jsonOf(folder, "experiment", "fees.yaml");
};
