import {
  type Executor,
  manifestHash,
  type PlannedExperiment,
  packInputs,
  QUEUE_ROOM,
  QueueExecutor,
} from "../../experiment/index.ts";
import { type EngineVersion, engineVersion, type Member, Presence } from "../../scale/index.ts";
import { counted, listed } from "../../text/index.ts";
import type { Shell } from "../core/shell.ts";
import { openRedis, processName } from "../queue/open-redis.ts";

/** The number of runs that are in the queue at a time, unless `--jobs` says otherwise. */
export const QUEUED_RUNS = 64;

const VERSIONS_SHOWN = 3;

/**
 * Opens the queue at the Redis server `on` for the runs of an experiment. Notes how many workers
 * there are, and why none takes a run.
 * @throws CliError if the server cannot be reached or the files of the runs cannot be sent.
 */
export const openQueue = async (
  { experiment, cells, manifest, jobs }: PlannedExperiment,
  on: string,
  shell: Shell,
): Promise<Executor> => {
  const files = await packInputs(experiment, cells);
  const connection = await openRedis(on, { flag: "--on", shell });
  const version = engineVersion();
  const name = processName();
  const { shown } = connection.address;
  const member: Member = { kind: "submitter", name, version: version.shown, slots: jobs };
  let said = "";
  const presence = new Presence(connection, { room: QUEUE_ROOM, member }, (members) => {
    const text = workersText(members, version, shown);
    if (text !== said) shell.output.note(text);
    said = text;
  });
  const executor = await QueueExecutor.open({
    connection,
    version,
    name,
    experiment: { name: experiment.name, hash: manifestHash(manifest) },
    files,
    slots: jobs,
    onLost: (run) => shell.output.note(`the worker of run ${run} is lost; the run is made again`),
  });
  await presence.start();
  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    await presence.stop();
    await executor.stop();
    connection.close();
  };
  return {
    slots: executor.slots,
    execute: (job) => executor.execute(job),
    release: (past) => executor.release(past),
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
};

/** Says who makes the runs, or why no one does. */
const workersText = (members: readonly Member[], version: EngineVersion, shown: string): string => {
  const workers = members.filter(({ kind }) => kind === "worker");
  const able = workers.filter((worker) => worker.version === version.shown);
  if (able.length > 0) {
    const slots = able.reduce((sum, worker) => sum + worker.slots, 0);
    return `${counted(able.length, "worker")} at ${shown}, ${counted(slots, "run")} at a time`;
  }
  if (workers.length === 0) {
    return `no worker is connected to ${shown}; start one with: sim worker --on ${shown}`;
  }
  const versions = listed([...new Set(workers.map((worker) => worker.version))], VERSIONS_SHOWN);
  const others = `${counted(workers.length, "worker")} at ${shown} with version ${versions}`;
  return `no worker has version ${version.shown} of this command; there is ${others}`;
};
