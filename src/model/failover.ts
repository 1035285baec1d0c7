import { memoized, must } from "../kernel/index.ts";
import {
  type Attempt,
  cancelled,
  faultOf,
  type Model,
  type ModelFailure,
  type ModelFault,
  type ModelReply,
  type ModelRequest,
  modelFailure,
  NO_TOKENS,
  type TokenUsage,
} from "./port/model.ts";
import { delay, type Time } from "./port/time.ts";
import { addedUsage, countedTokens } from "./port/usage.ts";

export type Profile = { readonly model: string; readonly key: number; readonly asks: Model };

/** The cooldown doubles with each failure. A call that must wait longer than `patienceMs` fails. */
type FailoverSettings = {
  readonly coolDownInitialMs: number;
  readonly coolDownMaxMs: number;
  readonly attemptsMax: number;
  readonly patienceMs: number;
};

/** Returns a model's profiles, best first, or a problem. Repeated calls return the same objects. */
export type ProfilesOf = (
  model: string,
) => { readonly profiles: readonly Profile[] } | { readonly problem: string };

/** Faults that depend on the key. Another profile may work. A retry with the same key fails. */
const KEY_FAULTS: ReadonlySet<ModelFault> = new Set(["unauthorized", "no_credit"]);

/**
 * Each attempt asks the first profile that is not cooling down. All tokens of a call cost the price
 * of the last model. So when a provider has reported tokens, later attempts ask the same model. If
 * all tokens so far are estimated, later attempts may ask other models.
 */
export const failover = (profilesOf: ProfilesOf, settings: FailoverSettings, time: Time): Model => {
  const cooldownOf = memoized((_profile: Profile) => new Cooldown(settings), new WeakMap());
  return {
    ask: async (request, signal) => {
      const found = profilesOf(request.model);
      if ("problem" in found)
        return modelFailure(request.model, faultOf("bad_request", found.problem));
      const attempts = new Attempts({ request, signal, settings, time, cooldownOf });
      return attempts.make(found.profiles);
    },
  };
};

type AttemptParts = {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly settings: FailoverSettings;
  readonly time: Time;
  readonly cooldownOf: (profile: Profile) => Cooldown;
};

class Attempts {
  readonly #parts: AttemptParts;
  #usage: TokenUsage = NO_TOKENS;
  #latencyMs = 0;
  #last: ModelFailure | null = null;
  readonly #attempts: Attempt[] = [];
  #isCounted = false;

  constructor(parts: AttemptParts) {
    this.#parts = parts;
  }

  async make(profiles: readonly Profile[]): Promise<ModelReply> {
    const { request, signal, settings } = this.#parts;
    let open = profiles;
    while (this.#attempts.length < settings.attemptsMax) {
      const profile = await this.#available(open);
      if (signal.aborted) return this.#withTotals(cancelled(request.model));
      if (profile === null) break;
      const reply = await this.#ask(profile);
      if (reply.ok || signal.aborted) return this.#withTotals(reply);
      this.#last = reply;
      const isKeyFault = KEY_FAULTS.has(reply.fault);
      if (!reply.retriable && !isKeyFault) break;
      open = open.filter(
        (each) =>
          !(isKeyFault && each === profile) && (!this.#isCounted || each.model === profile.model),
      );
    }
    return this.#withTotals(must(this.#last, "a model must have a profile"));
  }

  /** Waits for a profile that is not cooling down. Returns null if no profile is ready in time. */
  async #available(open: readonly Profile[]): Promise<Profile | null> {
    const { signal, settings, time, cooldownOf } = this.#parts;
    while (!signal.aborted) {
      const nowMs = time.now();
      const ready = open.find((each) => cooldownOf(each).remainingMs(nowMs) === 0);
      if (ready !== undefined) return ready;
      const waitsMs = open
        .filter((each) => cooldownOf(each).refusal === null)
        .map((each) => cooldownOf(each).remainingMs(nowMs));
      const waitMs = Math.min(...waitsMs);
      if (waitMs > settings.patienceMs) {
        this.#last ??= this.#unavailable(open, nowMs);
        return null;
      }
      await delay(time, waitMs, signal);
    }
    return null;
  }

