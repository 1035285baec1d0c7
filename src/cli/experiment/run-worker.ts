/** A process that makes runs of an experiment, one at a time. */
import { makeRun } from "../../experiment/index.ts";
import { FEATURES } from "../../index.ts";
import type { FromWorker, ToWorker } from "./run-processes.ts";

// Ctrl-C reaches every process of the terminal, and a service manager can signal every process of a
// service. The command ends this process itself.
process.on("SIGINT", () => {}).on("SIGTERM", () => {});
process.on("disconnect", () => process.exit());

process.on("message", ({ job, folder }: ToWorker) => {
  // The folder of the run before can be removed, and then this process has no working directory.
  process.chdir(folder);
  void makeRun(job, { env: process.env, pid: process.pid, features: FEATURES }).then((outcome) => {
    const message: FromWorker = { outcome };
    // If the command has died, `disconnect` ends this process.
    process.send?.(message, () => {});
  });
});
