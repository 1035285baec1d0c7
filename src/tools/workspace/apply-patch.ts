import { applyPatch, parsePatch, type StructuredPatch } from "diff";
import { type FilesChanged, missing, withFile, withoutFile } from "./edit.ts";
import { type Files, readPath } from "./files.ts";

const NONE = "/dev/null";

/**
 * Applies a unified diff of one or several files, all or nothing. `/dev/null` as the old name
 * creates a file, as the new name it deletes one.
 */
export const withPatch = (files: Files, text: string): FilesChanged => {
  const parsed = patchesIn(text);
  if (typeof parsed === "string") return { ok: false, problem: parsed };
  let after = files;
  const done: string[] = [];
  for (const patch of parsed) {
    const changed = withOne(after, patch);
    if (!changed.ok) return { ok: false, problem: `nothing was changed: ${changed.problem}` };
    after = changed.files;
    done.push(changed.text);
  }
  return { ok: true, files: after, text: done.join("\n") };
};

const patchesIn = (text: string): readonly StructuredPatch[] | string => {
  try {
    const found = parsePatch(text).filter(({ hunks }) => hunks.length > 0);
    return found.length > 0
      ? found
      : "the patch has no changes; it is a unified diff with @@ lines";
  } catch (error) {
    // The library throws for text that is not a diff.
    return `the patch is not a unified diff: ${error instanceof Error ? error.message : error}`;
  }
};

const withOne = (files: Files, patch: StructuredPatch): FilesChanged => {
  const from = nameOf(patch.oldFileName);
  const to = nameOf(patch.newFileName);
  const name = to === NONE ? from : to;
  if (name === NONE) return { ok: false, problem: "a change names no file" };
  const read = readPath(name, files);
  if (!read.ok) return read;
  const { path } = read;
  if (from !== NONE && from !== name) {
    return { ok: false, problem: `${from} and ${name} differ; a patch cannot rename a file` };
  }
  const before = files.get(path);
  if (from === NONE && before !== undefined) return { ok: false, problem: `${path} exists` };
  if (from !== NONE && before === undefined) return { ok: false, problem: missing(files, path) };
  const work = workProblem(before ?? "", patch);
  if (work !== null) return { ok: false, problem: `${path}: ${work}` };
  const after = applyPatch(before ?? "", patch);
  if (after === false) {
    return { ok: false, problem: `${path} does not have the lines of the patch; read it again` };
  }
  return to === NONE ? withoutFile(files, path) : withFile(files, path, after);
};

/** Git writes `a/` and `b/` before the names of files. */
const nameOf = (name: string | undefined): string =>
  name === undefined || name === NONE ? NONE : name.replace(/^[ab]\//, "");

/** How many lines the library may compare: it tries each hunk at many places of the file. */
const COMPARISONS_MAX = 1_000_000;

/** Why a patch could keep the library busy for long, or null. */
const workProblem = (before: string, { hunks }: StructuredPatch): string | null => {
  const lines = before.split("\n").length;
  const beyond = hunks.find(({ oldStart, oldLines }) => oldStart + oldLines > lines + 2);
  if (beyond !== undefined) {
    return `a hunk is at line ${beyond.oldStart}, but the file has ${lines} lines`;
  }
  const patched = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  return patched * lines <= COMPARISONS_MAX
    ? null
    : "the patch is too long for a file of this length; write the file instead";
};
