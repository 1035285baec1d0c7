import { basename, dirname, join } from "node:path";
import { followedExperiment } from "../../experiment/index.ts";
import { isRunFolder, readRun, runFolders } from "../../run/index.ts";
import type { RunStore } from "../routes/index.ts";

/** The run `elsewhere` and the runs in `out`. Skips a run in `out` with the name of `elsewhere`. */
export const runStore = (out: string, elsewhere: string | null): RunStore => {
  const folders = (): readonly string[] => {
    const inside = runFolders(out);
    if (elsewhere === null || inside.includes(join(elsewhere))) return inside;
    return [elsewhere, ...inside.filter((folder) => basename(folder) !== basename(elsewhere))];
  };
  // A name that is not its own last part could be a path out of the folder.
  const folderOf = (runId: string): string | null => {
    if (runId === "" || runId === "." || runId === ".." || basename(runId) !== runId) return null;
    const isElsewhere = elsewhere !== null && basename(elsewhere) === runId;
    const folder = isElsewhere ? elsewhere : join(out, runId);
    return !runId.includes("\0") && isRunFolder(folder) ? folder : null;
  };
  return {
    experiment: followedExperiment(dirname(out)),
    list: () =>
      folders()
        .map((folder) => ({ folder, read: readRun(folder) }))
        .flatMap(({ folder, read }) =>
          read.ok ? [{ ...read.record, run_id: basename(folder) }] : [],
        )
        .toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1)),
    folderOf,
    statusOf: (runId) => {
      const folder = folderOf(runId);
      const read = folder === null ? null : readRun(folder);
      return read?.ok === true ? read.record.status : "unknown";
    },
  };
};
