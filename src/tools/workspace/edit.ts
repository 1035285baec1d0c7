import { FILE_CHARS_MAX, FILES_MAX, type Files } from "./files.ts";

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

type Replacement = { readonly path: string; readonly old: string; readonly new: string };

/** Replaces a text that occurs exactly once in a file. */
export const withReplacement = (
  files: Files,
  { path, old, new: text }: Replacement,
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
