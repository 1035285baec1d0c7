import { readFileSync } from "node:fs";
import { getSystemErrorMap } from "node:util";
import { type Problem, problemOf } from "./problem.ts";

export type TextRead =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: Problem };

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Reads a file of UTF-8 text; whatever the system or the bytes have against it is the problem. */
export const readText = (file: string): TextRead => {
  try {
    return { ok: true, text: UTF8.decode(readFileSync(file)) };
  } catch (error) {
    return { ok: false, problem: problemOf(file, `cannot be read: ${reasonOf(error)}`) };
  }
};

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if ("errno" in error && typeof error.errno === "number") {
    return getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
  }
  return "it is not UTF-8 text";
};
