import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it that are not there, each by itself: Node's own way to make them
 * all at once never ends where the system denies that a folder it has just refused to make exists,
 * as below `/proc`.
 * @throws what the system says where it refuses.
 */
export const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
};