  #unavailable(open: readonly Profile[], nowMs: number): ModelFailure {
    const { request, cooldownOf } = this.#parts;
    const refusal = open.map((each) => cooldownOf(each).refusal).find((each) => each !== null);
    const retryAfterMs = Math.min(...open.map((each) => cooldownOf(each).remainingMs(nowMs)));
    const seconds = Math.ceil(retryAfterMs / 1_000);
    const model = open[0]?.model ?? request.model;
    const fault = open.map((each) => cooldownOf(each).fault).find((each) => each !== null);
    // The message of that fault may quote another agent's request, so only its name is shown.
    const why = fault === undefined ? "" : ` after ${fault}`;
    const cooling = faultOf("rate_limited", `${model} is in cooldown for ${seconds} s${why}`);
    return modelFailure(request.model, { ...(refusal ?? cooling), retryAfterMs });
  }

  async #ask(profile: Profile): Promise<ModelReply> {
    const { request, signal, time, cooldownOf } = this.#parts;
    const startedMs = time.now();
    const { model, key } = profile;
    const { length: attempt } = this.#attempts;
    const asked = { ...request, model, ...(attempt === 0 ? {} : { attempt }) };
    if (attempt > 0 && this.#last !== null) {
      request.onRetry?.({ attempt, reason: this.#last.fault, profile: { model, key } });
    }
    const reply = await profile.asks.ask(asked, signal);
    const { usage } = reply;
    const tokens = countedTokens(reply, asked);
    this.#attempts.push({ model, key, tokens, endedMs: time.wallMs() });
    this.#isCounted ||= !usage.estimated && usage.input + usage.output > 0;
    this.#usage = addedUsage(this.#usage, usage);
    this.#latencyMs += reply.latencyMs;
    cooldownOf(profile).follow(reply, startedMs, time.now());
    return reply;
  }

  #withTotals(reply: ModelReply): ModelReply {
    const [usage, latencyMs, attempts] = [this.#usage, this.#latencyMs, this.#attempts];
    return { ...reply, usage, latencyMs, attempts };
  }
}

class Cooldown {
  readonly #settings: FailoverSettings;
  #untilMs = Number.NEGATIVE_INFINITY;
  #lastFailureMs = Number.NEGATIVE_INFINITY;
  #coolDownMs = 0;
  #refusal: ModelFailure | null = null;
  #fault: ModelFault | null = null;

  constructor(settings: FailoverSettings) {
    this.#settings = settings;
  }

  remainingMs(nowMs: number): number {
    return Math.max(0, this.#untilMs - nowMs);
  }

  get refusal(): ModelFailure | null {
    return this.#refusal;
  }

  /** The fault that began or lengthened the cooldown. Null before the first one. */
  get fault(): ModelFault | null {
    return this.#fault;
  }

  follow(reply: ModelReply, startedMs: number, nowMs: number): void {
    if (reply.ok) this.#end(startedMs);
    else if (KEY_FAULTS.has(reply.fault)) {
      // The key does not work. The key is tried again after the longest cooldown.
      this.#refusal = reply;
      this.#untilMs = nowMs + this.#settings.coolDownMaxMs;
    } else if (reply.retriable && reply.fault !== "bad_request") {
      // A retriable `bad_request` needs no cooldown, because the retry uses another reply form.
      this.#lengthen(startedMs, nowMs);
      this.#refusal = null;
      this.#fault = reply.fault;
      const waitMs = Math.max(this.#coolDownMs, reply.retryAfterMs ?? 0);
      this.#untilMs = Math.max(this.#untilMs, nowMs + waitMs);
    }
  }

  /** Doubles the cooldown. Concurrent calls that fail together count as one failure. */
  #lengthen(startedMs: number, nowMs: number): void {
    if (startedMs <= this.#lastFailureMs) return;
    const { coolDownInitialMs, coolDownMaxMs } = this.#settings;
    const doubledMs = this.#coolDownMs === 0 ? coolDownInitialMs : 2 * this.#coolDownMs;
    this.#coolDownMs = Math.min(coolDownMaxMs, doubledMs);
    this.#lastFailureMs = nowMs;
  }

  /** Ends the cooldown, unless the successful call began before the last failure. */
  #end(startedMs: number): void {
    if (startedMs <= this.#lastFailureMs) return;
    this.#coolDownMs = 0;
    this.#refusal = null;
    this.#untilMs = Number.NEGATIVE_INFINITY;
  }
}
