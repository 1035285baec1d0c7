import { applyPatch, parsePatch, type StructuredPatch } from "diff";
import {
  FILE_CHARS_MAX,
  FILES_MAX,
  type Files,
  type PathRead,
  readPath,
  sizeProblem,
} from "./files.ts";

export type FilesChanged =
  | { readonly ok: true; readonly files: Files; readonly text: string }
  | { readonly ok: false; readonly problem: string };

const refused = (problem: string): FilesChanged => ({ ok: false, problem });

export const withFile = (files: Files, path: string, text: string): FilesChanged => {
  if (text.length > FILE_CHARS_MAX) {
    return refused(`${path} would have ${text.length} characters; a file has ${FILE_CHARS_MAX}`);
  }
  if (!text.isWellFormed() || text.includes("\0")) {
    return refused(`${path}: the text must be Unicode without NUL`);
  }
  if (!files.has(path) && files.size >= FILES_MAX) {
    return refused(`the workspace has its maximum of ${FILES_MAX} files; delete one first`);
  }
  const isFolder = [...files.keys()].some((known) => known.startsWith(`${path}/`));
  if (isFolder) return refused(`${path} is a folder; choose another name for the file`);
  const above = path.split("/").map((_, at, parts) => parts.slice(0, at).join("/"));
  const file = above.find((folder) => files.has(folder));
  if (file !== undefined) return refused(`${file} is a file; it cannot hold ${path}`);
  const verb = files.has(path) ? "replaced" : "wrote";
  const changed = new Map(files).set(path, text);
  return { ok: true, files: changed, text: `${verb} ${path}, ${lineCount(text)} lines` };
};

export const withoutFile = (files: Files, path: string): FilesChanged => {
  const changed = new Map(files);
  if (!changed.delete(path)) return refused(missing(files, path));
  return { ok: true, files: changed, text: `deleted ${path}` };
};

/**
 * The files with all of these changes, or why the workspace cannot have them. A null text deletes
 * its file.
 */
export const withChanges = (
  files: Files,
  changes: Iterable<readonly [path: string, text: string | null]>,
  bytesMax: number,
): Files | string => {
  let after = files;
  for (const [given, text] of changes) {
    const read: PathRead = after.has(given) ? { ok: true, path: given } : readPath(given, after);
    if (!read.ok) return read.problem;
    const { path } = read;
    const changed = text === null ? withoutFile(after, path) : withFile(after, path, text);
    if (!changed.ok) return changed.problem;
    after = changed.files;
  }
  return sizeProblem(after, bytesMax) ?? after;
};

/** Replaces a text that occurs exactly once in a file. */
export const withReplacement = (
  files: Files,
  path: string,
  old: string,
  text: string,
): FilesChanged => {
  const before = files.get(path);
  if (before === undefined) return refused(missing(files, path));
  if (old === "") return refused("old_text is empty; to write a whole file, use write_file");
  const at = before.indexOf(old);
  if (at === -1) return refused(`${path} does not contain old_text; read it, and copy it exactly`);
  if (before.indexOf(old, at + 1) !== -1) {
    return refused(`${path} contains old_text more than once; add lines around it`);
  }
  const after = before.slice(0, at) + text + before.slice(at + old.length);
  const changed = withFile(files, path, after);
  if (!changed.ok) return changed;
  const line = lineCount(before.slice(0, at));
  return { ...changed, text: `edited ${path} at line ${line}` };
};

/** Says that a file is missing, and names the files that exist. */
export const missing = (files: Files, path: string): string => {
  const known = [...files.keys()];
  const shown = known.slice(0, NAMED_MAX).join(", ");
  const more = known.length > NAMED_MAX ? ` and ${known.length - NAMED_MAX} more` : "";
  return `there is no ${path}; your files are: ${known.length === 0 ? "none" : shown + more}`;
};

const NAMED_MAX = 20;

const lineCount = (text: string): number => text.split("\n").length;

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
