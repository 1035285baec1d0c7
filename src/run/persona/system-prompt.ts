import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { SYSTEM_PROMPT_CHARS_MAX } from "../../mind/index.ts";
import { estimateTokens } from "../../model/index.ts";
import { didYouMean } from "../../text/index.ts";
import {
  type Place,
  type Problem,
  problemOf,
  type Reading,
  readText,
  refused,
} from "../config/index.ts";

export const PROMPT_FILE = "system_prompt.md";

type PromptRead = Reading<{
  /** The text of the file, or null if the file does not exist. */
  readonly text: string | null;
}>;

const TOO_LONG = `is longer than ${SYSTEM_PROMPT_CHARS_MAX} characters`;

/** Reads the file with the system prompt from the folder of a persona. */
export const readSystemPrompt = (folder: string): PromptRead => {
  const file = join(folder, PROMPT_FILE);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return { ok: true, text: null };
  if (!found.isFile()) return refused(problemOf(file, "is not a regular file"));
  const read = readText(file);
  if (!read.ok) return read;
  return read.text.length <= SYSTEM_PROMPT_CHARS_MAX
    ? { ok: true, text: read.text }
    : refused(problemOf(file, TOO_LONG));
};

/** Returns a warning for each text file that looks like a prompt and has another name. */
export const strayPrompts = (folder: string): readonly Problem[] =>
  readdirSync(folder)
    .filter((name) => name !== PROMPT_FILE && /prompt.*\.(md|markdown|txt)$/i.test(name))
    .map((name) => problemOf(join(folder, name), `is not read: the prompt is in ${PROMPT_FILE}`));

const PLACEHOLDERS = ["id", "index"];

/**
 * Replaces `{index}` by the number of an agent. `{id}` stays: its mind replaces it, so that a child
 * with a copy of the configuration reads its own id.
 */
export const numberedPrompt = (text: string, index: number): string =>
  text.trim().replaceAll("{index}", String(index));

/** Matches `{name}`, but not `${name}` or `{{name}}`, which are parts of programs or templates. */
const NAME_IN_BRACES = /(?<![${])\{([A-Za-z_]\w*)\}(?!\})/g;

/** Returns a warning for each placeholder that system prompts do not have. */
export const unknownPlaceholders = (
  text: string,
  placeAt: (offset: number) => Place,
): readonly Problem[] =>
  [...text.matchAll(NAME_IN_BRACES)].flatMap(({ index, 1: name = "" }): readonly Problem[] => {
    if (PLACEHOLDERS.includes(name)) return [];
    const message = `{${name}} stays as it is: a system prompt can use only {id} and {index}`;
    const hint = didYouMean(name, PLACEHOLDERS)?.replaceAll(/`(\w+)`/g, "`{$1}`") ?? null;
    return [{ ...placeAt(index), message, hint }];
  });

/** Above this length, a warning says what a system prompt costs. */
const CHEAP_TOKENS = 2_000;

/** Returns a warning about a system prompt that makes every model call expensive. */
export const costlyPrompt = (text: string, place: Place): readonly Problem[] => {
  const tokens = estimateTokens(text);
  if (tokens <= CHEAP_TOKENS) return [];
  const message = `the system prompt has about ${tokens} tokens, which every model call pays for`;
  return [{ ...place, message, hint: "keep it short; the world is already described" }];
};

/** Returns a warning about a system prompt that is the name of a file, which is not read. */
export const fileName = (text: string, place: Place): readonly Problem[] =>
  /^\S+\.(md|markdown|txt)$/i.test(text.trim())
    ? [
        {
          ...place,
          message: `the system prompt is the text "${text.trim()}", and not a file of this name`,
          hint: `delete the key: ${PROMPT_FILE} in the same folder is read by itself`,
        },
      ]
    : [];

/** The place of an offset in a file. */
export const placeIn =
  (file: string, text: string) =>
  (offset: number): Place => {
    const lines = text.slice(0, offset).split("\n");
    return { file, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
  };
