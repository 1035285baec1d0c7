import { openPubSub, type PubSub, type RedisConnection } from "../../queue/index.ts";
import type { WorkerChannel, WorkerListener, Workers } from "./mind-host.ts";
import type { MindSetup } from "./mind-server.ts";
import {
  BEAT_MS,
  type ChannelMail,
  GONE_AFTER_MS,
  type Invitation,
  invitationsKey,
  mailIn,
  mailText,
} from "./queue-mail.ts";

type Parts = {
  readonly connection: RedisConnection;
  /** Only workers of this version take invitations. */
  readonly tag: string;
  /** A name that no other process has. */
  readonly name: string;
  readonly setup: MindSetup;
  readonly note: (text: string) => void;
};

type Accept = Parameters<Workers["want"]>[0];

type OpenChannel = {
  readonly worker: string;
  readonly inbox: string;
  readonly listener: WorkerListener;
  heardMs: number;
};

/** After this wait for a worker, a note says how to start one. */
const PATIENCE_MS = 5_000;

/**
 * Workers at a Redis server. A run has at most one invitation in the list of the server; a worker
 * with a free slot takes it, and then works for this run until its end.
 */
export class QueueWorkers implements Workers {
  readonly #parts: Parts;
  readonly #channels = new Map<string, OpenChannel>();
  readonly #timers: NodeJS.Timeout[] = [];
  #messages: Promise<PubSub> | null = null;
  #wanted: { readonly channel: string; readonly accept: Accept } | null = null;
  #count = 0;
  #isNoted = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  want(accept: Accept): void {
    if (this.#wanted !== null) return;
    this.#count += 1;
    this.#wanted = { channel: `${this.#parts.name}-${this.#count}`, accept };
    this.#messages ??= this.#opened();
    void this.#invite();
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const { connection, tag } = this.#parts;
    const { client } = connection;
    const messages = await this.#messages;
    for (const [channel, { inbox }] of this.#channels) {
      messages?.send(inbox, mailText({ channel, kind: "end", why: "the run has ended" }));
    }
    this.#channels.clear();
    if (this.#wanted !== null && client.status === "ready") {
      await client.lrem(invitationsKey(tag), 0, this.#invitation(this.#wanted.channel));
    }
    messages?.close();
    connection.close();
  }

  async #opened(): Promise<PubSub> {
    const { connection, name } = this.#parts;
    const messages = await openPubSub(connection);
    await messages.listen(name, (text) => this.#receive(messages, text));
    messages.onLost(() => {
      for (const channel of this.#channels.keys()) this.#lose(channel, "Redis was lost");
    });
    // A server that has restarted may have forgotten the invitation.
    connection.client.on("ready", () => void this.#invite());
    this.#timers.push(setInterval(() => this.#beat(messages), BEAT_MS));
    this.#timers.push(setTimeout(() => this.#noteWait(), PATIENCE_MS));
    for (const timer of this.#timers) timer.unref();
    return messages;
  }

  #invitation(channel: string): string {
    const invitation: Invitation = { channel, host: this.#parts.name };
    return JSON.stringify(invitation);
  }

  async #invite(): Promise<void> {
    await this.#messages;
    const { connection, tag } = this.#parts;
    if (this.#wanted === null || connection.client.status !== "ready") return;
    const [key, text] = [invitationsKey(tag), this.#invitation(this.#wanted.channel)];
    const inviting = connection.client.multi().lrem(key, 0, text).rpush(key, text).exec();
    // If the server is lost in between, the run invites again when it is back.
    await Promise.allSettled([inviting]);
  }

  #noteWait(): void {
    if (this.#channels.size > 0 || this.#wanted === null || this.#isNoted) return;
    this.#isNoted = true;
    const { shown } = this.#parts.connection.address;
    this.#parts.note(`the agents wait for a worker; start one with: sim worker --on ${shown}`);
  }

  #receive(messages: PubSub, text: string): void {
    const mail = mailIn(text);
    if (mail === null) return;
    const { channel } = mail;
    if (mail.kind === "hello") return this.#greet(messages, mail);
    const open = this.#channels.get(channel);
    if (open === undefined) return;
    open.heardMs = performance.now();
    if (mail.kind === "frames") open.listener.receive(mail.batch);
    else if (mail.kind === "end") this.#lose(channel, `worker ${open.worker} ${mail.why}`);
  }

  #greet(messages: PubSub, hello: Extract<ChannelMail, { readonly kind: "hello" }>): void {
    const { channel, from: inbox, worker } = hello;
    const send = (mail: ChannelMail): void => messages.send(inbox, mailText(mail));
    const wanted = this.#wanted;
    if (wanted?.channel !== channel) return send({ channel, kind: "end", why: "it is too late" });
    this.#wanted = null;
    send({ channel, kind: "welcome", setup: this.#parts.setup });
    wanted.accept((listener): WorkerChannel => {
      this.#channels.set(channel, { worker, inbox, listener, heardMs: performance.now() });
      return {
        send: (batch) => send({ channel, kind: "frames", batch }),
        end: async () => send({ channel, kind: "end", why: "the run has ended" }),
      };
    });
  }

  #beat(messages: PubSub): void {
    // A worker that was killed may have taken the invitation.
    void this.#invite();
    const nowMs = performance.now();
    for (const [channel, { worker, inbox, heardMs }] of this.#channels) {
      messages.send(inbox, mailText({ channel, kind: "beat" }));
      if (nowMs - heardMs > GONE_AFTER_MS) this.#lose(channel, `worker ${worker} is gone`);
    }
  }

  #lose(channel: string, why: string): void {
    const open = this.#channels.get(channel);
    this.#channels.delete(channel);
    open?.listener.lose(why);
  }
}
