import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, normalize } from "node:path";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { jsonIn } from "../kernel/index.ts";
import { sha256 } from "../world/index.ts";

/** A file to pack: its path on this machine, and its path in the pack, with `/`. */
export type PackedFile = { readonly from: string; readonly to: string };

type Entry = { readonly path: string; readonly bytes: number };

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const HEAD_BYTES = 4;
/** More than any pack that this program makes. */
const UNPACKED_BYTES_MAX = 2_000_000_000;

/** A set of files as one buffer, and the hash of their paths and contents. */
export type FilePack = { readonly hash: string; readonly bytes: Buffer };

/**
 * Packs files into one buffer: the length of a list, the list as JSON, and the contents.
 * @throws Error if a file cannot be read.
 */
export const packFiles = async (files: readonly PackedFile[]): Promise<FilePack> => {
  const sorted = files.toSorted((a, b) => (a.to < b.to ? -1 : 1));
  const contents = sorted.map(({ from }) => readFileSync(from));
  const entries = sorted.map(({ to }, at): Entry => {
    return { path: to, bytes: contents[at]?.length ?? 0 };
  });
  const list = Buffer.from(JSON.stringify(entries));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(list.length);
  const all = Buffer.concat([head, list, ...contents]);
  return { hash: sha256(all), bytes: await compress(all) };
};

/** Packs all files of a folder. @throws Error if the folder cannot be read. */
export const packFolder = (folder: string): Promise<FilePack> =>
  packFiles(filesIn(folder, () => true));

/** The files below a folder, links followed. `isWanted` gets the name of a file or a folder. */
export const filesIn = (
  folder: string,
  isWanted: (name: string) => boolean,
): readonly PackedFile[] =>
  readdirSync(folder)
    .filter(isWanted)
    .flatMap((name): readonly PackedFile[] => {
      const from = join(folder, name);
      const found = statSync(from, { throwIfNoEntry: false });
      if (found?.isFile() === true) return [{ from, to: name }];
      if (found?.isDirectory() !== true) return [];
      return filesIn(from, isWanted).map((file) => ({ ...file, to: `${name}/${file.to}` }));
    });

/**
 * Unpacks into `folder`, which appears complete or not at all. Keeps a folder that exists.
 * @throws Error if the pack is damaged or names a file outside the folder.
 */
export const unpackFiles = async (pack: Buffer, folder: string): Promise<void> => {
  if (exists(folder)) return;
  const all = await decompress(pack, { maxOutputLength: UNPACKED_BYTES_MAX });
  const start = HEAD_BYTES + all.readUInt32BE();
  const entries = entriesIn(all.subarray(HEAD_BYTES, start).toString());
  const draft = `${folder}.part`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  let at = start;
  for (const { path, bytes } of entries) {
    const file = join(draft, safePath(path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, all.subarray(at, at + bytes));
    at += bytes;
  }
  renameSync(draft, folder);
};

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** The list comes from the network, so nothing about it is taken for granted. */
const safePath = (path: string): string => {
  const clean = normalize(path);
  const isInside = !isAbsolute(clean) && clean !== "." && !/^\.\.([/\\]|$)/.test(clean);
  if (isInside && !path.includes("\0")) return clean;
  throw new Error("the pack of files names a file outside its folder");
};

const entriesIn = (text: string): readonly Entry[] => {
  const value = jsonIn(text);
  if (Array.isArray(value) && value.every(isEntry)) return value;
  throw new Error("the pack of files is damaged");
};

const isEntry = (value: unknown): value is Entry =>
  typeof value === "object" &&
  value !== null &&
  "path" in value &&
  typeof value.path === "string" &&
  "bytes" in value &&
  Number.isSafeInteger(value.bytes);
