import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import { z } from "zod";
import { errorMessage, invariant, jsonIn } from "../../kernel/index.ts";
import {
  connectToRedis,
  type RedisAddress,
  type RedisConnection,
  redisAddressAt,
  redisPlaceIn,
} from "../../scale/index.ts";
import { secretPlaceIn } from "../port/address.ts";
import { delay, realTime, untilAborted } from "../port/time.ts";
import type { Environment } from "../providers/provider.ts";
import type { Admission, KeyLimits, Limiter } from "./rate-limit.ts";
import type { SharedLimiter } from "./shared-limiter.ts";

/**
 * Reads `redis://HOST` or `env:NAME`. Only a variable may hold a password, because runs show and
 * save their settings. The problem is a phrase to put after the name of the setting.
 */
export const sharedPlaceIn = (text: string): ReturnType<typeof redisPlaceIn> => {
  const secret = text.startsWith("env:") ? null : secretPlaceIn(text);
  if (secret === null) return redisPlaceIn(text);
  const cure = "put the address into an environment variable, and write env:NAME";
  return { ok: false, problem: `must not hold ${secret}; ${cure}` };
};

const SETTING = "llm.limits.shared";

type Found =
  | { readonly ok: true; readonly address: RedisAddress }
  | { readonly ok: false; readonly problem: string };

/** Reads where the Redis server of `llm.limits.shared` is. The problem never has a password. */
export const sharedAddress = (shared: string, env: Environment): Found => {
  const place = sharedPlaceIn(shared);
  if (!place.ok) return { ok: false, problem: `${SETTING} ${place.problem}` };
  return redisAddressAt(shared, { name: SETTING, env });
};

/** A key of a provider. `secret` is the API key, or the address of a server without keys. */
type SharedKey = { readonly provider: string; readonly secret: string };

type Parts = {
  readonly address: RedisAddress;
  /** The longest that a call takes. */
  readonly callMsMax: number;
  readonly note: (text: string) => void;
};

export type Unreachable = { readonly problem: string; readonly isUsersMistake: boolean };

const RETRY_MS = 2_000;
/** Ended processes count no more after this time. */
const IN_USE_MS = 60_000;
const REFRESH_MS = 15_000;
const CLOSE_MS_MAX = 1_000;
/** Redis frees what ended processes hold by the clocks of the machines. */
const CLOCK_DIFFERENCE_MS_MAX = 5_000;
const HASH_CHARS = 24;

/**
 * The limits that all processes with one Redis server share. Everything is loaded and connected at
 * `open`, or at the first call.
 */
export class SharedLimits {
  readonly #parts: Parts;
  readonly #noted = new Set<string>();
  readonly #closing = new AbortController();
  #open: Promise<Store | Unreachable> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Connects to Redis. Returns why it cannot, or null. */
  async open(): Promise<Unreachable | null> {
    const connected = await this.#connected();
    return connected instanceof Store ? null : connected;
  }

  /** The store. All callers wait for the same attempt to connect; a failed one is made again. */
  async #connected(): Promise<Store | Unreachable> {
    this.#open ??= openStore(this.#parts, (text) => this.#note(text));
    const opening = this.#open;
    const opened = await opening;
    // Another caller may have begun again.
    if (!(opened instanceof Store) && this.#open === opening) this.#open = null;
    return opened;
  }

  limiterOf(key: SharedKey, limits: KeyLimits): Limiter {
    let opening: Promise<SharedLimiter | null> | null = null;
    const enter = async (tokens: number, signal: AbortSignal): Promise<Admission | "left"> => {
      opening ??= this.#opened(key, limits);
      const limiter = await untilAborted(opening, signal, () => null);
      return limiter === null ? "left" : limiter.enter(tokens, signal);
    };
    return { enter };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const store = await this.#open;
    if (store instanceof Store) await store.close();
  }

  /** Waits until Redis can be reached. Null if the limits are closed before. */
  async #opened(key: SharedKey, limits: KeyLimits): Promise<SharedLimiter | null> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const connected = await this.#connected();
      if (connected instanceof Store) {
        const limiter = await connected.limiterOf(key, limits);
        if (limiter !== null) return limiter;
      } else {
        this.#note(`${connected.problem}; model calls wait for it`);
      }
      await delay(realTime, RETRY_MS, signal);
    }
    return null;
  }

  #note(text: string): void {
    if (this.#noted.has(text)) return;
    this.#noted.add(text);
    this.#parts.note(text);
  }
}

const openStore = async (
  { address, callMsMax, note }: Parts,
  noteOnce: (text: string) => void,
): Promise<Store | Unreachable> => {
  // A command that took effect twice would take twice.
  const connected = await connectToRedis(address, { resends: false });
  if (!connected.ok) return connected;
  const { connection } = connected;
  connection.onChange((text, isBack) => note(isBack ? text : `${text}; model calls wait`));
  const onProblem = (problem: string): void => {
    // The loss of the connection has its own note.
    if (connection.client.status === "ready") noteOnce(`${address.shown}: ${problem}`);
  };
  const differenceMs = await clockDifferenceMs(connection.client, onProblem);
  if (differenceMs !== null && differenceMs > CLOCK_DIFFERENCE_MS_MAX) {
    const by = `${Math.round(differenceMs / 1_000)} s`;
    noteOnce(`the clocks of this machine and of ${address.shown} differ by ${by}; set them`);
  }
  const [{ default: Bottleneck }, { SharedLimiter }] = await Promise.all([
    import("bottleneck"),
    import("./shared-limiter.ts"),
  ]);
  nameErrorsAsBefore(connection.client);
  // Bottleneck copies the client to subscribe, and expects that the copy connects by itself.
  connection.client.options.lazyConnect = false;
  const cluster = new Bottleneck.IORedisConnection({ client: connection.client });
  const limiterFor = (name: string, limits: KeyLimits): SharedLimiter =>
    new SharedLimiter({ connection: cluster, name, limits, callMsMax, onProblem });
  const close = (): void => {
    connection.close();
    void cluster.disconnect(false);
  };
  return new Store({ connection, limiterFor, close, noteOnce, onProblem });
};

