import { cancelled, failed, final } from "./failure.ts";
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
import { Rest, type RestSettings } from "./rest.ts";
import { type Time, waited } from "./time.ts";
import { addedUsage, countedTokens } from "./usage.ts";

/** One way to have a question answered: a model, asked with one key. */
export type Profile = {
  /** The id under which it is asked. */
  readonly model: string;
  /** Which of its provider's keys, from 0. */
  readonly key: number;
  readonly asks: Model;
};

export type FailoverSettings = RestSettings & {
  /** How often one question is put, the first time included. */
  readonly attemptsMax: number;
  /** The longest time that one wait may take; who is asked to wait longer fails instead. */
  readonly patienceMs: number;
};

/**
 * The ways to ask a model, the best one first, or in one line why there is none. Always the same
 * objects for the same model.
 */
export type ProfilesOf = (
  model: string,
) => { readonly profiles: readonly Profile[] } | { readonly problem: string };

/** Faults that another key or model may not have, while asking this one again is of no use. */
const MOVES_ON: ReadonlySet<ModelFault> = new Set(["unauthorized", "no_credit"]);

/**
 * Asks again where that may help: the first profile that does not rest. A profile that failed rests
 * for a time that doubles, and at least as long as its provider asks. Once a provider has counted
 * tokens only profiles of the same model are asked, so that one price holds for the whole; what is
 * a guess is counted at the price of the last.
 */
export const failover = (profilesOf: ProfilesOf, settings: FailoverSettings, time: Time): Model => {
  const rests = new WeakMap<Profile, Rest>();
  const restOf = (profile: Profile): Rest => {
    const known = rests.get(profile);
    if (known !== undefined) return known;
    const rest = new Rest(settings);
    rests.set(profile, rest);
    return rest;
  };
  return {
    ask: async (request, signal) => {
      const found = profilesOf(request.model);
      if ("problem" in found) return failed(request.model, final("bad_request", found.problem));
      const question = new Question({ request, signal, settings, time, restOf });
      return question.put(found.profiles);
    },
  };
};

type QuestionParts = {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly settings: FailoverSettings;
  readonly time: Time;
  readonly restOf: (profile: Profile) => Rest;
};

/** One question on its way from profile to profile. */
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
      const turn = await this.#turn(open);
      if (turn === "aborted") return this.#ended(cancelled(request.model, 0));
      if (turn === null) break;
      const reply = await this.#ask(turn);
      if (reply.ok || signal.aborted) return this.#ended(reply);
      this.#last = reply;
      const moves = MOVES_ON.has(reply.fault);
      if (!reply.retriable && !moves) break;
      open = open.filter(
        (each) => !(moves && each === turn) && (!this.#isCounted || each.model === turn.model),
      );
    }
    const last =
      this.#last ?? failed(request.model, final("bad_request", "there is nobody to ask"));
    return this.#ended(last);
  }

  /** Waits for the first profile that does not rest; null: there is none to wait for. */
  async #turn(open: readonly Profile[]): Promise<Profile | "aborted" | null> {
    const { signal, settings, time, restOf } = this.#parts;
    while (!signal.aborted) {
      const nowMs = time.now();
      const ready = open.find((each) => restOf(each).leftMs(nowMs) === 0);
      if (ready !== undefined) return ready;
      const waitsMs = open
        .filter((each) => restOf(each).refusal === null)
        .map((each) => restOf(each).leftMs(nowMs));
      const waitMs = Math.min(...waitsMs);
      if (waitMs > settings.patienceMs) {
        this.#last ??= this.#resting(open, nowMs);
        return null;
      }
      await waited(time, waitMs, signal);
    }
    return "aborted";
  }

  /** Why nobody of those open can be asked for a long time. */
  #resting(open: readonly Profile[], nowMs: number): ModelFailure | null {
    const { request, restOf } = this.#parts;
    const [first] = open;
    if (first === undefined) return null;
    const refusal = open.map((each) => restOf(each).refusal).find((each) => each !== null);
    const retryAfterMs = Math.min(...open.map((each) => restOf(each).leftMs(nowMs)));
    const seconds = Math.ceil(retryAfterMs / 1_000);
    const message = `${first.model} asked to be left alone for ${seconds} s`;
    const fault =
      refusal === undefined
        ? ({ fault: "rate_limited", message, retriable: true } as const)
        : ({ fault: refusal.fault, message: refusal.message, retriable: false } as const);
    return failed(request.model, { ...fault, retryAfterMs });
  }

  async #ask(profile: Profile): Promise<ModelReply> {
    const { request, signal, time, restOf } = this.#parts;
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
    const rest = restOf(profile);
    if (reply.ok) rest.end(startedMs);
    else if (MOVES_ON.has(reply.fault)) rest.refuse(reply, nowMs);
    // A request that was refused for its form is put in another one at once.
    else if (reply.retriable && reply.fault !== "bad_request") {
      rest.begin({ startedMs, nowMs, askedMs: reply.retryAfterMs ?? 0 });
    }
    return reply;
  }

  #ended(reply: ModelReply): ModelReply {
    const [usage, latencyMs, attempts] = [this.#usage, this.#latencyMs, this.#attempts];
    return { ...reply, usage, latencyMs, attempts };
  }
}
