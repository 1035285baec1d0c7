import { z } from "zod";
import type { View } from "../../kernel/index.ts";
import {
  type AgentMemory,
  cancelled,
  type Durable,
  estimatedUsage,
  FREE,
  type Model,
  type ModelRequest,
  type Thought,
  untilAborted,
} from "../../mind/index.ts";
import { FrameLine } from "./frame-line.ts";
import type { HostMethods, WorkerMethods } from "./mind-calls.ts";
import { Peer } from "./peer.ts";
import { RequestReader, type SentRequest } from "./request-codec.ts";
import { ViewWriter } from "./view-codec.ts";

/** A way to one worker. Batches of a `FrameLine` arrive in the order in which they were sent. */
export type WorkerChannel = { send(batch: string): void; end(): Promise<void> };

/** What the host does with what comes from a worker. */
export type WorkerListener = {
  receive(batch: string): void;
  /** The worker is gone. Nothing comes after this. */
  lose(why: string): void;
};

/** Where the workers of a run come from. */
export type Workers = {
  /**
   * Wants one more worker. Calls `accept` when there is one: now, later or never. A
   * second call changes nothing while the first waits.
   */
  want(accept: (connect: (listener: WorkerListener) => WorkerChannel) => void): void;
  close(): Promise<void>;
};

type HostParts = {
  readonly workers: Workers;
  /** The model of the run, with all its limits. */
  readonly model: Model;
  readonly memory: AgentMemory | null;
  readonly durable: Durable;
  readonly warn: (text: string) => void;
  /** Takes messages that do not belong in the journal. */
  readonly note: (text: string) => void;
};

type Worker = {
  readonly channel: WorkerChannel;
  readonly line: FrameLine;
  readonly peer: Peer<WorkerMethods>;
  readonly views: ViewWriter;
  /** The thoughts in progress, by number. */
  readonly thoughts: Map<number, OpenThought>;
  /** Counts the thoughts so far. */
  count: number;
};

type OpenThought = {
  /** Resolves when the events that its view shows are on disk. */
  readonly durable: Promise<boolean>;
  readonly requests: RequestReader;
};

/** A thought is made again this often if its worker is lost. */
const RETRIES_MAX = 2;

/**
 * Has the thoughts of agents with language models made by workers. Everything that decides about a
 * model call stays here: limits, budget, recording and replay. So the journal is the same as if the
 * minds were here.
 */
export class MindHost {
  readonly #parts: HostParts;
  readonly #workers = new Set<Worker>();
  /** Resolves when there is another worker. */
  #arrival = Promise.withResolvers<void>();
  #isClosed = false;
  #waiting = 0;

  constructor(parts: HostParts) {
    this.#parts = parts;
  }

  /** Decides like the mind of the agent. */
  readonly decide = async (view: View, signal: AbortSignal): Promise<Thought> => {
    let problem = "the run has ended";
    for (let retries = 0; retries <= RETRIES_MAX && !this.#isClosed; retries += 1) {
      const worker = await this.#freest(signal);
      if (worker === null) break;
      const answer = await this.#ask(worker, view, signal);
      if (answer.ok) return answer.value;
      problem = answer.problem;
    }
    return { kind: "failed", reason: "llm_error", message: problem, memory: null, usage: FREE };
  };

  /** The number of thoughts that wait for the first worker. */
  get waiting(): number {
    return this.#waiting;
  }

  async #ask(worker: Worker, view: View, signal: AbortSignal) {
    const { peer, views, thoughts } = worker;
    worker.count += 1;
    const thought = worker.count;
    thoughts.set(thought, { durable: this.#parts.durable(), requests: new RequestReader() });
    const answer = await peer.call("decide", { thought, view: views.write(view) }, signal);
    thoughts.delete(thought);
    return answer;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#arrival.resolve();
    await Promise.all([...this.#workers].map(({ channel }) => channel.end()));
    await this.#parts.workers.close();
  }

  /** The worker with the fewest calls in progress. Waits for the first worker. */
  async #freest(signal: AbortSignal): Promise<Worker | null> {
    while (!signal.aborted && !this.#isClosed) {
      if (this.#idlest()?.peer.waiting !== 0) {
        this.#parts.workers.want((connect) => this.#add(connect));
      }
      const worker = this.#idlest();
      if (worker !== null) return worker;
      this.#waiting += 1;
      await untilAborted(this.#arrival.promise, signal, () => {});
      this.#waiting -= 1;
    }
    return null;
  }

  #idlest(): Worker | null {
    let idlest: Worker | null = null;
    for (const worker of this.#workers) {
      if (idlest === null || worker.peer.waiting < idlest.peer.waiting) idlest = worker;
    }
    return idlest;
  }

  #add(connect: (listener: WorkerListener) => WorkerChannel): void {
    const channel = connect({
      receive: (batch) => worker.line.receive(batch),
      lose: (why) => {
        if (!this.#workers.delete(worker)) return;
        if (!this.#isClosed) this.#parts.note(`${why}; its thoughts are made again`);
        worker.peer.lose(why);
      },
    });
    const worker: Worker = this.#workerAt(channel);
    this.#workers.add(worker);
    this.#arrival.resolve();
    this.#arrival = Promise.withResolvers<void>();
  }

  #workerAt(channel: WorkerChannel): Worker {
    const { model, memory, warn, note } = this.#parts;
    const thoughts: Worker["thoughts"] = new Map();
    const methods: HostMethods = {
      ask: ({ call, thought, request }, signal) => {
        const open = thought === null ? undefined : thoughts.get(thought);
        const { durable, requests = new RequestReader() } = open ?? {};
        const asked = {
          ...request,
          ...requests.read(request),
          form: request.form === null ? null : standIn(request.form),
          attemptBy: attemptsOf(peer, call),
          ...(durable === undefined ? {} : { durable }),
        };
        return model.ask(asked, signal);
      },
      recall: async (query) => (await memory?.search(query)) ?? NO_MEMORY,
      warn: async (text) => {
        warn(text);
        return null;
      },
      note: async (text) => {
        note(text);
        return null;
      },
    };
    const peer = new Peer<WorkerMethods>(methods, (frame) => line.post(frame));
    const line = new FrameLine({
      send: (batch) => channel.send(batch),
      take: (frame) => peer.receive(frame),
    });
    return { channel, line, peer, views: new ViewWriter(), thoughts, count: 0 };
  }
}

/** Makes the attempts of a call in the worker that has asked for it. */
const attemptsOf =
  (peer: Peer<WorkerMethods>, call: number): NonNullable<ModelRequest["attemptBy"]> =>
  async ({ request, provider, nth }, signal) => {
    const { model, attempt } = request;
    const changes = { model, ...(attempt === undefined ? {} : { attempt }) };
    const answer = await peer.call("attempt", { call, provider, nth, changes }, signal);
    // The provider may bill the call of a worker that is lost.
    return answer.ok ? answer.value : { ...cancelled(model), usage: estimatedUsage(request, 0) };
  };

const ANYTHING = z.unknown();
const NO_MEMORY = { ok: false, problem: "the agents of this run remember nothing" } as const;

/** A form whose schemas are in the worker that asks. */
const standIn = (form: NonNullable<SentRequest["form"]>): ModelRequest["form"] => {
  return { ...form, rich: ANYTHING, flat: ANYTHING, described: "" };
};
