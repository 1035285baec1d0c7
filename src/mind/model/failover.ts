import { cancelled, failed, permanentFault } from "./fault.ts";
import {
  type Attempt,
  type Model,
  type ModelFailure,
  type ModelFault,
  type ModelReply,
  type ModelRequest,
  NO_TOKENS,
  type TokenUsage,
} from "./model.ts";
import { type Time, waited } from "./time.ts";
import { addedUsage, countedTokens } from "./usage.ts";

/** A model with one key. */
export type Profile = {
  readonly model: string;
  /** Which of its provider's keys, from 0. */
  readonly key: number;
  readonly asks: Model;
};

export type FailoverSettings = CooldownSettings & {
  /** The number of attempts, the first one included. */
  readonly attemptsMax: number;
  /** The maximum wait; a call that would wait longer fails. */
  readonly patienceMs: number;
};

/** The profiles of a model, best first, or why there is none. Same objects for the same model. */
export type ProfilesOf = (
  model: string,
) => { readonly profiles: readonly Profile[] } | { readonly problem: string };

/** Faults of one key: another profile may work, a retry of this one does not. */
const MOVES_ON: ReadonlySet<ModelFault> = new Set(["unauthorized", "no_credit"]);

/**
 * Retries with the first profile that is not cooling down. After a failure the cooldown of a
 * profile doubles, and is at least as long as the provider asks. Once a provider has counted
 * tokens, only profiles of the same model are tried, so that one price applies to all of them;
 * estimates are counted at the price of the last.
 */
export const failover = (profilesOf: ProfilesOf, settings: FailoverSettings, time: Time): Model => {
  const cooldowns = new WeakMap<Profile, Cooldown>();
  const cooldownOf = (profile: Profile): Cooldown => {
    const known = cooldowns.get(profile);
    if (known !== undefined) return known;
    const cooldown = new Cooldown(settings);
    cooldowns.set(profile, cooldown);
    return cooldown;
  };
  return {
    ask: async (request, signal) => {
      const found = profilesOf(request.model);
      if ("problem" in found)
        return failed(request.model, permanentFault("bad_request", found.problem));
      const question = new Question({ request, signal, settings, time, cooldownOf });
      return question.put(found.profiles);
    },
  };
};

type QuestionParts = {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly settings: FailoverSettings;
  readonly time: Time;
  readonly cooldownOf: (profile: Profile) => Cooldown;
};

/** One request, tried with one profile after the other. */
class Question {
  readonly #parts: QuestionParts;
  #usage: TokenUsage = NO_TOKENS;
  #latencyMs = 0;
  #last: ModelFailure | null = null;
  readonly #attempts: Attempt[] = [];
  /** Whether a provider has counted tokens. */
  #isCounted = false;

  constructor(parts: QuestionParts) {
    this.#parts = parts;
  }

