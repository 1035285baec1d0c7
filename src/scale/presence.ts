import { jsonIn } from "../kernel/index.ts";
import type { RedisConnection } from "./redis-connection.ts";

/** A process that takes part in a queue. */
export type Member = {
  readonly kind: "worker" | "submitter";
  /** Unique among all processes. */
  readonly name: string;
  /** Members work together only if their versions are equal. */
  readonly version: string;
  /** The number of jobs at a time. */
  readonly slots: number;
};

/** How often a member says that it is there. */
const HEARTBEAT_MS = 3_000;
/** A member that was silent for this time is gone. */
const GONE_AFTER_MS = 12_000;

type Listener = (others: readonly Member[]) => void;

/**
 * Tells the other processes at a Redis server that this one is there. `listener` gets all members,
 * at once and after each heartbeat. `room` names what they work on.
 */
export class Presence {
  readonly #connection: RedisConnection;
  readonly #key: string;
  readonly #own: string;
  readonly #listener: Listener;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    connection: RedisConnection,
    { room, member }: { readonly room: string; readonly member: Member },
    listener: Listener,
  ) {
    this.#connection = connection;
    this.#key = `catallaxy:members:${room}`;
    this.#own = JSON.stringify(member);
    this.#listener = listener;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#beat(), HEARTBEAT_MS);
    this.#timer.unref();
    await this.#beat();
  }

  /** Says goodbye, so that others do not wait for this process. */
  async stop(): Promise<void> {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    if (this.#connection.client.status === "ready") {
      await this.#connection.client.zrem(this.#key, this.#own);
    }
  }

  async #beat(): Promise<void> {
    const { client } = this.#connection;
    if (client.status !== "ready") return;
    try {
      // The clock of the server, because those of the machines can differ.
      const [seconds] = await client.time();
      const nowMs = Number(seconds) * 1_000;
      await client.zadd(this.#key, nowMs, this.#own);
      await client.zremrangebyscore(this.#key, "-inf", nowMs - GONE_AFTER_MS);
      const present = await client.zrange(this.#key, "0", "-1");
      if (this.#timer !== null) this.#listener(present.flatMap(memberIn));
    } catch {
      // The server went away in between. The connection reports it, and the next beat tries again.
    }
  }
}

const memberIn = (text: string): readonly Member[] => {
  const value = jsonIn(text);
  return isMember(value) ? [value] : [];
};

const isMember = (value: unknown): value is Member =>
  typeof value === "object" && value !== null && "kind" in value && "version" in value;
