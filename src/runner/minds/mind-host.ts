import { z } from "zod";
import type { View } from "../../kernel/index.ts";
import {
  type AgentMemory,
  cancelled,
  estimatedUsage,
  FREE,
  type Model,
  type ModelRequest,
  type Thought,
  untilAborted,
} from "../../mind/index.ts";
import type { HostMethods, SentRequest, WorkerMethods } from "./mind-calls.ts";
import { Peer, type PeerFrame } from "./peer.ts";
import { ViewWriter } from "./view-codec.ts";

/** A way to one worker. Frames arrive in the order in which they were sent. */
export type WorkerChannel = { send(frames: readonly PeerFrame[]): void; end(): Promise<void> };

/** What the host does with what comes from a worker. */
export type WorkerListener = {
  receive(frames: readonly PeerFrame[]): void;
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
  readonly warn: (text: string) => void;
  /** Takes messages that do not belong in the journal. */
  readonly note: (text: string) => void;
};

type Worker = {
  readonly channel: WorkerChannel;
  readonly peer: Peer<WorkerMethods>;
  readonly views: ViewWriter;
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
      const answer = await worker.peer.call("decide", worker.views.write(view), signal);
      if (answer.ok) return answer.value;
      problem = answer.problem;
    }
    return { kind: "failed", reason: "llm_error", message: problem, memory: null, usage: FREE };
  };

  /** The number of thoughts that wait for the first worker. */
  get waiting(): number {
    return this.#waiting;
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
      receive: (frames) => {
        for (const frame of frames) worker.peer.receive(frame);
      },
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
    const methods: HostMethods = {
      ask: ({ call, request }, signal) => {
        const form = request.form === null ? null : standIn(request.form);
        return model.ask({ ...request, form, attemptBy: attemptsOf(peer, call) }, signal);
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
    const peer = new Peer<WorkerMethods>(methods, batched(channel));
    return { channel, peer, views: new ViewWriter() };
  }
}

/** Sends all frames of one turn of the event loop together: waking the other side costs more. */
export const batched = ({ send }: Pick<WorkerChannel, "send">): ((frame: PeerFrame) => void) => {
  let waiting: PeerFrame[] = [];
  return (frame) => {
    waiting.push(frame);
    if (waiting.length > 1) return;
    setImmediate(() => {
      const frames = waiting;
      waiting = [];
      send(frames);
    });
  };
};

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
