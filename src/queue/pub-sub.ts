import type { RedisConnection } from "./redis-connection.ts";

type Client = RedisConnection["client"];

const PREFIX = "catallaxy:mail:";

/**
 * Messages between processes at one Redis server, in order. A message reaches only a process that
 * listens at the moment, so messages are lost while the server is away.
 */
export class PubSub {
  readonly #client: Client;
  readonly #subscriber: Client;
  readonly #listeners = new Map<string, (text: string) => void>();

  /** Use `openPubSub`. */
  constructor(client: Client, subscriber: Client) {
    this.#client = client;
    this.#subscriber = subscriber;
    subscriber.on("error", () => {});
    subscriber.on("message", (channel: string, text: string) => {
      this.#listeners.get(channel.slice(PREFIX.length))?.(text);
    });
  }

  /** Receives the messages to `address` from now on. */
  async listen(address: string, receive: (text: string) => void): Promise<void> {
    this.#listeners.set(address, receive);
    await this.#subscriber.subscribe(`${PREFIX}${address}`);
  }

  /** Calls `listener` each time when messages may have been lost. */
  onLost(listener: () => void): void {
    this.#client.on("close", listener);
    this.#subscriber.on("close", listener);
  }

  /** Whether a process listens at `address`. False if the server is away. */
  async hears(address: string): Promise<boolean> {
    const asked = this.#client.pubsub("NUMSUB", `${PREFIX}${address}`);
    const [counts] = await Promise.allSettled([asked]);
    return counts.status === "fulfilled" && Number(counts.value[1]) > 0;
  }

  send(address: string, text: string): void {
    // The client would keep the message for a later time, at which no one needs it.
    if (this.#client.status !== "ready") return;
    void Promise.allSettled([this.#client.publish(`${PREFIX}${address}`, text)]);
  }

  close(): void {
    this.#listeners.clear();
    this.#subscriber.disconnect();
  }
}

export const openPubSub = async ({ client }: RedisConnection): Promise<PubSub> => {
  const subscriber = client.duplicate();
  const messages = new PubSub(client, subscriber);
  await subscriber.connect();
  return messages;
};