  async put(profiles: readonly Profile[]): Promise<ModelReply> {
    const { request, signal, settings } = this.#parts;
    let open = profiles;
    while (this.#attempts.length < settings.attemptsMax) {
      const profile = await this.#available(open);
      if (profile === "aborted") return this.#ended(cancelled(request.model, 0));
      if (profile === null) break;
      const reply = await this.#ask(profile);
      if (reply.ok || signal.aborted) return this.#ended(reply);
      this.#last = reply;
      const moves = MOVES_ON.has(reply.fault);
      if (!reply.retriable && !moves) break;
      open = open.filter(
        (each) =>
          !(moves && each === profile) && (!this.#isCounted || each.model === profile.model),
      );
    }
    const last =
      this.#last ??
      failed(request.model, permanentFault("bad_request", "there is no profile for this model"));
    return this.#ended(last);
  }

  /** Waits for the first available profile; null if there is none. */
  async #available(open: readonly Profile[]): Promise<Profile | "aborted" | null> {
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
      await waited(time, waitMs, signal);
    }
    return "aborted";
  }

  /** Why no open profile is available for a long time. */
  #unavailable(open: readonly Profile[], nowMs: number): ModelFailure | null {
    const { request, cooldownOf } = this.#parts;
    const [first] = open;
    if (first === undefined) return null;
    const refusal = open.map((each) => cooldownOf(each).refusal).find((each) => each !== null);
    const retryAfterMs = Math.min(...open.map((each) => cooldownOf(each).remainingMs(nowMs)));
    const seconds = Math.ceil(retryAfterMs / 1_000);
    const message = `${first.model} is in cooldown for ${seconds} s`;
    const fault =
      refusal === undefined
        ? ({ fault: "rate_limited", message, retriable: true } as const)
        : ({ fault: refusal.fault, message: refusal.message, retriable: false } as const);
    return failed(request.model, { ...fault, retryAfterMs });
  }

  async #ask(profile: Profile): Promise<ModelReply> {
    const { request, signal, time, cooldownOf } = this.#parts;
    const startedMs = time.now();
    const { model, key } = profile;
    const asked = { ...request, model };
    const reply = await profile.asks.ask(asked, signal);
    const { usage } = reply;
    const tokens = countedTokens(reply, asked);
    this.#attempts.push({ model, key, tokens, endedMs: time.wallMs() });
    this.#isCounted ||= !usage.estimated && usage.input + usage.output > 0;
    this.#usage = addedUsage(this.#usage, usage);
    this.#latencyMs += reply.latencyMs;
    const nowMs = time.now();
    const cooldown = cooldownOf(profile);
    if (reply.ok) cooldown.succeed(startedMs);
    else if (MOVES_ON.has(reply.fault)) cooldown.refuse(reply, nowMs);
    // A request that was refused for its form is retried at once with another form.
    else if (reply.retriable && reply.fault !== "bad_request") {
      cooldown.start({ startedMs, nowMs, askedMs: reply.retryAfterMs ?? 0 });
    }
    return reply;
  }

  #ended(reply: ModelReply): ModelReply {
    const [usage, latencyMs, attempts] = [this.#usage, this.#latencyMs, this.#attempts];
    return { ...reply, usage, latencyMs, attempts };
  }
}

export type CooldownSettings = {
  /** After the first failure; doubles with each further one. */
  readonly coolDownInitialMs: number;
  readonly coolDownMaxMs: number;
};

/** The cooldown of one profile. */
export class Cooldown {
  readonly #settings: CooldownSettings;
  #untilMs = Number.NEGATIVE_INFINITY;
  #sinceMs = Number.NEGATIVE_INFINITY;
  #coolDownMs = 0;
  #refusal: ModelFailure | null = null;

  constructor(settings: CooldownSettings) {
    this.#settings = settings;
  }

  remainingMs(nowMs: number): number {
    return Math.max(0, this.#untilMs - nowMs);
  }

  /** Why waiting does not help; null if it may. */
  get refusal(): ModelFailure | null {
    return this.#refusal;
  }

  /** The key does not work. It is tried again after the longest cooldown. */
  refuse(failure: ModelFailure, nowMs: number): void {
    this.#refusal = failure;
    this.#untilMs = nowMs + this.#settings.coolDownMaxMs;
  }

  /** A call that began at `startedMs` failed. `askedMs`: the wait that the provider requests. */
  start({
    startedMs,
    nowMs,
    askedMs,
  }: {
    startedMs: number;
    nowMs: number;
    askedMs: number;
  }): void {
    const { coolDownInitialMs, coolDownMaxMs } = this.#settings;
    // Concurrent calls fail together; that counts as one failure.
    if (startedMs > this.#sinceMs) {
      this.#coolDownMs = Math.min(
        coolDownMaxMs,
        this.#coolDownMs === 0 ? coolDownInitialMs : 2 * this.#coolDownMs,
      );
      this.#sinceMs = nowMs;
    }
    this.#refusal = null;
    this.#untilMs = Math.max(this.#untilMs, nowMs + Math.max(this.#coolDownMs, askedMs));
  }

  /** A call that began at `startedMs` succeeded. Later failures still count. */
  succeed(startedMs: number): void {
    if (startedMs <= this.#sinceMs) return;
    this.#coolDownMs = 0;
    this.#refusal = null;
    this.#untilMs = Number.NEGATIVE_INFINITY;
  }
}
