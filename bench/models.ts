/**
 * Agents on a mock model of one second latency, one of which is never answered. Run:
 * `node --expose-gc bench/models.ts [agents]...`.
 */
import type { Figure } from "./figure.ts";
import { shownFigures } from "./figure-line.ts";
import { modelAgents } from "./model-agents.ts";

const LATENCY_MS = 1_000;
/** How long agents rest between thoughts. */
const REST_MS = 100;
const RUN_S = 40;
/**
 * Until then it is not counted: all begin at once and go in step, so that everybody waits for
 * everybody, until their waits have spread them over the time that a thought takes.
 */
const WARM_UP_S = 12;

export const figures = async (agents = 2_000): Promise<readonly Figure[]> => {
  const about = { agents, latencyMs: LATENCY_MS, runS: RUN_S, warmUpS: WARM_UP_S };
  const cost = await modelAgents(about);
  const idealPerS = ((agents - 1) * 1_000) / (LATENCY_MS + REST_MS);
  const who = `${agents} agents at once`;
  return [
    {
      name: `${who}: share of the rate that the latency of ${LATENCY_MS} ms allows`,
      value: (100 * cost.thoughtsPerS) / idealPerS,
      unit: "%",
      bar: 95,
      limit: { name: "thoughts a second that it allows", value: idealPerS },
    },
    { name: `${who}: thoughts`, value: cost.thoughtsPerS, unit: "1/s", bar: null, limit: null },
    {
      name: `${who}: main thread for a thought`,
      value: cost.mainMicros,
      unit: "us",
      bar: null,
      limit: { name: "all threads", value: cost.allMicros },
    },
    {
      name: `${who}: memory of each, what is alive`,
      value: cost.liveKbEach,
      unit: "kB",
      bar: 100,
      limit: { name: "with the garbage that waits", value: cost.rssKbEach },
    },
  ];
};

if (import.meta.main) {
  const counts = process.argv.slice(2).map(Number);
  for (const agents of counts.length === 0 ? [100, 1_000] : counts) {
    console.log(shownFigures(await figures(agents)));
  }
}
