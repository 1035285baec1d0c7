import { existsSync, lstatSync, mkdirSync, type Stats } from "node:fs";
import { dirname } from "node:path";

/** Returns the system's error code, such as `ENOENT`, or the error's text if it has no code. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);

/**
 * What is at a path, if it is not a regular file. Null for a regular file. A folder of somebody else
 * can have links, which lead out of it, and pipes, for which a reader waits without end.
 */
export const notAFile = (path: string): string | null => {
  const found = foundAt(path);
  if (found === undefined) return "is missing";
  if (found.isFile()) return null;
  if (found.isSymbolicLink()) return "is a link; replace it with the file itself";
  return found.isDirectory() ? "is a folder" : "is a pipe or a device; remove it";
};

/** Undefined also if a part of the path is a file. */
const foundAt = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
};

/** Returns why no journal can be opened at `path` and how to fix this, or null. */
export function whyNotThere(path: string): string | null {
  try {
    const found = foundAt(path);
    if (found === undefined) return `no journal is at ${path}; \`sim runs\` lists the runs`;
    if (found.isDirectory()) return `${path} is a folder; give the path of its journal.db`;
    const other = notAFile(path);
    if (other !== null) return `${path} ${other}`;
    if (found.size === 0) return `${path} is empty, so it is not a journal; use a copy of it`;
    return null;
  } catch (error) {
    return `${path} cannot be opened: ${whyNot(errorCode(error))}`;
  }
}

/** Why a file could not be written, and the fix. `elsewhere` says how to choose another place. */
export function whyNot(code: string, elsewhere = "choose another folder with --out"): string {
  switch (code) {
    case "EEXIST":
      return "a journal is there already; resume that run, or choose another name with --name";
    case "ENOENT":
      return `its folder does not exist; make it, or ${elsewhere}`;
    case "ENOTDIR":
      return `a part of its path is not a folder; ${elsewhere}`;
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `you may not write there; make it writable, or ${elsewhere}`;
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full; free some space";
    default:
      return `the system said ${code}`;
  }
}

/**
 * Creates a folder and its missing parents one at a time, because `recursive` never returns in some
 * parts of /proc. Returns the new folders, outermost first. Throws the errors of the system.
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
