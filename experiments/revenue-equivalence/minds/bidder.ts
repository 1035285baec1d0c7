import type { UserMind } from "catallaxy";
import {
  BIDDING_MS,
  call,
  type Kind,
  lotAt,
  OPENING_MS,
  SETTLING_MS,
  sleepUntil,
} from "./times.ts";

type Settings = {
  readonly kind: Kind;
  readonly strategy: "equilibrium" | "truthful" | "random";
  readonly house: string;
  /** The number of bidders in the house. */
  readonly bidders: number;
};

type Memory = {
  /** The private value of each lot. */
  readonly values: readonly number[];
  /** The lot that the rest is about. */
  readonly lot: number;
  readonly step: "start" | "bidding" | "waiting" | "over";
};

const LOTS = 24;
const VALUE_MAX = 1_000;
/** How long the leader of an English auction sleeps after a look. */
const LEADING_S = 3;

type Here = {
  readonly id: string;
  readonly now: number;
  readonly last: Last;
  readonly settings: Settings;
  readonly memory: Memory;
  /** The most that the bidder is willing to pay. */
  readonly limit: number;
};
type Last = Parameters<UserMind["decide"]>[0]["view"]["agent"]["last"];
type Decision = ReturnType<UserMind["decide"]>;

const drawn = (random: () => number): readonly number[] =>
  Array.from({ length: LOTS }, () => Math.floor(random() * (VALUE_MAX + 1)));

/** In equilibrium, a bidder who pays its own bid bids (n - 1) / n of its value (Vickrey, 1961). */
const limitOf = (value: number, { strategy, bidders }: Settings, random: () => number): number => {
  if (strategy === "truthful") return value;
  if (strategy === "random") return Math.ceil(random() * value);
  return Math.round((value * (bidders - 1)) / bidders);
};

const fieldsOf = (last: Last) => (last?.result ? JSON.parse(last.result) : {});

const wait = ({ now, memory }: Here, ms: number, step: Memory["step"]): Decision => ({
  action: { noop: {} },
  sleep: sleepUntil(now, memory.lot, ms),
  memory: { ...memory, step },
});

const settle = ({ now, settings, memory }: Here): Decision => ({
  action: { invoke_artifact: call(settings.house, "settle", [memory.lot + 1]) },
  sleep: sleepUntil(now, memory.lot + 1, BIDDING_MS),
  memory: { ...memory, step: "over" },
});

/** One bid, which the house opens later. */
const sealed = (here: Here): Decision => {
  const { now, settings, memory, limit } = here;
  if (memory.step === "waiting") return settle(here);
  const bid = call(settings.house, "bid", [memory.lot + 1, limit]);
  return {
    action: { invoke_artifact: { ...bid, attach: { scrip: limit } } },
    sleep: sleepUntil(now, memory.lot, OPENING_MS),
    memory: { ...memory, step: "waiting" },
  };
};

/** Looks at the lot, and bids the least that leads, up to the limit. */
const english = (here: Here): Decision => {
  const { id, settings, memory, limit, last } = here;
  if (memory.step === "waiting") return settle(here);
  const bidding: Memory = { ...memory, step: "bidding" };
  const look = { invoke_artifact: call(settings.house, "lots") };
  if (memory.step === "start" || last?.method !== "lots") return { action: look, memory: bidding };
  const [lot] = fieldsOf(last).lots ?? [];
  if (lot?.status !== "open" || (lot.leader !== id && lot.next_bid > limit)) {
    return wait(here, SETTLING_MS, "waiting");
  }
  if (lot.leader === id) return { action: look, sleep: { for_s: LEADING_S }, memory: bidding };
  const bid = call(settings.house, "bid", [memory.lot + 1]);
  const attach = { scrip: lot.next_bid };
  return { action: { invoke_artifact: { ...bid, attach } }, memory: bidding };
};

/** Takes the lot when the price has fallen to the limit. */
const dutch = (here: Here): Decision => {
  const { now, settings, memory, limit, last } = here;
  if (memory.step === "start") {
    const look = call(settings.house, "lots");
    return { action: { invoke_artifact: look }, memory: { ...memory, step: "bidding" } };
  }
  const take = { ...call(settings.house, "take", [memory.lot + 1]), attach: { scrip: limit } };
  if (memory.step === "bidding") {
    const [lot] = fieldsOf(last).lots ?? [];
    if (lot === undefined || lot.falls_at_ms === null) return wait(here, SETTLING_MS, "over");
    const steps = Math.ceil((lot.price - limit) / 10);
    const ms = lot.falls_at_ms + (steps - 1) * 2_000 - memory.lot * 240_000;
    if (steps > 0) return wait(here, ms, "waiting");
    return { action: { invoke_artifact: take }, memory: { ...memory, step: "waiting" } };
  }
  const hasTried = last?.method === "take";
  if (hasTried && (last.ok || fieldsOf(last).code !== "too_little")) {
    return {
      ...wait(here, SETTLING_MS, "over"),
      sleep: sleepUntil(now, memory.lot + 1, BIDDING_MS),
    };
  }
  return { action: { invoke_artifact: take }, memory };
};

const KINDS = { sealed, english, dutch } as const;

/** Bids for each lot by one strategy. Values are independent and equally likely from 0 to 1000. */
const mind: UserMind = {
  decide({ view, memory: saved, settings: given, random }) {
    const settings = given as unknown as Settings;
    const fresh: Memory = { values: drawn(random), lot: 0, step: "start" };
    const known = (saved as Memory | null) ?? fresh;
    const { lot, since } = lotAt(view.now);
    const memory: Memory = lot === known.lot ? known : { ...known, lot, step: "start" };
    const limit = limitOf(memory.values[lot] ?? 0, settings, random);
    const here = { id: view.id, now: view.now, last: view.agent.last, settings, memory, limit };
    if (memory.step === "start" && since < BIDDING_MS) return wait(here, BIDDING_MS, "start");
    const isOver = memory.step === "over" || (memory.step === "start" && limit < 1);
    if (!isOver) return KINDS[settings.kind](here);
    const sleep = sleepUntil(view.now, lot + 1, BIDDING_MS);
    return { action: { noop: {} }, sleep, memory };
  },
};

export default mind;
