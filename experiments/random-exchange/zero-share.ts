import type { MeasuredRun } from "catallaxy";

/** The share of agents without scrip at the end of the run. */
export default ({ metrics }: MeasuredRun): number => {
  const agents = metrics.principals.filter(({ agent }) => agent);
  return agents.filter(({ wealth }) => wealth === 0).length / agents.length;
};
