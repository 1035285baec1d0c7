import pLimit from "p-limit";
import { Budget, budgeted } from "./budget.ts";
import { concurrent } from "./concurrency.ts";
import { failover } from "./failover.ts";
import type { Fetch } from "./language-model.ts";
import { lazySdk } from "./lazy-sdk.ts";
import type { LlmSettings } from "./llm-settings.ts";
import type { Attempt, Model } from "./model.ts";
import { parseModelId } from "./model-id.ts";
import { type Durable, outputCommit } from "./output-commit.ts";
import { type Pricing, pricingFrom } from "./pricing.ts";
import { type ProviderKey, profilesFrom, standInsFor } from "./profiles.ts";
import { type Environment, keysOf, providerProblems } from "./providers.ts";
import { rateLimited, type Taken } from "./rate-limit.ts";
import type { RecordedCall } from "./recorded-call.ts";
import { recording } from "./recording.ts";
import { type Recording, type ReplayCounts, replaying } from "./replaying.ts";
import { realTime, type Time } from "./time.ts";
import { timedOut } from "./time-out.ts";
import { answeringInTurn, leavingUnlessPaused, type Pacing } from "./turns.ts";

/** A provider that asks to be left alone for longer than this makes the call fail instead. */
const PATIENCE_MS = 300_000;

export type ModelForParts = {
  readonly settings: LlmSettings;
  /** The models that the run will begin with; others may be asked for later. */
  readonly models: readonly string[];
  readonly env: Environment;
  /** Most that all calls may cost together; null: no limit. */
  readonly budgetMicros: number | null;
  /** Run time in ms, for what is recorded. */
  readonly now: () => number;
  readonly sink?: (call: RecordedCall) => void;
  /** What of the budget was spent before; nothing where it is not given. */
  readonly spentMicros?: number;
  /** How providers were asked in the last minute by a process before this one. */
  readonly attempts?: readonly Attempt[];
  /** With it providers are asked only for what is not in it, or not at all. */
  readonly replay?: Recording;
  readonly fetch?: Fetch;
  /** What a request waits for before it leaves; nothing where it is not given. */
  readonly durable?: Durable;
  /** By which calls share the thread and stand still; they go on at once where it is not given. */
  readonly clock?: Pacing;
  /** Time of limits and time-outs; real where it is not given. */
  readonly time?: Time;
};

export type ModelFor = {
  readonly model: Model;
  /** What would make every call fail, one line each, to be told before the run starts. */
  readonly problems: readonly string[];
  /** What the calls have cost so far. */
  spentMicros(): number;
  /** Null where nothing is replayed. */
  replayed(): ReplayCounts | null;
};

/**
 * The models of a run behind one port. From the outside in: wait for a turn with the answer;
 * record; answer from what is replayed; wait until the disk has what the request tells of; try
 * others; keep within the budget and within each key's limits a minute; wait for the end of a
 * pause; keep within the number of calls at once; time out; ask. Each attempt is an expense of its
 * own with a price of its own, so the budget stands behind the failover.
 */
export const modelFor = (parts: ModelForParts): ModelFor => {
  const { settings, sink, now, clock = UNPACED } = parts;
  const pricing = pricingFrom(settings.pricing, settings.default_pricing);
  const recorded = (inner: Model): Model =>
    answeringInTurn(sink === undefined ? inner : recording(inner, { sink, pricing, now }), clock);
  const { replay } = parts;
  if (replay?.otherwise === "fail") {
    const { model, counts } = replaying(replay.calls, null);
    const { spentMicros = 0 } = parts;
    return {
      model: recorded(model),
      problems: [],
      spentMicros: () => spentMicros,
      replayed: counts,
    };
  }
  const live = liveModel(parts, pricing);
  if (replay === undefined) {
    return { ...live, model: recorded(live.model), replayed: () => null };
  }
  const { model, counts } = replaying(replay.calls, live.model);
  return { ...live, model: recorded(model), replayed: counts };
};

const UNPACED: Pacing = { held: false, turn: async () => {} };
const noWait: Durable = async () => true;

/** Asks providers, under all limits and within the budget. */
const liveModel = (parts: ModelForParts, pricing: Pricing): Omit<ModelFor, "replayed"> => {
  const { settings } = parts;
  const { time = realTime, clock = UNPACED, durable = noWait } = parts;
  const slots = pLimit(settings.max_concurrency);
  const budget = new Budget(parts.budgetMicros ?? Number.POSITIVE_INFINITY, parts.spentMicros ?? 0);
  const fetch = parts.fetch ?? globalThis.fetch;
  const keys = Object.values(settings.providers).flatMap((own) => keysOf(own, parts.env));
  const open = ({ provider, key, nth, forms }: ProviderKey): Model => {
    const own = settings.providers[provider];
    const access = { provider, settings: own, key, fetch };
    const sdk = lazySdk({ ...access, forms, keys, time });
    const limits = {
      requestsPerMinute: own.requests_per_minute,
      tokensPerMinute: own.tokens_per_minute,
      taken: takenOf(parts.attempts ?? [], { provider, nth }, time),
    };
    const leaving = leavingUnlessPaused(timedOut(sdk, settings.timeout_s * 1_000, time), clock);
    // Before the slots too, so that those who wait out a pause leave some for vectors.
    const attempt = leavingUnlessPaused(concurrent(leaving, slots), clock);
    return budgeted(rateLimited(attempt, limits, time), budget, pricing);
  };
  const model = failover(
    profilesFrom({ settings, env: parts.env, open }),
    {
      coolDownInitialMs: settings.failover.cooldown_initial_s * 1_000,
      coolDownMaxMs: settings.failover.cooldown_max_s * 1_000,
      attemptsMax: settings.failover.attempts_max,
      patienceMs: PATIENCE_MS,
    },
    time,
  );
  const used = parts.models.flatMap((id) => [id, ...standInsFor(id, settings)]);
  return {
    model: outputCommit(model, durable),
    problems: providerProblems(used, settings.providers, parts.env),
    spentMicros: () => budget.spentMicros,
  };
};

/** What was taken of the limits of one key. Nothing is later than now, were a clock set back. */
const takenOf = (
  attempts: readonly Attempt[],
  { provider, nth }: Pick<ProviderKey, "provider" | "nth">,
  time: Time,
): readonly Taken[] => {
  const [nowMs, wallMs] = [time.now(), time.wallMs()];
  const own = attempts.filter(({ model, key }) => {
    const parsed = parseModelId(model);
    return key === nth && parsed.ok && parsed.provider === provider;
  });
  return own.map(({ tokens, endedMs }) => {
    return { tokens, endedMs: nowMs - Math.max(0, wallMs - endedMs) };
  });
};
