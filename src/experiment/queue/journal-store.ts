import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type StoreVariables, s3Store, TRIAL_FILE } from "./s3-store.ts";

/** Where workers put the folders of runs that an experiment keeps. */
export type JournalStore = {
  /** Tries to write. @throws Error if the store does not take files. */
  readonly check: () => Promise<void>;
  /** Copies a folder to `name`, a path with `/`. @throws Error if the store does not take it. */
  readonly save: (folder: string, name: string) => Promise<void>;
};

type Opened =
  | { readonly ok: true; readonly store: JournalStore }
  | { readonly ok: false; readonly problem: string };

/**
 * The store at a place: the path of a folder, or `s3://BUCKET/PREFIX`. The keys of S3 are in the
 * environment. The problem is a phrase to put after the name of a flag.
 */
export const journalStore = (place: string, environment: StoreVariables): Opened =>
  place.startsWith("s3:") ? s3Store(place, environment) : { ok: true, store: folderStore(place) };

/** A folder that all machines see, such as one of a file server. */
const folderStore = (root: string): JournalStore => ({
  check: async () => {
    const file = join(root, TRIAL_FILE);
    await mkdir(root, { recursive: true });
    await writeFile(file, "");
    await rm(file, { force: true });
  },
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
