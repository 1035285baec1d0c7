import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { type FileHandle, link, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { INFLATED_BYTES_MAX } from "../core/packed-json.ts";
import { errorCode, makeFolders, whyNot } from "../journal/index.ts";
import type { Checkpoint } from "./checkpoint.ts";
import {
  DOCUMENT_BOUNDS,
  type DocumentBounds,
  FIRST_LINE_BYTES_MAX,
  opened,
  sealed,
  type Unreadable,
  whyUnreadable,
} from "./envelope.ts";

type Wrote =
  | { readonly ok: true; readonly bytes: number }
  | {
      readonly ok: false;
      readonly problem: string;
      /** True if something other than this checkpoint is already at the path. */
      readonly isTaken: boolean;
    };

/**
 * Writes a checkpoint without blocking the event loop. Creates the folder if necessary. The file
 * appears complete or not at all, and is on disk when the promise resolves. If a file with the same
 * content exists, it counts as written. Any other file is left unchanged and reported as a problem.
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

type Parts = readonly Uint8Array[];

const sizeOf = (parts: Parts): number => parts.reduce((sum, part) => sum + part.length, 0);

/** Creates a complete file atomically. Throws EEXIST if the path already exists. */
const publish = async (path: string, parts: Parts): Promise<void> => {
  const draft = `${path}.${randomBytes(4).toString("hex")}.part`;
  const file = await open(draft, "wx");
  try {
    await written(file, parts);
    // A hard link is atomic and, unlike a rename, never replaces another file.
    await link(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(path));
};

const written = async (file: FileHandle, parts: Parts): Promise<void> => {
  try {
    await file.writeFile(parts);
    await file.sync();
  } finally {
    await file.close();
  }
};

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const UNREADABLE = "a file that cannot be read is there; ";

/** Describes what is at the path. Returns null if this checkpoint is at the path. */
const whatElse = async (path: string, parts: Parts): Promise<string | null> => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "a broken link is there; ";
  if (found.isDirectory()) return "a folder is there; ";
  // A pipe is not read, because reading it would wait for a writer.
  if (!found.isFile()) return "a pipe or a device is there; ";
  const isIt = found.size === sizeOf(parts) && Buffer.concat(parts).equals(await readFile(path));
  return isIt ? null : "another file is there already; move it away or ";
};

type CheckpointRead =
  | { readonly ok: true; readonly checkpoint: Checkpoint }
  | {
      readonly ok: false;
      readonly problem: string;
      /** True for a file of another kind. */
      readonly isForeign: boolean;
    };

/** Reads a checkpoint or returns a problem. `bounds` limits the time that a hostile file takes. */
export const readCheckpoint = (
  path: string,
  bounds: DocumentBounds = DOCUMENT_BOUNDS,
): CheckpointRead => {
  const refuse = (why: string, isForeign = false): CheckpointRead => {
    return { ok: false, problem: `${path} ${why}`, isForeign };
  };
  try {
    const bytes = bytesAt(path);
    if ("why" in bytes) return refuse(bytes.why, bytes.isForeign);
    const decoded = opened(bytes, bounds);
    return decoded.ok ? decoded : refuse(decoded.problem);
  } catch (error) {
    return refuse(`cannot be read: ${whyUnread(errorCode(error))}`);
  }
};

const bytesAt = (path: string): Uint8Array | Unreadable => {
  const found = statSync(path, { throwIfNoEntry: false });
  const wrong = (what: string, cure = "give the path of a .ckpt file"): Unreadable => {
    return { why: `${what}; ${cure}`, isForeign: false };
  };
  if (found === undefined) return wrong("does not exist");
  if (found.isDirectory()) return wrong("is a folder");
  if (!found.isFile()) return wrong("is not a file");
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(Math.min(FIRST_LINE_BYTES_MAX, fstatSync(file).size));
    readSync(file, start);
    const unreadable = whyUnreadable(start);
    if (unreadable !== null) return unreadable;
    if (found.size > INFLATED_BYTES_MAX)
      return wrong("is too large for a checkpoint", "give the path of another .ckpt file");
    return readFileSync(path);
  } finally {
    closeSync(file);
  }
};

const whyUnread = (code: string): string => {
  if (code === "EACCES" || code === "EPERM") return "you have no permission; make it readable";
  return code === "ENOTDIR" ? "a part of its path is not a folder" : `the system reported ${code}`;
};
