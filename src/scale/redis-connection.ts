import type { Redis } from "ioredis";
import type { RedisAddress } from "./redis-address.ts";

type Connected =
  | { readonly ok: true; readonly connection: RedisConnection }
  | {
      readonly ok: false;
      /** One line that names the server and the cure. */
      readonly problem: string;
      /** True if the address or the password is wrong. */
      readonly isUsersMistake: boolean;
    };

const CONNECT_MS_MAX = 5_000;
const RETRY_MS = 100;
const RETRY_MS_MAX = 2_000;

/**
 * An open connection to a Redis server. It waits through restarts of the server: commands are sent
 * when it is back, and `onChange` says what happens.
 */
export class RedisConnection {
  /** The client, with every command of Redis. */
  readonly client: Redis;
  readonly address: RedisAddress;
  #isClosing = false;

  constructor(client: Redis, address: RedisAddress) {
    this.client = client;
    this.address = address;
  }

  /** Calls `listener` with one line when the server is lost, and when it is back. */
  onChange(listener: (text: string, isBack: boolean) => void): void {
    const { shown } = this.address;
    let isLost = false;
    this.client.on("close", () => {
      if (isLost || this.#isClosing) return;
      isLost = true;
      listener(`lost the connection to ${shown}; waiting for it`, false);
    });
    this.client.on("ready", () => {
      if (!isLost) return;
      isLost = false;
      listener(`connected to ${shown} again`, true);
    });
  }

  /** Closes at once. Commands without an answer fail. */
  close(): void {
    this.#isClosing = true;
    this.client.disconnect();
  }
}

type Options = {
  /**
   * True (default): commands wait for a lost server, and are sent again if the connection broke
   * before their answer. A command can then take effect twice. False: they fail.
   */
  readonly resends?: boolean;
};

/** Connects to a Redis server. The driver is loaded here, because most commands do not need it. */
export const connectToRedis = async (
  address: RedisAddress,
  { resends = true }: Options = {},
): Promise<Connected> => {
  const { Redis } = await import("ioredis");
  let wasConnected = false;
  const client = new Redis(address.url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS_MAX,
    maxRetriesPerRequest: resends ? null : 0,
    retryStrategy: (times) => (wasConnected ? Math.min(times * RETRY_MS, RETRY_MS_MAX) : null),
  });
  let fault: Error | null = null;
  // The first error says why; the library adds others that say only that the connection is closed.
  client.on("error", (error: Error) => {
    fault ??= error;
  });
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    client.disconnect();
    return { ok: false, ...whyNot(fault ?? error, address) };
  }
  wasConnected = true;
  return { ok: true, connection: new RedisConnection(client, address) };
};

type Refusal = { readonly problem: string; readonly isUsersMistake: boolean };

const whyNot = (error: unknown, { shown }: RedisAddress): Refusal => {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^(WRONGPASS|ERR invalid password|ERR AUTH|NOPERM)/.test(message)) {
    return { problem: `${shown} refuses the user or the password`, isUsersMistake: true };
  }
  if (/^NOAUTH/.test(message)) {
    const cure = "write it as redis://:PASSWORD@HOST";
    return { problem: `${shown} needs a password; ${cure}`, isUsersMistake: true };
  }
  if (/DB index/.test(message)) {
    return { problem: `${shown} has no database of this number`, isUsersMistake: true };
  }
  const why = REASONS.get(code) ?? message;
  const cure = "start Redis there, or correct the address";
  return { problem: `cannot reach Redis at ${shown}: ${why}; ${cure}`, isUsersMistake: false };
};

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "connection refused"],
  ["ENOTFOUND", "there is no such host"],
  ["EAI_AGAIN", "the name of the host cannot be looked up"],
  ["ETIMEDOUT", "no answer"],
  ["ECONNRESET", "the connection was reset"],
]);
