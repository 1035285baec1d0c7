import { lstatSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { isObject, jsonIn } from "../../kernel/index.ts";
import type { ConversationTurn } from "./conversation-batch.ts";

/** The tools by which Claude Code, Codex and Gemini CLI run commands. */
const SHELL_TOOLS = ["Bash", "command_execution", "run_shell_command"];

/** A `cd` at the start of a command, or after `&&`, `;` or a pipe. */
const CD = /(?:^|&&|;|\|)\s*cd\s+["']?([^"'&;|\n]+)["']?/g;

/** The arguments of all `cd` commands of a conversation, in order. */
export const detectCdCommands = (turns: readonly ConversationTurn[]): readonly string[] =>
  turns
    .filter(({ type, tool_name }) => type === "tool_use" && SHELL_TOOLS.includes(tool_name))
    .flatMap(({ content }) => [...commandIn(content).matchAll(CD)])
    .flatMap(([, path = ""]) => (path.trim() === "" ? [] : [path.trim()]));

const commandIn = (content: string): string => {
  const input = jsonIn(content);
  return isObject(input) && typeof input.command === "string" ? input.command : "";
};

type Places = {
  /** The folder of the agent, where the first `cd` starts. */
  readonly folder: string;
  /** What `~` stands for. */
  readonly home: string;
};

/**
 * Where `cd` commands lead, one after the other. Null if there is none, or if the place does not
 * exist or is outside the folder.
 */
export const workingFolder = (paths: readonly string[], places: Places): string | null => {
  const { folder, home } = places;
  if (paths.length === 0) return null;
  const end = paths.map(pathOnly).reduce((at, path) => stepTo(at, path, home), folder);
  return isFolderIn(folder, end) ? end : null;
};

/** Without flags, a redirection or a comment after the path. */
const pathOnly = (path: string): string =>
  path
    .replace(/\s+[>#].*$/, "")
    .replace(/^(-[LPe@]+\s+)+/, "")
    .trim();

const stepTo = (at: string, path: string, home: string): string => {
  // Both stand for a place that the text does not tell.
  if (path === "-" || path.includes("$")) return at;
  if (path === "~") return home;
  return path.startsWith("~/") ? resolve(home, path.slice(2)) : resolve(at, path);
};

const isFolderIn = (folder: string, place: string): boolean => {
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  // Links are followed, because they can lead outside.
  const way = relative(realpathSync(folder), realpathSync(place));
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
};

/** A program can replace a file or a folder by a link to any place. */
export const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
