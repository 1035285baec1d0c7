import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { emptyFolder, type SimResult, startSimWith } from "./sim.ts";

/** What a reader of a page of the documentation does, in order. */
export type Step =
  | { readonly does: "types"; readonly command: string; readonly code: number }
  | { readonly does: "writes"; readonly file: string; readonly text: string }
  | { readonly does: "fixes"; readonly file: string; readonly from: string; readonly to: string }
  | { readonly does: "reads"; readonly text: string };

const MARK = /(?:<!-- (file|code|output|fix)(?:: (.+?))? -->\n)?(?:```(\w*)\n([\s\S]*?)```\n)?/g;

/** A page of the documentation, or the chapter of it with this title. */
export const pageText = (page: string, chapter: string | null = null): string => {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8");
  if (chapter === null) return text;
  const found = text.split(/^## (?=.*$)/m).find((part) => part.startsWith(`${chapter}\n`));
  if (found === undefined) throw new Error(`docs/${page} has no chapter "${chapter}"`);
  return found;
};

export const stepsIn = (text: string): readonly Step[] =>
  [...text.matchAll(MARK)].flatMap(([_, mark, about = "", language, block]): readonly Step[] => {
    if (mark === "fix") {
      const [file = "", from = "", to = ""] = about.split(": ");
      return [{ does: "fixes", file, from, to }];
    }
    if (block === undefined) return [];
    if (mark === "file") return [{ does: "writes", file: about, text: block }];
    if (mark === "output") return [{ does: "reads", text: block }];
    if (language !== "sh") return [];
    const code = mark === "code" ? Number(about) : 0;
    return block
      .trim()
      .split("\n")
      .map((command) => ({ does: "types", command, code }));
  });

/** The words of a command without its comment, as a shell would part those of these pages. */
const wordsOf = (command: string): readonly string[] =>
  command
    .replace(/\s+#.*$/, "")
    .split(/\s+/)
    .map((word) => word.replace(/^'(.*)'$/, "$1"));

const pairOf = (text: string): Readonly<Record<string, string>> => {
  const [name = "", value = ""] = text.split("=");
  return { [name]: value };
};

export type Followed = {
  readonly said: readonly (readonly [command: string, SimResult])[];
  /** The commands that did not end with the code that the page says. */
  readonly problems: readonly string[];
  /** What the first command said that begins so. */
  readonly saidBy: (start: string) => SimResult;
};

/** Does all steps of a page in an empty folder. `runFlags` are added to each `sim run`. */
export const follow = async (
  steps: readonly Step[],
  runFlags: () => readonly string[] = () => [],
): Promise<Followed> => {
  const said: (readonly [command: string, SimResult])[] = [];
  const problems: string[] = [];
  let here = emptyFolder();
  let variables: Readonly<Record<string, string>> = {};
  for (const step of steps) {
    if (step.does === "writes") {
      mkdirSync(dirname(join(here, step.file)), { recursive: true });
      writeFileSync(join(here, step.file), step.text);
    } else if (step.does === "fixes") {
      const text = readFileSync(join(here, step.file), "utf8");
      writeFileSync(join(here, step.file), text.replace(step.from, step.to));
    } else if (step.does === "types") {
      const [verb = "", ...args] = wordsOf(step.command);
      if (verb === "cd") here = join(here, args[0] ?? "");
      else if (verb === "export") variables = { ...variables, ...pairOf(args[0] ?? "") };
      else if (verb === "sim") {
        const more = args[0] === "run" ? runFlags() : [];
        const ran = await startSimWith(variables, here, [...args, ...more]).ended;
        said.push([step.command, ran]);
        if (ran.code !== step.code) {
          problems.push(`${step.command} ended with ${ran.code}: ${ran.err}${ran.out}`);
        }
      } else problems.push(`no one knows what "${step.command}" means`);
    }
  }
  const saidBy = (start: string): SimResult => {
    const found = said.find(([command]) => command.startsWith(start));
    if (found === undefined) throw new Error(`the page has no command "${start}"`);
    return found[1];
  };
  return { said, problems, saidBy };
};
