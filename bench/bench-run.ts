import { join } from "node:path";
import { FEATURES } from "../src/index.ts";
import { Launch, loadConfig, type NewRun, NO_CHANGES, type Persona } from "../src/run/index.ts";

/** A run of shipped settings, but for these. */
export type BenchRun = {
  /** The folder that the run's own is made in. */
  readonly out: string;
  /** `key=value`, as `--set` takes them. */
  readonly sets: readonly string[];
  readonly personas: readonly Persona[];
  readonly order?: Pick<NewRun, "env" | "fetch">;
};

/** The run, ready to go; it writes no checkpoint files. */
export const benchRun = ({ out, sets, personas, order }: BenchRun): Launch => {
  const loaded = loadConfig({ file: null, sets, flags: [] });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const launched = Launch.start({
    config: loaded.config,
    personas,
    out,
    runId: "bench",
    pid: process.pid,
    features: FEATURES,
    programsFolder: join(import.meta.dirname, "../agents/library"),
    version: "bench",
    additionalS: null,
    stopAfterS: null,
    from: null,
    checkpoints: null,
    startedAt: new Date(),
    env: {},
    replay: null,
    schedule: NO_CHANGES,
    ...order,
  });
  if (!launched.ok) throw new Error(launched.problems.join("\n"));
  return launched.launch;
};
