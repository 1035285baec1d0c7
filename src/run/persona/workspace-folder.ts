import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { WORKSPACE_TYPE } from "../../kernel/index.ts";
import { hasTurns } from "../../mind/index.ts";
import { estimateTokens } from "../../model/index.ts";
import { systemMessage } from "../../text/index.ts";
import {
  contentWith,
  type Files,
  readPath,
  shownFilesText,
  skillsIn,
  withFile,
} from "../../tools/kinds.ts";
import { type Problem, problemOf, type Reading, readText, refused } from "../config/index.ts";
import { kindOf, labelsOf } from "../minds/kinds.ts";

const FOLDER = "workspace";

type WorkspaceRead = Reading<{
  /** The content of the workspace that an agent starts with, or null without a folder. */
  readonly content: string | null;
}>;

/**
 * Reads the files with which the workspace of an agent starts, from the folder of a persona. They
 * have the same limits as files that the agent writes, and must fit on its disk.
 */
export const readWorkspace = (persona: string, diskBytes: number): WorkspaceRead =>
  workspaceIn(join(persona, FOLDER), { diskBytes, isWanted: () => true });

/** Like `readWorkspace`, for any folder. Leaves out hidden files and installed packages. */
export const readWorkspaceFolder = (folder: string, diskBytes: number): WorkspaceRead =>
  workspaceIn(folder, { diskBytes, isWanted: isPlain });

const isPlain = (path: string): boolean => !/(^|\/)(\.|node_modules\/)/.test(path);

type TurnFolder = {
  readonly diskBytes: number;
  /** The files that the folder had at the start. */
  readonly before: Files;
};

/**
 * Reads what a program leaves in its folder, without hidden files and installed packages. A file
 * that a workspace cannot have, such as an image, is as it was `before`, and a problem says why.
 */
export const readTurnFolder = (
  folder: string,
  { diskBytes, before }: TurnFolder,
): Reading<{ readonly files: Files; readonly problems: readonly Problem[] }> => {
  const found = entriesOf(folder, isPlain);
  const { files, problems: own, refusedPaths } = filesFrom(found.entries);
  const problems = [...own, ...found.problems];
  const kept = new Map(files);
  for (const [path, text] of before) {
    if (refusedPaths.has(path) || !isPlain(path)) kept.set(path, text);
  }
  const tooLarge = sizeProblem(folder, contentWith(kept), diskBytes);
  return tooLarge === null ? { ok: true, files: kept, problems } : refused(tooLarge);
};

type Rules = { readonly diskBytes: number; readonly isWanted: (path: string) => boolean };

const workspaceIn = (folder: string, { diskBytes, isWanted }: Rules): WorkspaceRead => {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return { ok: true, content: null };
  if (!found.isDirectory()) {
    return refused(problemOf(folder, "is not a folder", "put the files of the agent in a folder"));
  }
  const read = filesOf(folder, isWanted);
  if (!read.ok) return read;
  const { problems } = skillsIn(read.files);
  if (problems.length > 0) {
    return {
      ok: false,
      problems: problems.map(({ path, problem }) => problemOf(join(folder, path), problem)),
    };
  }
  const content = contentWith(read.files);
  const tooLarge = sizeProblem(folder, content, diskBytes);
  return tooLarge === null ? { ok: true, content } : refused(tooLarge);
};

const sizeProblem = (folder: string, content: string, diskBytes: number): Problem | null => {
  const bytes = Buffer.byteLength(content) + WORKSPACE_TYPE.length;
  if (bytes <= diskBytes) return null;
  const message = `takes ${bytes} bytes, but the disk of an agent has ${diskBytes}`;
  return problemOf(folder, message, "delete files, or raise resources.stock.disk_bytes");
};

const filesOf = (
  folder: string,
  isWanted: Rules["isWanted"],
): Reading<{ readonly files: Files }> => {
  const found = entriesOf(folder, isWanted);
  const [first] = found.problems;
  if (first !== undefined) return refused(first);
  const { files, problems } = filesFrom(found.entries);
  return problems.length === 0 ? { ok: true, files } : { ok: false, problems };
};

