import Bottleneck from "bottleneck";
import pLimit from "p-limit";
import { delay, realTime, untilAborted } from "../port/time.ts";
import type { Admission, KeyLimits, Limiter } from "./rate-limit.ts";

type SharedLimiterParts = {
  readonly connection: Bottleneck.IORedisConnection;
  /** The name of the key in Redis. Limiters of one name share their limits. */
  readonly name: string;
  /** The same for all processes that use the name now. */
  readonly limits: KeyLimits;
  /** The longest that a call takes. The call of a process that was killed ends after this time. */
  readonly callMsMax: number;
  /** Gets the problems of Redis, one line each. */
  readonly onProblem: (problem: string) => void;
};

/** How often waiting calls look again. The reservoirs hold what flows in meanwhile. */
const HEARTBEAT_MS = 1_000;
const RETRY_MS = 1_000;
/** Redis forgets a limit that was not used for this long. */
const FORGET_MS = 600_000;

/**
 * Keeps the calls of all processes within the limits of a key. The state is in Redis. If Redis does
 * not answer, calls wait. A call that exceeds the burst of the tokens takes the burst at its start,
 * and the rest at its end: later calls wait until that has flowed in.
 */
export class SharedLimiter implements Limiter {
  readonly #tokens: Quota | null;
  readonly #requests: Quota | null;
  /** A process admits one call after the other, so that waiting calls can leave. */
  readonly #turns = pLimit(1);

  constructor(parts: SharedLimiterParts) {
    const { requestsPerMinute, tokensPerMinute, concurrency } = parts.limits;
    const ofTokens = tokensPerMinute === null ? null : tokenReservoir(tokensPerMinute);
    const ofRequests = requestsPerMinute === null ? null : requestReservoir(requestsPerMinute);
    this.#tokens = quotaFor(parts, { of: "tokens", reservoir: ofTokens, concurrency: null });
    this.#requests = quotaFor(parts, { of: "requests", reservoir: ofRequests, concurrency });
  }

  enter(tokens: number, signal: AbortSignal): Promise<Admission | "left"> {
    const turn = this.#turns(() => this.#admit(tokens, signal));
    return untilAborted<Admission | "left">(turn, signal, () => {
      // The call may have been admitted at this moment.
      void turn.then((admission) => admission !== "left" && admission.leave(0));
      return "left";
    });
  }

  /** Creates the state in Redis again if it is lost. Waiting calls then look again. */
  renew(): void {
    this.#tokens?.renew();
    this.#requests?.renew();
  }

  /** Resolves when Redis has what the calls that ended gave back. */
  async settled(): Promise<void> {
    await Promise.all([this.#tokens?.settled(), this.#requests?.settled()]);
  }

  /** The request comes last: right after it, the call starts. */
  async #admit(tokens: number, signal: AbortSignal): Promise<Admission | "left"> {
    const ofTokens = (await this.#tokens?.take(tokens, signal)) ?? null;
    if (ofTokens === "left") return "left";
    const ofRequests = (await this.#requests?.take(1, signal)) ?? null;
    if (ofRequests === "left") {
      ofTokens?.end(0);
      return "left";
    }
    return {
      leave: (used) => {
        ofTokens?.end(used);
        ofRequests?.end(1);
      },
    };
  }
}

/** One quantity that is limited, and its limits. */
type Quantity = {
  readonly of: "tokens" | "requests";
  readonly reservoir: Reservoir | null;
  readonly concurrency: number | null;
};

const quotaFor = (parts: SharedLimiterParts, quantity: Quantity): Quota | null =>
  quantity.reservoir === null && quantity.concurrency === null ? null : new Quota(parts, quantity);

/** What a call takes of a quantity. `end` gives back what it did not use. */
type Place = { readonly end: (used: number) => void };

/** The use of one quantity by all processes. */
class Quota {
  readonly #limiter: Bottleneck;
  readonly #settings: Bottleneck.ConstructorOptions;
  readonly #max: number;
  readonly #hasReservoir: boolean;
  readonly #callMsMax: number;
  readonly #onProblem: SharedLimiterParts["onProblem"];
  /** What Redis has not confirmed yet. */
  readonly #open = new Set<Promise<unknown>>();

  constructor(
    { connection, name, callMsMax, onProblem }: SharedLimiterParts,
    { of, reservoir, concurrency }: Quantity,
  ) {
    this.#max = reservoir?.burst ?? 1;
    this.#hasReservoir = reservoir !== null;
    this.#callMsMax = callMsMax;
    this.#onProblem = onProblem;
    this.#settings = {
      maxConcurrent: concurrency ?? reservoir?.inProgressMax ?? null,
      reservoirIncreaseAmount: reservoir?.step ?? null,
      reservoirIncreaseInterval: reservoir?.stepMs ?? null,
      reservoirIncreaseMaximum: reservoir?.burst ?? null,
    };
    this.#limiter = new Bottleneck({
      ...this.#settings,
      id: `${name}:${of}`,
      connection,
      heartbeatInterval: HEARTBEAT_MS,
      timeout: callMsMax + FORGET_MS,
      // An empty reservoir: a server that lost its state may have admitted calls a moment ago.
      reservoir: reservoir === null ? null : 0,
    });
    this.#limiter.on("error", (error: unknown) => this.#failed(error));
    // Redis may still have the settings of processes that have ended.
    this.renew();
  }

