import { isObject, type Json, jsonIn } from "../../kernel/index.ts";
import { endOfObject } from "../chat-text/json-in-text.ts";
import type { ModelRequest } from "../port/model.ts";

type ShownParameter = { readonly name: string; readonly type: string | null };

export type OfferedMethod = {
  readonly name: string;
  readonly parameters: readonly ShownParameter[];
  /** The arguments of an example, or null if the prompt shows no example. */
  readonly example: readonly Json[] | null;
};

/** An artifact as the sections "Your artifacts" and "The market" show it. */
export type Offer = {
  readonly id: string;
  readonly price: number;
  readonly calls: number;
  readonly failures: number;
  readonly isProgram: boolean;
  readonly methods: readonly OfferedMethod[];
};

/** An earlier action of the agent: `call` is `action(target)` or `action(target.method)`. */
type PastAction = { readonly call: string; readonly ok: boolean };

/** What a prompt tells an agent. Sections that the prompt lacks are empty. */
export type PromptFacts = {
  readonly agent: string;
  readonly scrip: number;
  readonly actions: number;
  readonly own: readonly Offer[];
  readonly market: readonly Offer[];
  readonly auction: { readonly open: boolean; readonly minimumBid: number } | null;
  readonly bids: number;
  readonly tasks: readonly { readonly id: string; readonly text: string }[];
  readonly handbook: readonly string[];
  readonly past: readonly PastAction[];
  readonly last: (PastAction & { readonly result: string }) | null;
  readonly lacksWorkingMemory: boolean;
};

/** The sections of a prompt that the mock model reads: their titles up to the first `:` or `,`. */
export const READ_SECTIONS = {
  last_action: "The result of your last action",
  failures: "Recent failures",
  own_actions: "Your latest actions",
  own_artifacts: "Your artifacts",
  market: "The market",
  mint: "The mint",
  tasks: "Tasks",
  hints: "First steps",
  working_memory: "Your working memory",
} as const;

/** Reads the prompt of a decision. Never fails: text that it does not understand is ignored. */
export const factsIn = ({ system, prompt }: Pick<ModelRequest, "system" | "prompt">) => {
  const sections = sectionsIn(prompt);
  const section = (name: keyof typeof READ_SECTIONS): readonly string[] =>
    sections.get(READ_SECTIONS[name]) ?? [];
  const number = (pattern: RegExp): number => Number(pattern.exec(prompt)?.[1] ?? 0);
  const mint = section("mint").join("\n");
  const last = section("last_action");
  const [lastLine = ""] = last;
  const lastAction = pastActionIn(lastLine);
  const handbook =
    section("hints")
      .join("\n")
      .match(/handbook_\w+/g) ?? [];
  const facts: PromptFacts = {
    agent: /Your name is (\S+)\. /.exec(system)?.[1] ?? "agent",
    scrip: number(/^Scrip: (\d+) to spend/m),
    actions: number(/^You have taken (\d+) actions/m),
    own: offersIn(section("own_artifacts")),
    market: offersIn(section("market")),
    auction: /^Auction \d/m.test(mint)
      ? {
          open: /^Auction \d+ is open/m.test(mint),
          minimumBid: Number(/minimum bid is (\d+)/.exec(mint)?.[1] ?? 1),
        }
      : null,
    bids: (mint.match(/^Your /gm) ?? []).length,
    tasks: section("tasks").flatMap((line) => {
      const found = /^- (\S+), \d+ scrip: (.*)$/.exec(line);
      return found === null ? [] : [{ id: found[1] ?? "", text: found[2] ?? "" }];
    }),
    handbook: [...new Set(handbook)],
    past: [...section("own_actions"), ...section("failures")].flatMap((line) => {
      const action = pastActionIn(line.replace(/^- (at \d+ s )?/, ""));
      return action === null ? [] : [action];
    }),
    last: lastAction === null ? null : { ...lastAction, result: last.slice(2).join("\n") },
    lacksWorkingMemory: section("working_memory").join("\n").startsWith("You have none yet"),
  };
  return facts;
};

/** Returns the lines of each section without data tags, by the title up to its first `:` or `,`. */
const sectionsIn = (prompt: string): ReadonlyMap<string, readonly string[]> => {
  const sections = new Map<string, string[]>();
  let lines: string[] = [];
  let isData = false;
  for (const line of prompt.split("\n")) {
    if (line === "<data>" || line === "</data>") isData = line === "<data>";
    else if (!isData && line.startsWith("## ")) {
      lines = [];
      const [title = ""] = line.slice(3).split(/[:,]/);
      if (!sections.has(title)) sections.set(title, lines);
    } else if (line !== "" || isData) lines.push(line);
  }
  return sections;
};

const pastActionIn = (line: string): PastAction | null => {
  const found = /^(\w+\([^)]*\)) -> (SUCCESS|FAILED)/.exec(line);
  return found === null ? null : { call: found[1] ?? "", ok: found[2] === "SUCCESS" };
};

const OFFER = /^- (\S+) \((.*?)\)(?:: .*| \[methods: (.*)\])?$/;

const offersIn = (lines: readonly string[]): readonly Offer[] => {
  const offers: (Offer & { readonly methods: OfferedMethod[] })[] = [];
  for (const line of lines) {
    const found = OFFER.exec(line);
    const method = found === null && line.startsWith("    ") ? methodIn(line.trim()) : null;
    if (method !== null) offers.at(-1)?.methods.push(method);
    if (found === null) continue;
    const [, id = "", facts = ""] = found;
    const count = (pattern: RegExp): number => Number(pattern.exec(facts)?.[1] ?? 0);
    offers.push({
      id,
      price: count(/\bcall (\d+)/),
      calls: count(/\b(\d+) by others/),
      failures: count(/\b(\d+) failed/),
      isProgram: /; call \d+/.test(facts),
      methods: [],
    });
  }
  return offers;
};

const methodIn = (line: string): OfferedMethod | null => {
  const found = /^([A-Za-z_$][\w$]*)\((.*?)\)(?:: (.*))?$/.exec(line);
  if (found === null) return null;
  const [, name = "", listed = "", about = ""] = found;
  const parameters = listed.split(", ").flatMap((text): readonly ShownParameter[] => {
    const [key = "", type = null] = text.split(": ");
    return key === "" || key.endsWith("?") ? [] : [{ name: key, type }];
  });
  return { name, parameters, example: exampleArgsIn(about)[0] ?? null };
};

const EXAMPLE = '{"args":';

/** Returns the arguments of the examples in a text, such as the text of an artifact's interface. */
export const exampleArgsIn = (text: string): readonly (readonly Json[])[] => {
  const found: (readonly Json[])[] = [];
  for (let at = text.indexOf(EXAMPLE); at !== -1; at = text.indexOf(EXAMPLE, at + 1)) {
    const end = endOfObject(text, at);
    const example = end === null ? undefined : jsonIn(text.slice(at, end));
    if (isObject(example) && Array.isArray(example.args)) found.push(example.args);
  }
  return found;
};
