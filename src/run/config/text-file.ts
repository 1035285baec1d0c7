import { readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { getSystemErrorMap } from "node:util";
import { notAFile } from "../../world/index.ts";
import { problemOf, type Reading, refused } from "./problem.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true });
const TEXT_BYTES_MAX = 4 * 1024 * 1024;

/** Reads a file of UTF-8 text. Refuses a file of more than 4 MiB. */
export const readText = (file: string): Reading<{ readonly text: string }> => {
  try {
    // The size is checked again after reading, because pipes and devices report a size of 0.
    const size = statSync(file).size;
    const bytes = size > TEXT_BYTES_MAX ? null : readFileSync(file);
    if (bytes !== null && bytes.length <= TEXT_BYTES_MAX) {
      return { ok: true, text: UTF8.decode(bytes) };
    }
    const message = `has ${bytes?.length ?? size} bytes; the maximum is ${TEXT_BYTES_MAX}`;
    return refused(problemOf(file, message));
  } catch (error) {
    return refused(problemOf(file, `cannot be read: ${reasonOf(error)}`));
  }
};

/**
 * Reads a file of a folder that somebody else may have made. Links, pipes and devices are refused:
 * nothing outside of the folder is read, and nothing waits.
 */
export const readPlainText = (file: string): Reading<{ readonly text: string }> => {
  const other = notAFile(file);
  return other === null ? readText(file) : refused(problemOf(file, other));
};

/** Reads a file below `folder`. A link is followed if its target is below `folder` too. */
export const readTextIn = (folder: string, path: string): Reading<{ readonly text: string }> => {
  const file = join(folder, path);
  try {
    const real = realpathSync(file);
    const isInside = real.startsWith(realpathSync(folder) + sep);
    if (!isInside) return refused(problemOf(file, `is a link to ${real}, outside of ${folder}`));
    return readPlainText(real);
  } catch (error) {
    return refused(problemOf(file, `cannot be read: ${reasonOf(error)}`));
  }
};

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "EISDIR") return "it is a folder; name a file in it";
  if ("errno" in error && typeof error.errno === "number") {
    return getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
  }
  return "it is not UTF-8 text";
};
