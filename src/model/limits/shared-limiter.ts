import Bottleneck from "bottleneck";
import pLimit from "p-limit";
import { delay, realTime, untilAborted } from "../port/time.ts";
import type { Admission, KeyLimits, Limiter } from "./rate-limit.ts";
import { type Reservoir, requestReservoir, tokenReservoir } from "./reservoir.ts";

export type SharedLimiterParts = {
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
