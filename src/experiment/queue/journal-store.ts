import { cp, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Where workers put the folders of runs that an experiment keeps. */
export type JournalStore = {
  /** Copies a folder to `name`, a path with `/`. @throws Error if the store does not take it. */
  readonly save: (folder: string, name: string) => Promise<void>;
};

/** A folder that all machines see, such as one of a file server. */
export const folderStore = (root: string): JournalStore => ({
  save: async (folder, name) => {
    const target = join(root, name);
    // The copy appears complete or not at all.
    const draft = `${target}.part`;
    await mkdir(dirname(target), { recursive: true });
    await rm(draft, { recursive: true, force: true });
    await cp(folder, draft, { recursive: true });
    await rm(target, { recursive: true, force: true });
    await rename(draft, target);
  },
});
