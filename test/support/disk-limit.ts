import { existsSync, statSync } from "node:fs";
import { Journal } from "../../src/world/index.ts";

/** While `work` is done, journals that are made or opened can grow by so many bytes only. */
export const withDiskLimit = <T>(freeBytes: number | null, work: () => T): T => {
  if (freeBytes === null) return work();
  const { create, open } = Journal;
  const bounded = (path: string): { readonly sizeMaxBytes: number } => ({
    sizeMaxBytes: freeBytes + (existsSync(path) ? statSync(path).size : 0),
  });
  Journal.create = (path, settings) =>
    create.call(Journal, path, { ...settings, ...bounded(path) });
  Journal.open = (path, settings) =>
    open.call(Journal, path, "readOnly" in settings ? settings : { ...settings, ...bounded(path) });
  try {
    return work();
  } finally {
    Journal.create = create;
    Journal.open = open;
  }
};
