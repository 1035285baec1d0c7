import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { type FileHandle, link, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolders } from "../folders.ts";
import { errorCode, whyNot } from "../journal/index.ts";
import { INFLATED_BYTES_MAX } from "../zstd.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { Decoded } from "./checkpoint-codec.ts";
import {
  FIRST_LINE_BYTES_MAX,
  opened,
  READING,
  type Reading,
  sealed,
  whyForeign,
} from "./envelope.ts";

export type Wrote =
  | { readonly ok: true; readonly bytes: number }
  | {
      readonly ok: false;
      readonly problem: string;
      /** True where something else is there already. */
      readonly isTaken: boolean;
    };

/**
 * Writes a checkpoint, and the folder for it. The file appears whole or not at all, and is on disk
 * when this resolves. A file that is there is never replaced: with the same content it is the
 * checkpoint, with any other it is a problem. Other work goes on meanwhile.
 */
export const writeCheckpoint = async (path: string, checkpoint: Checkpoint): Promise<Wrote> => {
  const refuse = (why: string, isTaken = false): Wrote => ({
    ok: false,
    problem: `cannot write the checkpoint ${path}: ${why}`,
    isTaken,
  });
  const made = await sealed(checkpoint);
  if (!made.ok) return refuse(made.problem);
  try {
    for (const made of makeFolders(dirname(path))) await syncFolder(dirname(made));
    await publish(path, made.parts);
  } catch (error) {
    const code = errorCode(error);
    if (code !== "EEXIST") return refuse(whyNot(code, "choose another path"));
    const other = await whatElse(path, made.parts).catch(() => UNREADABLE);
    if (other !== null) return refuse(`${other}choose another path`, true);
  }
  return { ok: true, bytes: sizeOf(made.parts) };
};

/** What a file shall hold, one part after the other. */
type Parts = readonly Uint8Array[];

const sizeOf = (parts: Parts): number => parts.reduce((sum, part) => sum + part.length, 0);

const holds = (bytes: Buffer, parts: Parts): boolean => {
  let at = 0;
  return parts.every((part) => {
    const from = at;
    at += part.length;
    return bytes.subarray(from, at).equals(part);
  });
};

/** Puts a file in place with all that is in it, unless one is there; then it throws EEXIST. */
const publish = async (path: string, parts: Parts): Promise<void> => {
  const draft = `${path}.${randomBytes(4).toString("hex")}.part`;
  const file = await open(draft, "wx");
  try {
    await written(file, parts);
    // A hard link is made in one step and, unlike a renaming, never in place of another file.
    await link(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(path));
};

/** All is on disk, or this throws; the file is closed in any case. */
const written = async (file: FileHandle, parts: Parts): Promise<void> => {
  try {
    await file.writeFile(parts);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** The entry in the folder must be on disk, not only the file. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const UNREADABLE = "what is there cannot be read; ";

/** What stands in the place of a checkpoint; null when it is that very one. */
const whatElse = async (path: string, parts: Parts): Promise<string | null> => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "a link to nothing is there; ";
  if (found.isDirectory()) return "a folder is there; ";
  // Reading a pipe would wait for somebody to write to it.
  if (!found.isFile()) return "a pipe or a device is there; ";
  const isIt = found.size === sizeOf(parts) && holds(await readFile(path), parts);
  return isIt ? null : "another file is there already; move it away or ";
};

/**
 * The checkpoint in a file, or in one line why there is none that this program could use. However
 * the file came about, it takes neither longer nor more memory than a checkpoint of its size would.
 */
export const readCheckpoint = (path: string, reading: Reading = READING): Decoded => {
  const refuse = (why: string): Decoded => ({ ok: false, problem: `${path} ${why}` });
  try {
    const bytes = bytesAt(path);
    if (typeof bytes === "string") return refuse(bytes);
    const decoded = opened(bytes, reading);
    return decoded.ok ? decoded : refuse(decoded.problem);
  } catch (error) {
    return refuse(`cannot be read: ${whyUnread(errorCode(error))}`);
  }
};

/** What is in the file, or why it is not read. */
const bytesAt = (path: string): Uint8Array | string => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "is not there; give the path of a .ckpt file";
  if (found.isDirectory()) return "is a folder; give the path of a .ckpt file";
  if (!found.isFile()) return "is not a file; give the path of a .ckpt file";
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(Math.min(FIRST_LINE_BYTES_MAX, fstatSync(file).size));
    readSync(file, start);
    const foreign = whyForeign(start);
    if (foreign !== null) return foreign;
    if (found.size > INFLATED_BYTES_MAX) return "is larger than any checkpoint";
    return readFileSync(path);
  } finally {
    closeSync(file);
  }
};

const whyUnread = (code: string): string => {
  if (code === "EACCES" || code === "EPERM") return "you may not read it; make it readable";
  return code === "ENOTDIR" ? "a part of its path is no folder" : `the system said ${code}`;
};
