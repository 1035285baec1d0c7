import { randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { systemMessage } from "../../text/index.ts";
import { makeFolders } from "../../world/index.ts";

/** A file to write: text in UTF-8, or bytes. */
export type OutputFile = { readonly path: string; readonly content: string | Uint8Array };

/** An output file that cannot be made. The message names the file. */
class FileFailure extends Error {
  /** `WrongPath` if another path has to be given. */
  override readonly name: "FileFailure" | "WrongPath";

  constructor(message: string, name: FileFailure["name"] = "FileFailure") {
    super(message);
    this.name = name;
  }
}

type Made = {
  readonly drafts: { readonly path: string; readonly draft: string }[];
  readonly folders: string[];
};

/**
 * Writes all files or none, and creates their folders. Devices, pipes and links are written
 * directly.
 * @throws FileFailure that names the file that cannot be written.
 */
export const writeFiles = (files: readonly OutputFile[]): void => {
  fillFiles(
    files.map(({ path }) => path),
    (drafts) => {
      for (const [at, { path, content }] of files.entries()) {
        naming(path, () => writeFileSync(drafts[at] ?? path, content));
      }
    },
  );
};

/**
 * Calls `fill` with a draft for each path, in the same folder, and renames all drafts at the end.
 * So a full disk leaves existing files unchanged. The draft of a device, a pipe or a link is its
 * path.
 * @throws FileFailure that names the file that cannot be made.
 */
export const fillFiles = <Result>(
  paths: readonly string[],
  fill: (drafts: readonly string[]) => Result,
): Result => {
  const made: Made = { drafts: [], folders: [] };
  try {
    const result = fill(paths.map((path) => naming(path, () => draftOf(path, made))));
    for (const { path, draft } of made.drafts) naming(path, () => renameSync(draft, path));
    return result;
  } finally {
    for (const { draft } of made.drafts) rmSync(draft, { force: true });
    for (const folder of made.folders.toReversed()) {
      if (readdirSync(folder).length === 0) rmdirSync(folder);
    }
  }
};

/** Makes an empty draft with the mode of the file that it will replace. */
const draftOf = (path: string, made: Made): string => {
  const folder = dirname(path);
  const file = fileAbove(folder);
  if (file !== null) {
    throw new FileFailure(`${file}: it is not a folder; choose another path`, "WrongPath");
  }
  made.folders.push(...naming(folder, () => makeFolders(folder)));
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory() === true) {
    throw new FileFailure(`${path}: it is a folder; name a file in it`, "WrongPath");
  }
  if (there !== undefined && !there.isFile()) return path;
  if (there !== undefined) accessSync(path, constants.W_OK);
  const draft = `${path}.${randomUUID().slice(0, 8)}.new`;
  made.drafts.push({ path, draft });
  writeFileSync(draft, "");
  if (there !== undefined) chmodSync(draft, there.mode & 0o777);
  return draft;
};

/**
 * Adds `path` to a system error in `work`, because the error names the draft file or no file.
 * @throws FileFailure for a system error.
 */
export const naming = <Result>(path: string, work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    const message = systemMessage(error, path);
    if (message === null) throw error;
    throw new FileFailure(message);
  }
};

/** The nearest part of a path that exists, if it is not a folder. */
const fileAbove = (folder: string): string | null => {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found !== undefined) return found.isDirectory() ? null : folder;
  const above = dirname(folder);
  return above === folder ? null : fileAbove(above);
};

export type CsvCell = string | number | boolean | null | undefined;

/**
 * A line of CSV (RFC 4180). Quotes fields with quotes, commas or line breaks. A missing value is an
 * empty field, and an empty text is a quoted empty field.
 */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(field).join(",")}\r\n`;

const field = (cell: CsvCell): string => {
  if (cell === "") return '""';
  const text = String(cell ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
