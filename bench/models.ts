/**
 * Agents on a mock model of one second latency, one of which is never answered.
 */
import type { Figure } from "./figure.ts";
import { modelAgents } from "./model-agents.ts";

const LATENCY_MS = 1_000;
/** The pause of an agent between thoughts. */
const REST_MS = 100;
const RUN_S = 40;
/**
 * Not measured before this time: agents start at once and wait for each other in step, until their
 * waits have spread them over the time of a thought.
 */
const WARM_UP_S = 12;

/** The number of agents, and the share of the latency-bound rate that they must reach. */
const CROWDS = [
  { agents: 1_000, shareBar: 0.9 },
  { agents: 2_000, shareBar: 0.95 },
] as const;
const KB_EACH_BAR = 100;

export const figures = async (): Promise<readonly Figure[]> => {
  const measured: Figure[] = [];
  for (const crowd of CROWDS) measured.push(...(await figuresOf(crowd)));
  return measured;
};

const figuresOf = async ({
  agents,
  shareBar,
}: (typeof CROWDS)[number]): Promise<readonly Figure[]> => {
  const about = { agents, latencyMs: LATENCY_MS, runS: RUN_S, warmUpS: WARM_UP_S };
  const cost = await modelAgents(about);
  const idealPerS = ((agents - 1) * 1_000) / (LATENCY_MS + REST_MS);
  return [
    {
      name: `thoughts of ${agents}`,
      value: cost.thoughtsPerS,
      unit: "1/s",
      bar: shareBar * idealPerS,
      limit: { name: "what the latency allows", value: idealPerS },
    },
    {
      name: `main thread for a thought of ${agents}`,
      value: cost.mainMicros,
      unit: "us",
      bar: null,
      limit: { name: "all threads", value: cost.allMicros },
    },
    {
      name: `memory of each of ${agents} that is alive`,
      value: cost.liveKbEach,
      unit: "kB",
      bar: KB_EACH_BAR,
      limit: null,
    },
    {
      name: `the same of ${agents}, with the garbage that waits`,
      value: cost.rssKbEach,
      unit: "kB",
      bar: null,
      limit: null,
    },
  ];
};
