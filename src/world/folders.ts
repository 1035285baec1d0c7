import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./journal/index.ts";

/**
 * Makes a folder and those above it, one after the other: made by the system's `recursive`, some of
 * /proc never come to an end. Returns those that were not there, the outermost first; throws what
 * the system throws.
 */
export const makeFolders = (folder: string): readonly string[] => {
  if (existsSync(folder)) return [];
  const above = dirname(folder);
  const made = above === folder ? [] : makeFolders(above);
  try {
    mkdirSync(folder);
    return [...made, folder];
  } catch (error) {
    if (errorCode(error) !== "EEXIST" || !existsSync(folder)) throw error;
    return made;
  }
};
