import type { UserMind } from "catallaxy";

type Settings = {
  readonly side: "buyer" | "seller";
  readonly limit: number;
  readonly period_s: number;
};

type Memory = {
  readonly period: number;
  readonly isActive: boolean;
  /** The number of the own order in the book, and its price. */
  readonly order: number | null;
  readonly price: number | null;
  readonly sent: "approve" | "look" | "order" | "cancel" | null;
  readonly isApproved: boolean;
  /** The profit that it asks for, as a share of its limit: negative for a buyer. */
  readonly margin: number;
  readonly momentum: number;
  /** How fast it learns, and how much it keeps of the last change. */
  readonly rate: number;
  readonly inertia: number;
  /** The number of units that the market had traded when it last looked. */
  readonly traded: number;
};

type Status = {
  readonly bid: number | null;
  readonly ask: number | null;
  readonly last: number | null;
  readonly traded: number;
};

const between = (random: () => number, low: number, high: number) => low + (high - low) * random();

/** The distributions of Cliff and Bruten (1997). */
const fresh = (random: () => number, { side }: Settings): Memory => ({
  period: 0,
  isActive: true,
  order: null,
  price: null,
  sent: null,
  isApproved: side === "buyer",
  margin: (side === "buyer" ? -1 : 1) * between(random, 0.05, 0.35),
  momentum: 0,
  rate: between(random, 0.1, 0.5),
  inertia: between(random, 0, 0.1),
  traded: 0,
});

/** The whole price that the margin gives, never a loss. */
const priceOf = ({ margin }: Memory, { side, limit }: Settings): number =>
  side === "buyer"
    ? Math.max(1, Math.min(limit, Math.floor(limit * (1 + margin))))
    : Math.max(limit, Math.ceil(limit * (1 + margin)));

/**
 * Moves the margin towards a price a little above or below `seen` (Widrow and Hoff's rule with
 * momentum). `up` says whether the price rises.
 */
const adapted = (
  memory: Memory,
  { side, limit }: Settings,
  { seen, up, random }: { seen: number; up: boolean; random: () => number },
): Memory => {
  const factor = up ? between(random, 1, 1.05) : between(random, 0.95, 1);
  const shift = (up ? 1 : -1) * between(random, 0, 0.05);
  const price = limit * (1 + memory.margin);
  const change = memory.rate * (factor * seen + shift - price);
  const momentum = memory.inertia * memory.momentum + (1 - memory.inertia) * change;
  const margin = (price + momentum) / limit - 1;
  return {
    ...memory,
    momentum,
    margin: side === "buyer" ? Math.min(0, Math.max(-0.99, margin)) : Math.max(0, margin),
  };
};

/**
 * What a trader learns from a look at the market. A deal at a better price than its own raises its
 * profit. A deal, or an offer of a competitor, that its own price cannot meet lowers it, if it
 * still wants to trade.
 */
const taught = (memory: Memory, settings: Settings, seen: Status, random: () => number): Memory => {
  const own = priceOf(memory, settings);
  const isBuyer = settings.side === "buyer";
  const isBeaten = (price: number) => (isBuyer ? own <= price : own >= price);
  const next = { ...memory, traded: seen.traded };
  if (seen.traded > memory.traded && seen.last !== null) {
    const isBetter = isBuyer ? own >= seen.last : own <= seen.last;
    if (isBetter) return adapted(next, settings, { seen: seen.last, up: !isBuyer, random });
    if (!memory.isActive) return next;
    return adapted(next, settings, { seen: seen.last, up: isBuyer, random });
  }
  const rival = isBuyer ? seen.bid : seen.ask;
  if (!memory.isActive || rival === null || rival === memory.price || !isBeaten(rival)) return next;
  return adapted(next, settings, { seen: rival, up: isBuyer, random });
};

type Last = Parameters<UserMind["decide"]>[0]["view"]["agent"]["last"];

const fieldsOf = (last: Last) => (last?.result ? JSON.parse(last.result) : {});

/** The memory with the outcome of the last action. */
const learned = (memory: Memory, settings: Settings, last: Last, random: () => number): Memory => {
  const known = { ...memory, sent: null };
  const done = { ...known, order: null, price: null, isActive: false };
  if (memory.sent === null || last === null) return known;
  if (memory.sent === "approve") return { ...known, isApproved: last.ok };
  if (memory.sent === "look")
    return last.ok ? taught(known, settings, fieldsOf(last), random) : known;
  if (memory.sent === "cancel") {
    if (last.ok) return { ...known, order: null, price: null };
    return fieldsOf(last).code === "not_found" ? done : known;
  }
  if (!last.ok) return { ...known, price: null };
  const { filled, order } = fieldsOf(last);
  return filled === 1 ? done : { ...known, order };
};

const call = (artifact_id: string, method: string, args: readonly (string | number)[] = []) => ({
  artifact_id,
  method,
  args: [...args],
});

const LOOK = { invoke_artifact: call("market", "status") };
const RESTING_S = 2;

/** A trader with zero intelligence plus (Cliff and Bruten, 1997): it learns its profit margin. */
const mind: UserMind = {
  decide({ view, memory: saved, settings: given, random }) {
    const settings = given as unknown as Settings;
    const before = (saved as Memory | null) ?? fresh(random, settings);
    const known = learned(before, settings, view.agent.last, random);
    const period = Math.floor(view.now / (1_000 * settings.period_s));
    const memory = period === known.period ? known : { ...known, period, isActive: true };
    if (!memory.isApproved) {
      const approve = call("wheat", "approve", ["market", 100]);
      return { action: { invoke_artifact: approve }, memory: { ...memory, sent: "approve" } };
    }
    if (!memory.isActive) {
      const rest = { for_s: RESTING_S };
      return { action: LOOK, sleep: rest, memory: { ...memory, sent: "look" } };
    }
    const price = priceOf(memory, settings);
    if (before.sent !== "look" && before.sent !== "cancel") {
      return { action: LOOK, reasoning: "what happened", memory: { ...memory, sent: "look" } };
    }
    if (memory.order !== null && memory.price !== price) {
      const cancel = call("market", "cancel", [memory.order]);
      return { action: { invoke_artifact: cancel }, memory: { ...memory, sent: "cancel" } };
    }
    if (memory.order !== null) return { action: LOOK, memory: { ...memory, sent: "look" } };
    const method = settings.side === "buyer" ? "buy" : "sell";
    const attach = settings.side === "buyer" ? { attach: { scrip: price } } : {};
    return {
      action: { invoke_artifact: { ...call("market", method, [price, 1]), ...attach } },
      reasoning: `a margin of ${(100 * memory.margin).toFixed(1)} %`,
      memory: { ...memory, sent: "order", price },
    };
  },
};

export default mind;
