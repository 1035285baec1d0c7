import { setTimeout as delay } from "node:timers/promises";
import type { Queue, QueueEvents } from "bullmq";
import { errorMessage, jsonIn } from "../../kernel/index.ts";
import type { EngineVersion, FilePack, RedisConnection } from "../../scale/index.ts";
import { type Executor, type Job, type JobOutcome, jobOutcome } from "../run/executor.ts";
import {
  CANCELLED,
  jobIdOf,
  KEPT_S,
  PREFIX,
  queueName,
  RUN_ATTEMPTS_MAX,
  RUNS_PLACE,
  type RunJob,
  redisKeys,
  withRuns,
} from "./run-job.ts";

type QueueExecutorParts = {
  readonly connection: RedisConnection;
  readonly version: EngineVersion;
  /** The name of this process, unique among submitters. */
  readonly name: string;
  /** The experiment with the hash of its manifest. */
  readonly experiment: RunJob["experiment"];
  /** The files that the runs read, and the folder in the pack to which paths are relative. */
  readonly files: FilePack & { readonly folder: string };
  readonly slots: number;
  /** Called with the id of a run whose worker is lost. Another worker then makes the run again. */
  readonly onLost: (run: string) => void;
};

type Waiting = { readonly job: RunJob; readonly resolve: (outcome: JobOutcome | null) => void };

/**
 * Makes runs on the workers of a queue in Redis. The job of a run has the hash of its definition as
 * its id. So a second command for the same runs joins the jobs of the first, and gets outcomes that
 * are still in Redis. If Redis restarts, the executor waits, and submits again what is lost.
 */
export class QueueExecutor implements Executor {
  readonly slots: number;
  readonly #parts: QueueExecutorParts;
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #waiting = new Map<string, Waiting>();
  /** The job of each common past, by the id of its run. */
  readonly #pasts = new Map<string, string>();
  /** What is being said to Redis. */
  readonly #working = new Set<Promise<void>>();
  readonly #looking: NodeJS.Timeout;
  #stopping: Promise<void> | null = null;

  constructor(parts: QueueExecutorParts, queue: Queue, events: QueueEvents) {
    this.slots = parts.slots;
    this.#parts = parts;
    this.#queue = queue;
    this.#events = events;
    // The connection reports what happens to it.
    queue.on("error", () => {});
    events.on("error", () => {});
    events.on("completed", ({ jobId }) => this.#begin(jobId, () => this.#collect(jobId)));
    events.on("failed", ({ jobId, failedReason }) => {
      this.#begin(jobId, () => this.#fail(jobId, failedReason));
    });
    events.on("stalled", ({ jobId }) => {
      const waiting = this.#waiting.get(jobId);
      if (waiting !== undefined) parts.onLost(waiting.job.run.request.name);
    });
    // Events can be lost with a connection.
    this.#looking = setInterval(() => void this.#lookAtAll(), 2_000);
    this.#looking.unref();
  }

  /** Opens the queue. The library is loaded here, because most commands do not need it. */
  static async open(parts: QueueExecutorParts): Promise<QueueExecutor> {
    const { Queue, QueueEvents } = await import("bullmq");
    const { client } = parts.connection;
    const name = queueName(parts.version.tag);
    const events = new QueueEvents(name, { connection: client.duplicate(), prefix: PREFIX });
    // Submitters that were away for a moment find the last events.
    const streams = { events: { maxLen: 2_000 } };
    const queue = new Queue(name, { connection: client, prefix: PREFIX, streams });
    await events.waitUntilReady();
    return new QueueExecutor(parts, queue, events);
  }

  async execute(given: Job): Promise<JobOutcome | null> {
    if (this.#stopping !== null) return null;
    const { experiment, files, version } = this.#parts;
    const job: RunJob = {
      experiment,
      run: withRuns(given, RUNS_PLACE),
      files: files.hash,
      folder: files.folder,
      past: given.past === null ? null : (this.#pasts.get(given.past) ?? null),
    };
    const id = jobIdOf(job, version.tag);
    if (given.keep === "past") this.#pasts.set(given.request.name, id);
    return await new Promise((resolve) => {
      this.#waiting.set(id, { job, resolve });
      this.#begin(id, () => this.#submit(id, job));
    });
  }

  release(past: string): void {
    const jobId = this.#pasts.get(past);
    if (jobId === undefined) return;
    this.#pasts.delete(past);
    this.#begin(jobId, () => this.#releasePast(jobId));
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** Does work for a job that no one waits for, except `stop`. */
  #begin(id: string, work: () => Promise<unknown>): void {
    const working = this.#guarded(id, work).finally(() => this.#working.delete(working));
    this.#working.add(working);
  }

  /** Turns what Redis answers with an error, for example because it is full, into an outcome. */
  async #guarded(id: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { shown } = this.#parts.connection.address;
      this.#settle(id, { ok: false, error: `Redis at ${shown}: ${errorMessage(error)}` });
    }
  }

  #settle(id: string, outcome: JobOutcome | null): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    waiting.resolve(outcome);
    // A past is in use until `release`.
    if (waiting.job.run.keep !== "past") this.#begin(id, () => this.#leave(id));
  }

