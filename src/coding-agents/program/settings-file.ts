import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isObject, jsonIn, type Result } from "../../kernel/index.ts";
import { systemMessage } from "../../text/index.ts";

/** `restore` puts the file back as it was. Returns why it cannot, or null. */
type Placed = Result<{ readonly restore: () => string | null }>;

/**
 * Adds settings to the JSON file at `path` of a folder, for the time of a turn. Keys on the first
 * two levels are merged with those that the file has. The original is next to the file until it
 * is restored, so that the next turn can restore it if this process is killed.
 */
export const placeSettings = (folder: string, path: string, value: object): Placed => {
  const file = join(folder, path);
  const places = { file, parent: dirname(file), original: `${file}.before-turn` };
  try {
    const link = linkIn(places);
    if (link !== null) return refused(`${link}; settings for one turn need a file`);
    const problem = exists(places.original) ? restored(places, null) : null;
    if (problem !== null) return refused(problem);
    const before = textOf(file);
    const merged = before === null ? value : mergedText(before, value);
    if (merged === null) return refused(`${file} is not an object of JSON`);
    mkdirSync(places.parent, { recursive: true });
    if (before === null) writeFileSync(places.original, NO_ORIGINAL);
    else renameSync(file, places.original);
    writeFileSync(file, `${JSON.stringify(merged, null, 2)}\n`, { flag: "wx" });
    return { ok: true, restore: () => restored(places, before) };
  } catch (error) {
    return refused(systemMessage(error, file) ?? String(error));
  }
};

const refused = (problem: string) => ({ ok: false, problem }) as const;

type Places = {
  readonly file: string;
  readonly parent: string;
  /** Has the original file as long as the settings of a turn are in its place. */
  readonly original: string;
};

/** Stands for an original that did not exist. Settings are never empty. */
const NO_ORIGINAL = "";

/** A program can have deleted the original, whose text was `before`. */
const restored = (places: Places, before: string | null): string | null => {
  const { file, parent, original } = places;
  const problem = (why: string): string => `${file} cannot be restored from ${original}: ${why}`;
  try {
    const link = linkIn(places);
    if (link !== null) return problem(link);
    const kept = textOf(original);
    const text = kept ?? before ?? NO_ORIGINAL;
    if (text === NO_ORIGINAL) {
      for (const each of [file, original]) rmSync(each, { force: true });
      if (exists(parent) && readdirSync(parent).length === 0) rmdirSync(parent);
    } else if (kept === null) {
      mkdirSync(parent, { recursive: true });
      writeFileSync(file, text);
    } else {
      renameSync(original, file);
    }
    return null;
  } catch (error) {
    return problem(systemMessage(error, null) ?? String(error));
  }
};

const linkIn = ({ parent, file, original }: Places): string | null => {
  const link = [parent, file, original].find(isLink);
  return link === undefined ? null : `${link} is a link`;
};

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

const textOf = (file: string): string | null => (exists(file) ? readFileSync(file, "utf8") : null);

const mergedText = (text: string, value: object): object | null => {
  const old = jsonIn(text);
  if (!isObject(old)) return null;
  const entries = Object.entries(value).map(([key, added]): readonly [string, unknown] => {
    const had = old[key];
    return [key, isObject(had) ? { ...had, ...added } : added];
  });
  return { ...old, ...Object.fromEntries(entries) };
};
