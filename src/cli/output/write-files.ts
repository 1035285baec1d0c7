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
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { makeFolders } from "../../world/index.ts";
import { CliError, EXIT, systemMessage } from "../exit.ts";

export type WantedFile = { readonly path: string; readonly text: string };

type Made = {
  readonly drafts: { readonly path: string; readonly draft: string }[];
  readonly folders: string[];
};

/**
 * Writes all files or none, and creates their folders. Devices, pipes and links are written
 * directly.
 * @throws CliError that names the file that cannot be written.
 */
export const writeFiles = (files: readonly WantedFile[]): void => {
  fillFiles(
    files.map(({ path }) => path),
    (drafts) => {
      for (const [at, { path, text }] of files.entries()) {
        naming(path, () => writeFileSync(drafts[at] ?? path, text));
      }
    },
  );
};

/**
 * Calls `fill` with a draft for each path, in the same folder, and renames all drafts at the end.
 * So a full disk leaves existing files unchanged. The draft of a device, a pipe or a link is its
 * path.
 * @throws CliError that names the file that cannot be made.
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
  made.folders.push(...makeFolders(dirname(path)));
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory() === true)
    throw new CliError(`${path}: it is a folder; name a file in it`);
  if (there !== undefined && !there.isFile()) return path;
  if (there !== undefined) accessSync(path, constants.W_OK);
  const draft = `${path}.${randomUUID().slice(0, 8)}.new`;
  made.drafts.push({ path, draft });
  writeFileSync(draft, "");
  if (there !== undefined) chmodSync(draft, there.mode & 0o777);
  return draft;
};

/** Adds `path` to a system error in `work`, because the error names the draft file or no file. */
export const naming = <Result>(path: string, work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    const message = systemMessage(error, path);
    if (message === null) throw error;
    throw new CliError(message, EXIT.couldNotRun);
  }
};
