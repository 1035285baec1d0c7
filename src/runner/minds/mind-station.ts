import type { Environment } from "../../mind/index.ts";
import { openPubSub, type PubSub, type RedisConnection } from "../../queue/index.ts";
import type { WorkerChannel } from "./mind-host.ts";
import type { ThoughtCounts } from "./mind-server.ts";
import type { MindThreadStart } from "./mind-thread.ts";
import {
  BEAT_MS,
  type ChannelMail,
  GONE_AFTER_MS,
  invitationIn,
  invitationsKey,
  mailIn,
  mailText,
} from "./queue-mail.ts";
import { openMindThread } from "./thread-workers.ts";

type Parts = {
  readonly connection: RedisConnection;
  readonly tag: string;
  /** The name of the worker. */
  readonly name: string;
  /** The number of runs that it thinks for at a time. Each has a thread. */
  readonly slots: number;
  /** The environment, with the keys of providers. Runs do not send any. */
  readonly env: Environment;
  /** Called when it starts to think for a run. */
  readonly onEvent: (event: { readonly run: string }) => void;
};

/** A channel to a run. The thread starts when the run has sent its setup. */
type Joined = {
  readonly host: string;
  thread: WorkerChannel | null;
  heardMs: number;
  thoughts: ThoughtCounts;
};

const NO_THOUGHTS: ThoughtCounts = { open: 0, made: 0 };
/** How long it waits for an invitation before it looks whether it must stop. */
const WAIT_S = 1;
/** Between attempts while the server is away. */
const RETRY_MS = 500;

/** Makes thoughts for runs at a Redis server (`QueueWorkers`), each run in a thread. */
export class MindStation {
  readonly #parts: Parts;
  readonly #joined = new Map<string, Joined>();
  #messages: PubSub | null = null;
  #timer: NodeJS.Timeout | null = null;
  #taking: Promise<void> = Promise.resolve();
  #isClosed = false;
  #thoughts = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { connection } = this.#parts;
    const messages = await openPubSub(connection);
    this.#messages = messages;
    await messages.listen(this.#inbox, (text) => this.#receive(text));
    messages.onLost(() => this.#leaveAll("lost Redis"));
    this.#timer = setInterval(() => this.#beat(), BEAT_MS);
    this.#taking = this.#takeInvitations();
  }

  /** The runs it thinks for, the thoughts it has made, and those it makes now. */
  get counts(): { readonly runs: number; readonly thoughts: number; readonly thinking: number } {
    let thinking = 0;
    for (const joined of this.#joined.values()) thinking += joined.thoughts.open;
    return { runs: this.#joined.size, thoughts: this.#thoughts, thinking };
  }

  /** Gives its thoughts back: the runs have other workers make them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#leaveAll("has ended");
    await this.#taking;
    this.#messages?.close();
  }

  get #inbox(): string {
    return `minds:${this.#parts.name}`;
  }

  async #takeInvitations(): Promise<void> {
    const { connection, tag, slots } = this.#parts;
    // A command that waits blocks its connection.
    const client = connection.client.duplicate();
    client.on("error", () => {});
    while (!this.#isClosed) {
      if (this.#joined.size >= slots) await delay(RETRY_MS);
      else {
        const [taken] = await Promise.allSettled([client.blpop(invitationsKey(tag), WAIT_S)]);
        if (taken.status === "fulfilled" && taken.value !== null) await this.#join(taken.value[1]);
        else if (taken.status === "rejected") await delay(RETRY_MS);
      }
    }
    client.disconnect();
  }

  async #join(text: string): Promise<void> {
    const invitation = invitationIn(text);
    const isThere = invitation !== null && (await this.#messages?.hears(invitation.host)) === true;
    // A run that was killed leaves its invitation.
    if (!isThere || this.#isClosed) return;
    const { channel, host } = invitation;
    const heardMs = performance.now();
    this.#joined.set(channel, { host, thread: null, heardMs, thoughts: NO_THOUGHTS });
    const { name } = this.#parts;
    this.#send(channel, { channel, kind: "hello", from: this.#inbox, worker: name });
  }

  #receive(text: string): void {
    const mail = mailIn(text);
    const joined = mail === null ? undefined : this.#joined.get(mail.channel);
    if (mail === null || joined === undefined) return;
    joined.heardMs = performance.now();
    if (mail.kind === "welcome" && joined.thread === null) this.#begin(joined, mail);
    else if (mail.kind === "frames") joined.thread?.send(mail.batch);
    else if (mail.kind === "end") this.#leave(mail.channel, null);
  }

  #begin(joined: Joined, { channel, setup }: Extract<ChannelMail, { kind: "welcome" }>): void {
    const { env, onEvent } = this.#parts;
    onEvent({ run: setup.run });
    const start: MindThreadStart = { setup, env: { ...env } };
    joined.thread = openMindThread(start, {
      receive: (batch) => this.#send(channel, { channel, kind: "frames", batch }),
      count: (counts) => {
        this.#thoughts += counts.made - joined.thoughts.made;
        joined.thoughts = counts;
      },
      lose: (why) => this.#leave(channel, why),
    });
  }

  #beat(): void {
    const nowMs = performance.now();
    for (const [channel, { heardMs }] of this.#joined) {
      if (nowMs - heardMs > GONE_AFTER_MS) this.#leave(channel, "no longer hears the run");
      else this.#send(channel, { channel, kind: "beat" });
    }
  }

  #leaveAll(why: string): void {
    for (const channel of [...this.#joined.keys()]) this.#leave(channel, why);
  }

  /** Leaves a run, and tells it why unless the run itself has ended the channel. */
  #leave(channel: string, why: string | null): void {
    const joined = this.#joined.get(channel);
    if (joined === undefined) return;
    if (why !== null) this.#send(channel, { channel, kind: "end", why });
    this.#joined.delete(channel);
    void joined.thread?.end();
  }

  #send(channel: string, mail: ChannelMail): void {
    const host = this.#joined.get(channel)?.host;
    if (host !== undefined) this.#messages?.send(host, mailText(mail));
  }
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
