import { renameSync, rmSync, writeFileSync } from "node:fs";
import { messageOf } from "../kernel/index.ts";

/**
 * Puts a text in the place of a file as a whole, so that a reader never sees half of it and the old
 * one stays where the new one cannot be written. Returns what the system has against it, or null.
 */
export const replaceFile = (path: string, text: string): string | null => {
  const draft = `${path}.new`;
  try {
    writeFileSync(draft, text);
    renameSync(draft, path);
    return null;
  } catch (error) {
    rmSync(draft, { force: true });
    return `cannot write ${path}: ${messageOf(error)}`;
  }
};
