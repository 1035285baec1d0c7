import { isObject, jsonIn, type Patch, patchOf } from "../../kernel/index.ts";

/** The files of a workspace: texts by path. Paths are relative and have no `.` or `..`. */
export type Files = ReadonlyMap<string, string>;

export const FILES_MAX = 200;
export const FILE_CHARS_MAX = 100_000;
const PATH_CHARS_MAX = 200;
const PATH_PARTS_MAX = 8;
const PART = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/**
 * Reads the content of a workspace artifact. Other content, written by an action, is one file. A
 * text whose path no tool could name is not a file.
 */
export const filesIn = (content: string): Files => {
  const stored = storedTexts(content);
  if (stored === null) return new Map([["content.txt", content]]);
  return new Map([...stored].filter(([path]) => pathProblem(path) === null));
};

/** The texts of a workspace artifact by path, or null if its content is not an object. */
const storedTexts = (content: string): Files | null => {
  const found = content === "" ? {} : jsonIn(content);
  if (!isObject(found)) return null;
  const texts = Object.entries(found).flatMap(([path, text]) =>
    typeof text === "string" ? [[path, text] as const] : [],
  );
  return new Map(texts);
};

/** The change that makes `after` of a workspace's content, or null if there is none to make. */
export const filesPatch = (content: string, after: Files): Patch | null => {
  const before = storedTexts(content) ?? new Map();
  const isSame = (path: string): boolean => before.get(path) === after.get(path);
  if (before.size === after.size && [...after.keys()].every(isSame)) return null;
  return patchOf(Object.fromEntries(before), Object.fromEntries(after));
};

export type PathRead =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a path as a tool gets it: `./notes/plan.md` is `notes/plan.md`. Refuses everything that
 * could mean a place outside of the workspace, and names that some systems take for equal.
 */
export const readPath = (given: string, files: Files): PathRead => {
  const path = given.replace(/^(\.\/)+/, "");
  const problem = pathProblem(path);
  if (problem !== null) return { ok: false, problem: `path ${JSON.stringify(given)}: ${problem}` };
  const other = [...files.keys()].find(
    (known) => known !== path && known.toLowerCase() === path.toLowerCase(),
  );
  if (other !== undefined) {
    return { ok: false, problem: `path ${path}: ${other} differs only in case; use that path` };
  }
  return { ok: true, path };
};

const pathProblem = (path: string): string | null => {
  const parts = path.split("/");
  if (path === "") return "name a file, such as notes.md";
  if (path.length > PATH_CHARS_MAX) return `it has more than ${PATH_CHARS_MAX} characters`;
  if (parts.length > PATH_PARTS_MAX) return `it has more than ${PATH_PARTS_MAX} parts`;
  if (path.startsWith("/")) return "paths are relative to your workspace; omit the first /";
  if (parts.includes("..")) return "there is nothing outside of your workspace; omit ..";
  const odd = parts.find((part) => !PART.test(part) || part === "__proto__");
  return odd === undefined
    ? null
    : "use letters, digits, _, - and . in names, and a letter, digit or _ first";
};

/** The content of a workspace artifact with these files. */
export const contentWith = (files: Files): string => JSON.stringify(Object.fromEntries(files));

/** Why a workspace with these files would be too large, or null. */
export const sizeProblem = (files: Files, bytesMax: number): string | null => {
  const bytes = Buffer.byteLength(contentWith(files));
  return bytes <= bytesMax
    ? null
    : `the workspace would take ${bytes} bytes, but it can have ${bytesMax}`;
};
