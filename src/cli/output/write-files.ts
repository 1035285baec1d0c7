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
 * Writes all files or none, and creates their folders. Each file is first written to a draft in
 * the same folder. All drafts are renamed at the end, so a full disk leaves existing files
 * unchanged. Devices, pipes and links are written directly.
 * @throws CliError that names the file that cannot be written.
 */
export const writeFiles = (files: readonly WantedFile[]): void => {
  const made: Made = { drafts: [], folders: [] };
  try {
    for (const file of files) naming(file.path, () => write(file, made));
    for (const { path, draft } of made.drafts) naming(path, () => renameSync(draft, path));
  } finally {
    for (const { draft } of made.drafts) rmSync(draft, { force: true });
    for (const folder of made.folders.toReversed()) {
      if (readdirSync(folder).length === 0) rmdirSync(folder);
    }
  }
};

const write = ({ path, text }: WantedFile, made: Made): void => {
  made.folders.push(...makeFolders(dirname(path)));
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory() === true)
    throw new CliError(`${path}: it is a folder; name a file in it`);
  if (there !== undefined && !there.isFile()) {
    writeFileSync(path, text);
    return;
  }
  if (there !== undefined) accessSync(path, constants.W_OK);
  const draft = `${path}.${randomUUID().slice(0, 8)}.new`;
  made.drafts.push({ path, draft });
  writeFileSync(draft, text);
  if (there !== undefined) chmodSync(draft, there.mode & 0o777);
};

/** Adds `path` to a system error in `work`, because the error names the draft file or no file. */
const naming = (path: string, work: () => void): void => {
  try {
    work();
  } catch (error) {
    const message = systemMessage(error, path);
    if (message === null) throw error;
    throw new CliError(message, EXIT.couldNotRun);
  }
};