const filesFrom = (entries: readonly Entry[]) => {
  let files: Files = new Map();
  const problems: Problem[] = [];
  const refusedPaths = new Set<string>();
  for (const { given, file, isFile } of entries) {
    const added = withFileOf(files, given, { file, isFile });
    if (added.ok) files = added.files;
    else {
      problems.push(...added.problems);
      refusedPaths.add(given);
    }
  }
  return { files, problems, refusedPaths };
};

/** More entries are not looked at: a workspace has fewer files. */
const ENTRIES_MAX = 2_000;
/** Deeper folders are not looked at. A path in a workspace has fewer parts. */
const DEPTH_MAX = 12;

type Entry = Found & { readonly given: string };

type FolderEntries = {
  /** By name. */
  readonly entries: readonly Entry[];
  /** What was not looked at. */
  readonly problems: readonly Problem[];
};

/** What is in a folder and its folders. Does not follow links. */
const entriesOf = (folder: string, isWanted: Rules["isWanted"]): FolderEntries => {
  const entries: Entry[] = [];
  const problems: Problem[] = [];
  const waiting = [""];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (place.split("/").length > DEPTH_MAX) {
      const cure = "move its files up";
      problems.push(problemOf(join(folder, place), "is nested too deeply", cure));
      continue;
    }
    const listed = listOf(join(folder, place));
    if (!listed.ok) {
      problems.push(...listed.problems);
      continue;
    }
    for (const entry of listed.list) {
      const given = place === "" ? entry.name : `${place}/${entry.name}`;
      if (!isWanted(given)) continue;
      if (entries.length + waiting.length >= ENTRIES_MAX) {
        problems.push(problemOf(join(folder, given), "is one file too many", "delete files"));
        return { entries: sorted(entries), problems };
      }
      if (entry.isDirectory()) waiting.push(given);
      else entries.push({ given, file: join(folder, given), isFile: entry.isFile() });
    }
  }
  return { entries: sorted(entries), problems };
};

const sorted = (entries: readonly Entry[]): readonly Entry[] =>
  entries.toSorted((one, other) => (one.file < other.file ? -1 : 1));

const listOf = (folder: string): Reading<{ readonly list: readonly Dirent[] }> => {
  try {
    return { ok: true, list: readdirSync(folder, { withFileTypes: true }) };
  } catch (error) {
    const why = systemMessage(error, null) ?? String(error);
    return refused(problemOf(folder, `cannot be read: ${why}`, "check its permissions"));
  }
};

type Found = { readonly file: string; readonly isFile: boolean };

const withFileOf = (
  files: Files,
  given: string,
  { file, isFile }: Found,
): Reading<{ readonly files: Files }> => {
  // A link could bring a file of the host that the folder does not contain.
  if (!isFile) {
    return refused(problemOf(file, "is not a regular file", "copy the file itself here"));
  }
  const path = readPath(given, files);
  if (!path.ok) return refused(problemOf(file, path.problem, "rename or delete the file"));
  const read = readText(file);
  if (!read.ok) return read;
  const added = withFile(files, path.path, read.text);
  return added.ok ? added : refused(problemOf(file, added.problem, "change or delete the file"));
};

/** Above this length, a warning says what the files in the system text cost. */
const CHEAP_TOKENS = 2_000;

/** Returns a warning about the files of a persona that are not used, or cost much. */
export const workspaceWarnings = (
  persona: string,
  content: string,
  mind: string,
): readonly Problem[] => {
  const folder = join(persona, FOLDER);
  const kind = kindOf(mind);
  if (!kind?.hasWorkspace) {
    const asks = `only mind: ${labelsOf((each) => each.hasWorkspace === true)} has a workspace`;
    return [problemOf(folder, `is not used: the mind is ${mind}`, asks)];
  }
  if (!hasTurns(mind)) return [];
  const whole = { content, tokensMax: Number.POSITIVE_INFINITY };
  const tokens = estimateTokens(shownFilesText({}, whole));
  if (tokens <= CHEAP_TOKENS) return [];
  const message = `about ${tokens} tokens of these files are in every model call`;
  return [problemOf(folder, message, "keep AGENTS.md, skills and memory short")];
};