  async #submit(id: string, job: RunJob): Promise<void> {
    const { client } = this.#parts.connection;
    const { name, files } = this.#parts;
    const [waiting, pack] = [redisKeys.waiting(id), redisKeys.files(files.hash)];
    // One request, because each takes longer than the rest of the work for a job.
    const answers = await client
      .pipeline()
      .sadd(waiting, name)
      .expire(waiting, KEPT_S)
      .expire(pack, KEPT_S)
      .exists(redisKeys.outcome(id), this.#queue.toKey(id))
      .exec();
    const [, , isPackThere, known] = (answers ?? []).map(([, answer]) => answer);
    if (isPackThere !== 1) await client.set(pack, files.bytes, "EX", KEPT_S);
    if (known !== 0) {
      const earlier = await this.#outcomeOf(id, job);
      if (earlier?.ok === true) {
        this.#settle(id, earlier);
        return;
      }
      await this.#forgetFailed(id);
    }
    if (this.#stopping !== null) return;
    const kept = { age: KEPT_S, count: 10_000 };
    const removal = { removeOnComplete: kept, removeOnFail: kept };
    const attempts = RUN_ATTEMPTS_MAX;
    await this.#queue.add(job.run.request.name, job, { jobId: id, attempts, ...removal });
  }

  /** Removes a job that failed, which is tried again, because its cause may be gone. */
  async #forgetFailed(id: string): Promise<void> {
    const state = await this.#queue.getJobState(id);
    if (state !== "failed" && state !== "completed") return;
    await this.#parts.connection.client.del(redisKeys.outcome(id));
    await this.#queue.remove(id);
  }

  /** The outcome in Redis, or null. A past without its files does not count. */
  async #outcomeOf(id: string, job: RunJob): Promise<JobOutcome | null> {
    const { client } = this.#parts.connection;
    const text = await client.get(redisKeys.outcome(id));
    if (text === null) return null;
    if (job.run.keep === "past" && (await client.exists(redisKeys.past(id))) === 0) return null;
    return jobOutcome.safeParse(jsonIn(text)).data ?? null;
  }

  async #collect(id: string): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    const outcome = await this.#outcomeOf(id, waiting.job);
    if (outcome === null) await this.#submit(id, waiting.job);
    else this.#settle(id, outcome);
  }

  async #fail(id: string, reason: string): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    if (reason !== CANCELLED) this.#settle(id, { ok: false, error: reason });
    else if (this.#stopping !== null) this.#settle(id, null);
    // Another command has cancelled the run, and this one still waits for it.
    else await this.#submit(id, waiting.job);
  }

  async #lookAtAll(): Promise<void> {
    if (this.#stopping !== null || this.#parts.connection.client.status !== "ready") return;
    for (const id of [...this.#waiting.keys()]) await this.#guarded(id, () => this.#look(id));
  }

  async #look(id: string): Promise<void> {
    const state = await this.#queue.getJobState(id);
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    if (state === "completed") await this.#collect(id);
    else if (state === "unknown") await this.#submit(id, waiting.job);
    else if (state === "failed") {
      const job = await this.#queue.getJob(id);
      await this.#fail(id, job?.failedReason ?? "the run failed");
    }
  }

  /** True if no other submitter waits for the job. */
  async #leave(id: string): Promise<boolean> {
    const key = redisKeys.waiting(id);
    const here = this.#parts.connection.client.pipeline().srem(key, this.#parts.name).scard(key);
    const answers = await here.exec();
    return answers?.[1]?.[1] === 0;
  }

  async #releasePast(id: string): Promise<void> {
    if (!(await this.#leave(id))) return;
    await this.#parts.connection.client.del(redisKeys.past(id), redisKeys.outcome(id));
    await this.#queue.remove(id);
  }

  async #stop(): Promise<void> {
    clearInterval(this.#looking);
    const ids = [...this.#waiting.keys()];
    // A job that is being submitted can be cancelled only after that.
    const submitted = Promise.all([...this.#working]);
    const ended = submitted.then(() => Promise.all(ids.map((id) => this.#cancel(id))));
    // Workers that do not say in time that cancelled runs have ended are not waited for.
    await Promise.race([ended, delay(5_000, null, { ref: false })]);
    for (const id of ids) this.#settle(id, null);
    await this.#events.close();
    await this.#queue.close();
  }

  /** Cancels a run unless another submitter waits for it. Resolves when it has ended. */
  async #cancel(id: string): Promise<void> {
    const settled = new Promise<void>((resolve) => {
      const waiting = this.#waiting.get(id);
      if (waiting === undefined) return resolve();
      const tell = (outcome: JobOutcome | null): void => {
        waiting.resolve(outcome === null || !outcome.ok ? null : outcome);
        resolve();
      };
      this.#waiting.set(id, { ...waiting, resolve: tell });
    });
    await this.#guarded(id, async () => {
      const isLast = await this.#leave(id);
      const isGone = isLast && (await this.#queue.remove(id)) === 1;
      if (!isLast || isGone) this.#settle(id, null);
      else await this.#parts.connection.client.publish(redisKeys.cancel, id);
    });
    await settled;
  }
}
