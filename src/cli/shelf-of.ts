import { basename, join } from "node:path";
import type { RunShelf } from "../observe/index.ts";
import { isRunFolder, readRun, runFolders } from "./run-record.ts";

/**
 * The runs below a folder, and perhaps one that lies elsewhere, which then stands for its name:
 * whoever gave its path wants to see that one.
 */
export const shelfOf = (out: string, elsewhere: string | null): RunShelf => {
  const folders = (): readonly string[] => {
    const below = runFolders(out);
    if (elsewhere === null || below.includes(join(elsewhere))) return below;
    return [elsewhere, ...below.filter((folder) => basename(folder) !== basename(elsewhere))];
  };
  // A name is looked for among those there are, so that no name leads out of the folder.
  const folderOf = (runId: string): string | null =>
    folders().find((folder) => basename(folder) === runId && isRunFolder(folder)) ?? null;
  return {
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
