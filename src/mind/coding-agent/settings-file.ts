import { lstatSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, jsonIn, type Result } from "../../kernel/index.ts";
import { systemMessage } from "../../system-message.ts";

type Placed = Result<{ readonly remove: () => void }>;

/**
 * Adds settings to the JSON file at `path` of a folder, for the time of a turn. `remove` puts the
 * file back as it was. Keys on the first two levels are merged with those that the file has.
 */
export const placeSettings = (folder: string, path: string, value: object): Placed => {
  const file = join(folder, path);
  const parent = dirname(file);
  if ([parent, file].some(isLink)) {
    return { ok: false, problem: `${file} is a link; settings for one turn need a file` };
  }
  try {
    const before = textOf(file);
    const merged = before === null ? value : mergedText(before, value);
    if (merged === null) return { ok: false, problem: `${file} is not an object of JSON` };
    const madeFolder = mkdirSync(parent, { recursive: true }) !== undefined;
    writeFileSync(file, `${JSON.stringify(merged, null, 2)}\n`);
    const remove = (): void => restore({ file, parent, before, madeFolder });
    return { ok: true, remove };
  } catch (error) {
    return { ok: false, problem: systemMessage(error, file) ?? String(error) };
  }
};

type Kept = {
  readonly file: string;
  readonly parent: string;
  readonly before: string | null;
  readonly madeFolder: boolean;
};

const restore = ({ file, parent, before, madeFolder }: Kept): void => {
  try {
    rmSync(file, { force: true });
    if (before !== null) writeFileSync(file, before);
    else if (madeFolder) rmdirSync(parent);
  } catch {
    // The program has changed the folder; what it left there stays.
  }
};

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

const textOf = (file: string): string | null =>
  lstatSync(file, { throwIfNoEntry: false }) === undefined ? null : readFileSync(file, "utf8");

const mergedText = (text: string, value: object): object | null => {
  const old = jsonIn(text);
  if (!isObject(old)) return null;
  const entries = Object.entries(value).map(([key, added]): readonly [string, unknown] => {
    const had = old[key];
    return [key, isObject(had) ? { ...had, ...added } : added];
  });
  return { ...old, ...Object.fromEntries(entries) };
};
