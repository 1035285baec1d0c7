import { readFileSync, statSync } from "node:fs";
import { getSystemErrorMap } from "node:util";
import { type Problem, problemOf } from "./problem.ts";

export type TextRead =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: Problem };

const UTF8 = new TextDecoder("utf-8", { fatal: true });
/** Far more than a person writes, and little enough to be read at once. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;

/** Reads a file of UTF-8 text; whatever the system or the bytes have against it is the problem. */
export const readText = (file: string): TextRead => {
  try {
    // What has no size of its own, such as a pipe, is measured when it has been read.
    const size = statSync(file).size;
    const bytes = size > TEXT_BYTES_MAX ? null : readFileSync(file);
    if (bytes === null || bytes.length > TEXT_BYTES_MAX)
      return tooLong(file, bytes?.length ?? size);
    return { ok: true, text: UTF8.decode(bytes) };
  } catch (error) {
    return { ok: false, problem: problemOf(file, `cannot be read: ${reasonOf(error)}`) };
  }
};

const tooLong = (file: string, bytes: number): TextRead => {
  const message = `is ${bytes} bytes long, the most is ${TEXT_BYTES_MAX}`;
  return { ok: false, problem: problemOf(file, message) };
};

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "EISDIR") return "it is a folder; name a file in it";
  if ("errno" in error && typeof error.errno === "number") {
    return getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
  }
  return "it is not UTF-8 text";
};
