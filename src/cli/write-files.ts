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
import { makeFolders } from "../world/index.ts";
import { EXIT } from "./exit-code.ts";
import { systemMessage } from "./trouble.ts";
import { UsageProblem } from "./usage-problem.ts";

/** A file that somebody asked for, and what is to stand in it. */
export type WantedFile = { readonly path: string; readonly text: string };

/** What was made on the way to the files: texts that lie beside their places, and folders. */
type Made = {
  readonly drafts: { readonly path: string; readonly draft: string }[];
  readonly folders: string[];
};

/**
 * Writes the files of one answer, and makes the folders that they are to lie in. Each is written
 * beside its place and all are put there at the end, so that a disk that fills up leaves no half of
 * a file and none without the others, and takes nothing that stood there before. What is no plain
 * file, as a device, a pipe or a link, is written to as it is.
 * @throws a UsageProblem that names the file that cannot be written.
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

/** The system names no path where a disk is full, and that of the draft where it names one. */
const naming = (path: string, work: () => void): void => {
  try {
    work();
  } catch (error) {
    const message = systemMessage(error, path);
    if (message === null) throw error;
    throw new UsageProblem(message, EXIT.couldNotRun);
  }
};