  renew(): void {
    this.#follow(Promise.resolve(this.#limiter.updateSettings({ ...this.#settings })));
  }

  async take(amount: number, signal: AbortSignal): Promise<Place | "left"> {
    const weight = Math.min(amount, this.#max);
    while (!signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<Place | null>();
      const job = this.#limiter.schedule({ weight, expiration: this.#callMsMax }, () => {
        const { promise: ended, resolve: end } = Promise.withResolvers<void>();
        resolve({
          end: (used) => {
            end();
            if (used !== weight) this.#giveBack(weight - used);
          },
        });
        return ended;
      });
      this.#follow(job.finally(() => resolve(null)));
      const place = await untilAborted<Place | null>(promise, signal, () => {
        // The job cannot be removed. It ends when it starts.
        void promise.then((late) => late?.end(0));
        return null;
      });
      if (place !== null) return place;
      await delay(realTime, RETRY_MS, signal);
    }
    return "left";
  }

  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }

  #giveBack(amount: number): void {
    if (this.#hasReservoir) this.#follow(this.#limiter.incrementReservoir(amount));
  }

  #follow(work: Promise<unknown>): void {
    const followed = work.then(
      () => {},
      (error: unknown) => this.#failed(error),
    );
    this.#open.add(followed);
    void followed.then(() => this.#open.delete(followed));
  }

  #failed(error: unknown): void {
    // A call that took longer than `callMsMax`. It holds nothing any more.
    if (error instanceof Bottleneck.BottleneckError) return;
    this.#onProblem(error instanceof Error ? error.message : String(error));
  }
}

/**
 * How much of a limit per minute calls can take, for processes that share it. A reservoir is filled
 * in small steps. Calls take from it when they start, and give back at their end what they did not
 * use. What is taken in any minute, at whatever time between start and end of a call the provider
 * counts it, is at most `burst` + `perMinute` + `inProgressMax`.
 */
export type Reservoir = {
  /** The most that the reservoir holds. One call takes at most this. */
  readonly burst: number;
  /** What flows in. */
  readonly perMinute: number;
  /** What the calls in progress hold at most. Null: any number. */
  readonly inProgressMax: number | null;
  readonly step: number;
  readonly stepMs: number;
};

const MINUTE_MS = 60_000;
const STEP_MS_MIN = 240;

/** The rest of the limit is for requests that arrive late, up to 3 s after they were admitted. */
const REQUEST_BURST = 0.05;
const REQUEST_FLOW = 0.9;
const TOKEN_BURST = 0.1;
const TOKEN_FLOW = 0.75;
const TOKENS_IN_PROGRESS = 0.25;

/**
 * The part of `tokens_per_minute` by which processes can exceed it in a minute at worst: if calls
 * start after a pause, use all that they reserved, and others that took long end at the same time.
 */
export const TOKEN_SLACK = TOKEN_BURST + TOKEN_FLOW + TOKENS_IN_PROGRESS - 1;

/**
 * Providers count a request when it arrives, so the requests in progress do not count again. A
 * limit of one has no room for both a burst and a flow, so two requests can start in a minute.
 */
export const requestReservoir = (limit: number): Reservoir => ({
  inProgressMax: null,
  ...reservoirOf(
    Math.floor(limit * REQUEST_BURST),
    Math.max(1, Math.min(limit - 1, Math.floor(limit * REQUEST_FLOW))),
  ),
});

export const tokenReservoir = (limit: number): Reservoir => ({
  inProgressMax: Math.max(1, Math.floor(limit * TOKENS_IN_PROGRESS)),
  ...reservoirOf(Math.floor(limit * TOKEN_BURST), Math.max(1, Math.floor(limit * TOKEN_FLOW))),
});

/** The flow has steps of whole units, so it can exceed `perMinute` by less than a step. */
const reservoirOf = (burst: number, perMinute: number): Omit<Reservoir, "inProgressMax"> => {
  const step = Math.max(1, Math.floor((perMinute * STEP_MS_MIN) / MINUTE_MS));
  const stepMs = Math.ceil((step * MINUTE_MS) / perMinute);
  return { burst: Math.max(1, burst - (step - 1)), perMinute, step, stepMs };
};
