import type { UserMind } from "catallaxy";

/**
 * Gives 1 scrip to a random other agent at random times. The times between two gifts of an agent
 * are exponential with a mean of 1 s, so that each next giver is a random agent (a Poisson process).
 * `keeps` is what it never gives away: 0, or the mean in the arm of the scripted givers.
 */
const mind: UserMind = {
  decide({ view, memory, settings, random }) {
    const sleep = { for_s: -Math.log(1 - random()) };
    const isFirst = memory === null;
    if (isFirst || view.account.scrip <= Number(settings.keeps)) {
      return { action: { noop: {} }, memory: true, sleep };
    }
    const transfer = { artifact_id: "genesis_ledger", method: "transfer", args: [other(), 1] };
    return { action: { invoke_artifact: transfer }, sleep };

    function other(): string {
      const agents = Number(settings.agents);
      const width = String(agents).length;
      const idOf = (n: number): string => `giver_${String(n).padStart(width, "0")}`;
      const n = 1 + Math.floor(random() * (agents - 1));
      return idOf(n) < view.id ? idOf(n) : idOf(n + 1);
    }
  },
};

export default mind;
