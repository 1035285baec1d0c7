import { existsSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import {
  type JournalStore,
  journalStore,
  QUEUE_ROOM,
  QueueWorker,
  type WorkerEvent,
} from "../../experiment/index.ts";
import { errorMessage } from "../../kernel/index.ts";
import type { ListenPlace } from "../../page/index.ts";
import { runPaths } from "../../run/index.ts";
import {
  type EngineVersion,
  engineVersion,
  type Member,
  Presence,
  type RedisConnection,
} from "../../scale/index.ts";
import { counted } from "../../text/index.ts";
import { makeFolders, RunLock } from "../../world/index.ts";
import { CliError, EXIT, exitCodeOf } from "../core/exit.ts";
import { addMetricsFlag, duration, path, wholeFrom } from "../core/flags.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";
import { RunProcesses } from "../experiment/run-processes.ts";
import { openWorkerMonitor, type WorkerMonitor } from "../monitoring/worker-monitor.ts";
import { openRedis, processName } from "../queue/open-redis.ts";

type Flags = {
  readonly on: string;
  readonly concurrency?: number;
  readonly dir?: string;
  readonly store?: string;
  readonly metrics?: ListenPlace;
  readonly grace?: number;
  readonly lostAfter?: number;
  readonly json?: boolean;
};

const ON_HELP =
  "Redis server of the queue, as redis://HOST:PORT, " +
  "or env:NAME if the environment variable NAME holds it";

export const register: Register = (command, shell) => {
  addMetricsFlag(command)
    .requiredOption("--on <url>", ON_HELP)
    .option("--concurrency <number>", "runs at a time (default: the number of cores)", wholeFrom(1))
    .option("--dir <dir>", "folder for files and runs (default: a temporary one)", path)
    .option(
      "--store <place>",
      "folder or s3://BUCKET/PREFIX for runs that an experiment keeps (default: --dir)",
      path,
    )
    .option(
      "--grace <time>",
      "when it is told to stop: how long runs may take to end, such as 60s, " +
        "before it gives them back to the queue (default: as long as they need)",
      duration,
    )
    .option(
      "--lost-after <time>",
      "without a sign of life for this time, such as 60s, its runs are given to other workers " +
        "(default: 15s)",
      duration,
    )
    .option("--json", "print one JSON line for each event");
  withExamples(command, [
    "sim worker --on redis://localhost:6379",
    "sim worker --on redis://queue.lab:6379 --concurrency 8 --store /shared/runs",
    "sim worker --on rediss://:PASSWORD@queue.lab:6379 --store s3://lab/runs",
    "sim worker --on env:QUEUE --metrics 0.0.0.0:9464 --grace 50s",
  ]);
  command.action((flags: Flags) => work(flags, shell));
};

/** How long a stopped worker waits for Redis to take its runs back. */
const GIVE_BACK_MS_MAX = 5_000;

const work = async (flags: Flags, shell: Shell): Promise<void> => {
  const name = processName();
  const slots = flags.concurrency ?? availableParallelism();
  const identity = { name, slots, version: engineVersion() };
  const store = flags.store === undefined ? null : await openStore(flags.store, shell);
  const connection = await openRedis(flags.on, { flag: "--on", shell });
  const dir = flags.dir ?? join(tmpdir(), `catallaxy-worker-${name}`);
  makeFolders(dir);
  const taken = RunLock.take(dir);
  if (!taken.ok) {
    connection.close();
    throw new CliError(taken.problem, EXIT.couldNotRun);
  }
  try {
    await takeRuns({ flags, identity, store, connection, dir }, shell);
  } finally {
    connection.close();
    taken.lock.release();
    if (flags.dir === undefined && !hasRuns(dir)) rmSync(dir, { recursive: true, force: true });
  }
};

type Parts = {
  readonly flags: Flags;
  readonly identity: Identity;
  readonly store: JournalStore | null;
  readonly connection: RedisConnection;
  readonly dir: string;
};

/** Takes runs until a signal. @throws CliError if the metrics cannot be served. */
const takeRuns = async (
  { flags, identity, store, connection, dir }: Parts,
  shell: Shell,
): Promise<void> => {
  const { output } = shell;
  const { name, slots, version } = identity;
  const processes = new RunProcesses(slots, shell.runProcesses);
  let monitor: WorkerMonitor | null = null;
  const worker = new QueueWorker({
    connection,
    version,
    ...{ name, dir, slots },
    store,
    ...(flags.lostAfter === undefined ? {} : { lostAfterMs: flags.lostAfter * 1_000 }),
    make: (job, where) => processes.make(job, where),
    onEvent: (event) => {
      monitor?.onEvent(event);
      if (flags.json === true) output.jsonLine(JSON.stringify(shownEvent(event)));
      else if (event.result !== "began") output.notice(eventText(event));
    },
  });
  if (flags.metrics !== undefined) {
    monitor = await openWorkerMonitor(flags.metrics, worker, connection);
    output.note(`metrics at ${monitor.address}metrics`);
  }
  const draining = (): void => monitor?.draining();
  const stopped = stopOnSignals({ worker, connection, draining }, flags, shell);
  const presence = presenceOf(identity, connection, shell);
  await worker.start();
  await presence.start();
  const many = `${counted(slots, "run")} at a time`;
  const where = connection.address.shown;
  output.note(`worker ${name} at ${where}, ${many}, version ${version.shown}, in ${dir}`);
  if (flags.json === true) {
    output.jsonLine(JSON.stringify({ event: "started", worker: name, slots, dir, on: where }));
  }
  await stopped;
  await presence.stop();
  await processes.stop();
  await monitor?.close();
};

/** @throws CliError if the store cannot be written. */
const openStore = async (place: string, { env }: Shell): Promise<JournalStore> => {
  const opened = journalStore(place, env);
  if (!opened.ok) throw new CliError(`--store ${opened.problem}`);
  try {
    await opened.store.check();
  } catch (error) {
    throw new CliError(`--store: ${errorMessage(error)}`, EXIT.couldNotRun);
  }
  return opened.store;
};

type Stoppable = {
  readonly worker: QueueWorker;
  readonly connection: RedisConnection;
  /** Called first. */
  readonly draining: () => void;
};

/**
 * The first signal lets the runs in progress end, at most for `grace` seconds. The second gives
 * them back to the queue, and the third ends the process. Resolves when the worker has ended.
 */
const stopOnSignals = (
  { worker, connection, draining }: Stoppable,
  { grace }: Flags,
  { output, ...shell }: Shell,
): Promise<void> =>
  new Promise((resolve) => {
    const giveBack = (): void => {
      worker.giveBack();
      setTimeout(() => shell.endNow(), GIVE_BACK_MS_MAX).unref();
    };
    shell.onSignal((signal, times) => {
      draining();
      if (times === 1 && connection.client.status === "ready") {
        const more = "; a second signal gives them back to the queue";
        const most = grace === undefined ? "" : `, at most ${grace} s`;
        if (worker.active > 0) {
          output.note(`ends after ${counted(worker.active, "run")}${most}${more}`);
        }
        if (grace !== undefined) setTimeout(giveBack, grace * 1_000).unref();
        void worker.finish().then(resolve);
        return;
      }
      shell.endWith(exitCodeOf(signal));
      // Without Redis no one can take the runs. Other workers get them when it is back.
      if (times > 2 || connection.client.status !== "ready") shell.endNow();
      giveBack();
    });
  });

type Identity = { readonly name: string; readonly slots: number; readonly version: EngineVersion };

/** Says that this worker is there, and notes that commands of another version wait. */
const presenceOf = (
  { name, slots, version }: Identity,
  connection: RedisConnection,
  { output }: Shell,
): Presence => {
  const member: Member = { kind: "worker", name, version: version.shown, slots };
  const said = new Set<string>();
  return new Presence(connection, { room: QUEUE_ROOM, member }, (members) => {
    for (const other of members) {
      if (other.kind !== "submitter" || other.version === version.shown) continue;
      if (said.has(other.name)) continue;
      said.add(other.name);
      const text = `an experiment of version ${other.version} needs workers of that version`;
      output.notice(`${text}; this one has ${version.shown} and refuses its runs`);
    }
  });
};

const shownEvent = ({ wallS, result, isTakenOver, ...event }: WorkerEvent) => {
  return { event: "run", ...event, result, wall_s: wallS, taken_over: isTakenOver };
};

const eventText = ({ experiment, run, result, wallS, error }: WorkerEvent): string => {
  const why = error === null ? "" : `: ${error}`;
  const time = wallS === null ? "" : ` in ${wallS.toFixed(1)} s`;
  return `${experiment} ${run} ${RESULTS[result]}${time}${why}`;
};

const RESULTS: { readonly [result in WorkerEvent["result"]]: string } = {
  began: "began",
  done: "done",
  failed: "failed",
  died: "died and is tried again",
  cancelled: "cancelled",
  given_back: "given back to the queue",
};

/** Whether a folder has a run that an experiment keeps. */
const hasRuns = (dir: string): boolean =>
  readdirSync(dir, { withFileTypes: true, recursive: true }).some(
    (entry) =>
      entry.isDirectory() && existsSync(runPaths(join(entry.parentPath, entry.name)).journal),
  );