/** Null if the server does not tell its time. */
const clockDifferenceMs = async (
  client: Redis,
  onProblem: (problem: string) => void,
): Promise<number | null> => {
  try {
    const [serverS] = await client.time();
    return Math.abs(Number(serverS) * 1_000 - Date.now());
  } catch (error) {
    onProblem(`the clocks are not compared: ${errorMessage(error)}`);
    return null;
  }
};

/**
 * Removes the prefix that Redis 7 and later add to the errors of scripts. Bottleneck knows its
 * errors only without it: by them it learns that Redis lost its state, and creates the state again.
 */
const nameErrorsAsBefore = (client: Redis): void => {
  const define = client.defineCommand.bind(client);
  client.defineCommand = (name, definition) => {
    define(name, definition);
    const commands = client as unknown as { [command: string]: unknown };
    const run = commands[name];
    invariant(typeof run === "function", "a script is a function of the client");
    // The last argument is a callback.
    const renamed = (...values: readonly unknown[]): unknown => {
      const answer = values.at(-1);
      if (typeof answer !== "function") return run.apply(client, values);
      const answerRenamed = (error: unknown, reply: unknown): void => {
        if (error instanceof Error) error.message = error.message.replace(/^ERR /, "");
        answer(error, reply);
      };
      return run.apply(client, [...values.slice(0, -1), answerRenamed]);
    };
    commands[name] = renamed;
  };
};

type StoreParts = {
  readonly connection: RedisConnection;
  readonly limiterFor: (name: string, limits: KeyLimits) => SharedLimiter;
  readonly close: () => void;
  readonly noteOnce: (text: string) => void;
  /** Gets the errors with which Redis answers. */
  readonly onProblem: (problem: string) => void;
};

/** The connected limits. */
class Store {
  readonly #parts: StoreParts;
  readonly #limiters: SharedLimiter[] = [];
  readonly #inUse = new Map<string, string>();
  readonly #refreshing: NodeJS.Timeout;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    this.#refreshing = setInterval(() => void this.#refresh(), REFRESH_MS);
    this.#refreshing.unref();
    // A server that restarted may have lost what it knew.
    parts.connection.client.on("ready", () => void this.#refresh());
  }

  /** Null if Redis failed. A note says why. */
  async limiterOf({ provider, secret }: SharedKey, own: KeyLimits): Promise<SharedLimiter | null> {
    const hash = createHash("sha256").update(secret).digest("hex").slice(0, HASH_CHARS);
    const name = `catallaxy:limit:${provider}:${hash}`;
    const limits = await this.#agreed(name, { provider, own });
    if (limits === null) return null;
    const limiter = this.#parts.limiterFor(name, limits);
    this.#limiters.push(limiter);
    return limiter;
  }

  async close(): Promise<void> {
    clearInterval(this.#refreshing);
    const settled = Promise.all(this.#limiters.map((limiter) => limiter.settled()));
    const inTime = new AbortController();
    await Promise.race([settled, delay(realTime, CLOSE_MS_MAX, inTime.signal)]);
    inTime.abort();
    this.#parts.close();
  }

  /** All processes that use a key now have the limits of the first of them. */
  async #agreed(
    name: string,
    { provider, own }: { readonly provider: string; readonly own: KeyLimits },
  ): Promise<KeyLimits | null> {
    const text = JSON.stringify(own);
    const used = await this.#firstWritten(name, text);
    if (used === null) return null;
    this.#inUse.set(name, used);
    const limits = limitsIn(used) ?? own;
    if (used === text) return limits;
    const what = `another process uses the same key with other limits: ${shown(limits)}`;
    this.#parts.noteOnce(`llm.providers.${provider}: ${what}; they apply here too`);
    return limits;
  }

  /** Writes a text under a name if there is none. Returns the text of this name. */
  async #firstWritten(name: string, text: string): Promise<string | null> {
    const { client } = this.#parts.connection;
    try {
      await client.set(name, text, "PX", IN_USE_MS, "NX");
      return (await client.get(name)) ?? text;
    } catch (error) {
      this.#parts.onProblem(`${errorMessage(error)}; model calls wait`);
      return null;
    }
  }

  async #refresh(): Promise<void> {
    const { connection, onProblem } = this.#parts;
    if (connection.client.status !== "ready") return;
    const all = connection.client.pipeline();
    for (const [name, limits] of this.#inUse) all.set(name, limits, "PX", IN_USE_MS);
    for (const limiter of this.#limiters) limiter.renew();
    const answers = await all.exec().catch((error: unknown) => [[error]]);
    for (const [error] of answers ?? []) if (error !== null) onProblem(errorMessage(error));
  }
}

const shown = ({ requestsPerMinute, tokensPerMinute, concurrency }: KeyLimits): string => {
  const parts = [
    `requests_per_minute ${requestsPerMinute}`,
    `tokens_per_minute ${tokensPerMinute}`,
    `max_concurrency ${concurrency}`,
  ];
  return parts.join(", ");
};

const LIMIT = z.number().positive().nullable();
const LIMITS = z.object({ requestsPerMinute: LIMIT, tokensPerMinute: LIMIT, concurrency: LIMIT });

const limitsIn = (text: string): KeyLimits | null => LIMITS.safeParse(jsonIn(text)).data ?? null;
