import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Job as QueuedJob, Worker } from "bullmq";
import { z } from "zod";
import { errorMessage, must } from "../../kernel/index.ts";
import {
  type EngineVersion,
  packFolder,
  type RedisConnection,
  unpackFiles,
} from "../../scale/index.ts";
import type { Job, Made } from "../run/executor.ts";
import type { JournalStore } from "./journal-store.ts";
import {
  CANCELLED,
  KEPT_S,
  PREFIX,
  queueName,
  RUN_ATTEMPTS_MAX,
  type RunJob,
  redisKeys,
  runJob,
  withRuns,
} from "./run-job.ts";

/**
 * Folders that many runs of a worker share, such as unpacked files. The least recently used ones
 * are deleted, but none that a run uses.
 */
class FolderCache {
  readonly #max: number;
  readonly #folders = new Map<string, { users: number; ready: Promise<void> }>();

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Calls `work` while the folder exists. `fill` makes the folder if no run has used it before.
   * @throws what `fill` or `work` throws.
   */
  async use<Value>(
    folder: string,
    fill: () => Promise<void>,
    work: () => Promise<Value>,
  ): Promise<Value> {
    const known = this.#folders.get(folder) ?? { users: 0, ready: fill() };
    // The newest is the last one.
    this.#folders.delete(folder);
    this.#folders.set(folder, known);
    known.users += 1;
    let isReady = false;
    try {
      await known.ready;
      isReady = true;
      return await work();
    } finally {
      known.users -= 1;
      // The next run tries to make the folder again.
      if (!isReady && this.#folders.get(folder) === known) this.#folders.delete(folder);
      this.#trim();
    }
  }

  /** Deletes all folders that no run uses. */
  clear(): void {
    this.#trim(0);
  }

  #trim(max = this.#max): void {
    for (const [folder, { users }] of [...this.#folders]) {
      if (this.#folders.size <= max) return;
      if (users > 0) continue;
      this.#folders.delete(folder);
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** How a run ends at a worker. */
export const RUN_RESULTS = ["done", "failed", "died", "cancelled", "given_back"] as const;

/** What a worker reports. */
export type WorkerEvent = {
  readonly experiment: string;
  readonly run: string;
  readonly result: "began" | (typeof RUN_RESULTS)[number];
  readonly wallS: number | null;
  readonly error: string | null;
  /** Whether an earlier worker of the run was lost. */
  readonly isTakenOver: boolean;
};

type Parts = {
  readonly connection: RedisConnection;
  readonly version: EngineVersion;
  /** The name of the worker. */
  readonly name: string;
  /** The folder for files, runs and journals. No other worker may use it. */
  readonly dir: string;
  readonly slots: number;
  /** The runs of a worker that was silent for this time are given to others. Default: 15 s. */
  readonly lostAfterMs?: number;
  /** Makes one run in a process. Paths of the job are relative to `folder`. */
  readonly make: (
    job: Job,
    where: { readonly folder: string; readonly signal: AbortSignal },
  ) => Promise<Made>;
  /** Where the journals of runs go that are kept, or null: they stay in `dir`. */
  readonly store: JournalStore | null;
  readonly onEvent: (event: WorkerEvent) => void;
};

const LOST_AFTER_MS = 15_000;

/** The reason to stop a run that goes back to the queue. */
const GIVE_BACK = "give_back";

/**
 * Takes runs from the queue, `slots` at a time, and makes each in a process. While a process
 * computes, this one renews the lock of its job. So the job of a worker that is gone is given to
 * another worker.
 */
export class QueueWorker {
  readonly #parts: Parts;
  /** Sets of files that stay unpacked. */
  readonly #files = new FolderCache(4);
  readonly #pasts: FolderCache;
  readonly #active = new Set<string>();
  #worker: Worker | null = null;
  #subscriber: ReturnType<RedisConnection["client"]["duplicate"]> | null = null;
  #isTaking = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#pasts = new FolderCache(2 * parts.slots);
  }

  /** Starts to take runs. The library is loaded here, because most commands do not need it. */
  async start(): Promise<void> {
    const { connection, version, name, slots, lostAfterMs = LOST_AFTER_MS } = this.#parts;
    const { Worker: QueueLibraryWorker, UnrecoverableError, WaitingError } = await import("bullmq");
    this.#subscriber = connection.client.duplicate();
    this.#subscriber.on("error", () => {});
    const worker = new QueueLibraryWorker<unknown>(
      queueName(version.tag),
      async (job, token, signal) => {
        const result = await this.#process(job, must(signal, "a signal of the queue"));
        if (result === "done") return null;
        if (result === "give_back") {
          await job.moveToWait(token);
          throw new WaitingError();
        }
        throw result.isFinal ? new UnrecoverableError(result.reason) : new Error(result.reason);
      },
      {
        connection: connection.client,
        prefix: PREFIX,
        name,
        concurrency: slots,
        lockDuration: Math.ceil(lostAfterMs),
        // How often workers look for jobs of workers that are gone.
        stalledInterval: Math.ceil(lostAfterMs / 3),
        // `#process` counts these too, and says why.
        maxStalledCount: RUN_ATTEMPTS_MAX,
      },
    );
    this.#worker = worker;
    worker.on("error", () => {});
    // Another worker has the job now.
    worker.on("lockRenewalFailed", (ids) => {
      for (const id of ids) worker.cancelJob(id, CANCELLED);
    });
    this.#subscriber.on("message", (_channel: string, id: string) => {
      worker.cancelJob(id, CANCELLED);
    });
    await this.#subscriber.connect();
    await this.#subscriber.subscribe(redisKeys.cancel);
    await worker.waitUntilReady();
    this.#isTaking = true;
  }

  /** Whether it takes runs. It stays true while the connection to Redis is lost. */
  get isTaking(): boolean {
    return this.#isTaking;
  }

  /** The number of runs in progress. */
  get active(): number {
    return this.#active.size;
  }

  /** Takes no more runs. Resolves when the runs in progress have ended. */
  async finish(): Promise<void> {
    this.#isTaking = false;
    await this.#worker?.close();
    this.#subscriber?.disconnect();
    this.#pasts.clear();
    this.#files.clear();
  }

  /** Stops the runs in progress and gives them back to the queue. */
  giveBack(): void {
    this.#isTaking = false;
    for (const id of this.#active) this.#worker?.cancelJob(id, GIVE_BACK);
  }

  async #process(job: QueuedJob<unknown>, signal: AbortSignal): Promise<Processed> {
    const id = must(job.id, "the id of a job");
    const { connection, onEvent } = this.#parts;
    const read = runJob.safeParse(job.data);
    if (!read.success) {
      const reason = `its job is not valid: ${z.prettifyError(read.error)}`;
      const about = { experiment: "unknown", run: id, wallS: null, isTakenOver: false };
      onEvent({ ...about, result: "failed", error: reason });
      return { reason, isFinal: true };
    }
    const { experiment, run } = read.data;
    const tell = (rest: Pick<WorkerEvent, "result"> & Partial<WorkerEvent>): void => {
      const about = {
        experiment: experiment.name,
        run: run.request.name,
        wallS: null,
        error: null,
      };
      onEvent({ ...about, isTakenOver: job.stalledCounter > 0, ...rest });
    };
    // A worker that lost the job can have finished it in the meantime.
    const isAgain = job.attemptsStarted > 1;
    if (isAgain && (await connection.client.exists(redisKeys.outcome(id))) === 1) return "done";
    const deaths = job.attemptsMade + job.stalledCounter;
    if (deaths >= RUN_ATTEMPTS_MAX) {
      const reason = `its worker died ${deaths} times; the run may need more memory than there is`;
      tell({ result: "failed", error: reason });
      return { reason, isFinal: true };
    }
    this.#active.add(id);
    tell({ result: "began" });
    const made = await this.#made(id, read.data, signal)
      .catch((error: unknown): Made => ({ died: errorMessage(error) }))
      .finally(() => this.#active.delete(id));
    if (made === null) {
      const isGivenBack = signal.reason === GIVE_BACK;
      tell({ result: isGivenBack ? "given_back" : "cancelled" });
      return isGivenBack ? "give_back" : { reason: CANCELLED, isFinal: true };
    }
    if ("died" in made) {
      const isFinal = deaths + 1 >= RUN_ATTEMPTS_MAX;
      const reason = isFinal ? `${made.died}; given up after ${deaths + 1} attempts` : made.died;
      tell({ result: isFinal ? "failed" : "died", error: reason });
      return { reason, isFinal };
    }
    await connection.client.set(redisKeys.outcome(id), JSON.stringify(made), "EX", KEPT_S);
    if (made.ok) tell({ result: "done", wallS: made.run.wallS });
    else tell({ result: "failed", error: made.error });
    return "done";
  }

  /** Brings the files and the past of a run, makes the run, and stores what is kept of it. */
  async #made(id: string, job: RunJob, signal: AbortSignal): Promise<Made> {
    const { dir } = this.#parts;
    const files = join(dir, "files", job.files);
    // A past is made in a folder of its own, because runs can use an earlier one of the same name.
    const place = job.run.keep === "past" ? "pasts" : "runs";
    const runs = join(dir, this.#groupOf(job), place);
    const run = withRuns(job.run, runs);
    const make = async (): Promise<Made> => {
      const made = await this.#parts.make(run, { folder: join(files, job.folder), signal });
      if (made !== null && "ok" in made && made.ok) await this.#keep(id, job, runs);
      return made;
    };
    const fill = (): Promise<void> => this.#fetch(redisKeys.files(job.files), files);
    mkdirSync(runs, { recursive: true });
    return await this.#files.use(files, fill, async () => {
      const { past } = job;
      if (past === null || run.past === null) return await make();
      const folder = join(runs, run.past);
      return await this.#pasts.use(folder, () => this.#fetch(redisKeys.past(past), folder), make);
    });
  }

  /** The name of the folder with the runs of an experiment. */
  #groupOf({ experiment }: RunJob): string {
    return `${experiment.name}-${experiment.hash.slice(0, 8)}`;
  }

  async #fetch(key: string, folder: string): Promise<void> {
    const pack = await this.#parts.connection.client.getBuffer(key);
    if (pack === null) {
      throw new Error("its files are not in Redis any more; the same command sends them again");
    }
    await unpackFiles(pack, folder);
  }

  async #keep(id: string, job: RunJob, runs: string): Promise<void> {
    const { connection, store } = this.#parts;
    const { keep, request } = job.run;
    const folder = join(runs, request.name);
    if (keep === "past") {
      const { bytes } = await packFolder(folder);
      await connection.client.set(redisKeys.past(id), bytes, "EX", KEPT_S);
      rmSync(folder, { recursive: true, force: true });
      return;
    }
    if (keep === "figures" || store === null) return;
    const group = this.#groupOf(job);
    for (const place of ["runs", "checkpoints"]) {
      const kept = join(this.#parts.dir, group, place, request.name);
      if (!existsSync(kept)) continue;
      await store.save(kept, `${group}/${place}/${request.name}`);
      rmSync(kept, { recursive: true, force: true });
    }
  }
}

/** How a job ends: done, given back, or failed. A final reason is not tried again. */
type Processed = "done" | "give_back" | { readonly reason: string; readonly isFinal: boolean };
