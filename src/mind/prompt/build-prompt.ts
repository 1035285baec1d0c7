import { memoized } from "../../kernel/index.ts";
import { cutToTokens, estimateTokens, tokensOfUnits } from "../../model/index.ts";
import { SECTION_NAMES, type SectionName } from "../core/settings.ts";
import { agentSections } from "./agent-sections.ts";
import { fenced, framed } from "./fence.ts";
import { historySections } from "./history-sections.ts";
import { computeSections, marketSections } from "./market-sections.ts";
import { memorySections } from "./memory-sections.ts";
import { messageSections } from "./message-sections.ts";
import type { Prompt, PromptPart, PromptSource, Section } from "./prompt.ts";
import { type SystemSource, systemText } from "./system-text.ts";

const SECTIONS: { readonly [Name in SectionName]: Section } = {
  ...agentSections,
  ...memorySections,
  ...historySections,
  ...messageSections,
  ...marketSections,
  ...computeSections,
};

type NamedSection = Section & { readonly name: SectionName };

const SHIPPED_SECTIONS: readonly NamedSection[] = SECTION_NAMES.map((name) => ({
  ...SECTIONS[name],
  name,
}));

/** The names of the sections, from the first that is cut to the last. */
export const SECTIONS_BY_PRIORITY: readonly SectionName[] = SHIPPED_SECTIONS.toSorted(
  (a, b) => a.priority - b.priority,
).map(({ name }) => name);

const QUESTION = "What do you do now? Answer in the required form.";
const QUESTION_TOKENS = estimateTokens(QUESTION);

/** The tokens of sections that even the shortest prompt has, if `budget_tokens` allows them. */
const SECTIONS_TOKENS_MIN = 300;

type Draft = {
  readonly section: NamedSection;
  readonly priority: number;
  readonly lines: readonly string[];
  /** The title and the lines. Empty if no line is left. */
  readonly text: string;
  readonly tokens: number;
  readonly wholeTokens: number;
};

/**
 * Builds the system text and the sections in their order. Each section is cut to its own limit. If
 * all sections and the question together exceed the budget, sections with a low priority are cut
 * first, line by line. The prompt marks each cut and lists the omitted sections at the end.
 */
export const buildPrompt = (source: PromptSource): Prompt => {
  const { settings, tokensMax } = source;
  const system = systemText(source);
  const systemTokens = estimateTokens(system);
  const room = Math.min(settings.budget_tokens, tokensMax - systemTokens) - QUESTION_TOKENS;
  const drafts = fittedWithNote(draftsOf(source), room);
  const end = joined([noteOf(drafts), source.question ?? QUESTION]);
  const parts: readonly PromptPart[] = [
    { name: "system", text: system, tokens: systemTokens, cutTokens: 0 },
    ...drafts.map(partOf),
    { name: "question", text: end, tokens: estimateTokens(end), cutTokens: 0 },
  ];
  const text = joined(parts.slice(1).map((part) => part.text));
  return { system, prompt: text, parts, tokens: systemTokens + estimateTokens(text) };
};

const joined = (texts: readonly string[]): string =>
  texts.filter((each) => each !== "").join("\n\n");

/** Returns the tokens of the longest prompt, and of the shortest prompt that is worth its price. */
export const promptBounds = (source: SystemSource) => {
  const fixed = estimateTokens(systemText(source)) + QUESTION_TOKENS;
  const sections = Math.max(NOTE_TOKENS_MAX, source.settings.budget_tokens - QUESTION_TOKENS);
  const shortest = fixed + Math.min(SECTIONS_TOKENS_MIN, sections);
  return { shortest, longest: fixed + sections };
};

const draftsOf = (source: PromptSource): readonly Draft[] =>
  ordered(source.settings.order).flatMap((section) => {
    const own = source.settings.sections[section.name];
    if (own?.enabled === false) return [];
    const lines = section.lines(source);
    if (lines.length === 0) return [];
    const text = textOf(section, lines);
    const tokens = estimateTokens(text);
    const priority = own?.priority ?? section.priority;
    const draft = { section, priority, lines, text, tokens, wholeTokens: tokens };
    return [cut(draft, own?.tokens_max ?? section.tokensMax)];
  });

/** Cached, because all prompts of an agent have one order. */
const ordered = memoized((order: readonly SectionName[]): readonly NamedSection[] => {
  const place = (name: SectionName): number => {
    const at = order.indexOf(name);
    return at === -1 ? order.length : at;
  };
  return SHIPPED_SECTIONS.toSorted((a, b) => place(a.name) - place(b.name));
}, new WeakMap());

/** Cuts like `fitted`. If sections are omitted, leaves room for the note about them. */
const fittedWithNote = (drafts: readonly Draft[], room: number): readonly Draft[] => {
  const first = fitted(drafts, room);
  return noteOf(first) === "" ? first : fitted(drafts, room - NOTE_TOKENS_MAX);
};

const noteOf = (drafts: readonly Draft[]): string => {
  const names = drafts.flatMap(({ section, lines }) => (lines.length === 0 ? [section.name] : []));
  return names.length === 0 ? "" : noteNaming(names);
};

const noteNaming = (names: readonly SectionName[]): string =>
  `[sections omitted for lack of space: ${names.join(", ")}]`;

const NOTE_TOKENS_MAX = estimateTokens(noteNaming(SECTION_NAMES)) + 1;

/**
 * Cuts the sections, lowest priority first, until all fit or nothing is left to cut. Long sections
 * are first shortened to `SHORT_TOKENS`. Only if that does not suffice, sections are omitted.
 */
const fitted = (drafts: readonly Draft[], room: number): readonly Draft[] => {
  let over = sum(drafts.map((draft) => tokensIn(draft) + JOINT_TOKENS)) - room;
  const result = new Map(drafts.map((draft) => [draft.section.name, draft]));
  const leastFirst = drafts.toSorted((a, b) => a.priority - b.priority);
  for (const tokensMin of [SHORT_TOKENS, 0]) {
    for (const { section } of leastFirst) {
      const draft = result.get(section.name);
      if (over <= 0 || draft === undefined) break;
      const before = tokensIn(draft);
      const shorter = cut(draft, Math.max(Math.min(tokensMin, before), before - over));
      result.set(section.name, shorter);
      over -= before - tokensIn(shorter);
    }
  }
  return drafts.map((draft) => result.get(draft.section.name) ?? draft);
};

const SHORT_TOKENS = 80;

/** Keeps as many lines as fit, and the beginning of the next line if that is long or the first. */
const cut = (draft: Draft, tokensMax: number): Draft => {
  const { section, lines } = draft;
  if (tokensIn(draft) <= tokensMax) return draft;
  const source = section.keeps === "start" ? lines : lines.toReversed();
  const tokensOf = counterFor(draft);
  const kept: string[] = [];
  for (const line of source) {
    if (tokensOf(kept, line) + CUT_MARK_TOKENS > tokensMax) break;
    kept.push(line);
  }
  const next = source[kept.length];
  if (next !== undefined && (kept.length === 0 || next.length > LONG_LINE_CHARS)) {
    const room = tokensMax - tokensOf(kept, "") - CUT_MARK_TOKENS;
    if (room > 0) kept.push(cutToTokens(next, room));
  }
  return withLines(draft, section.keeps === "start" ? kept : kept.toReversed());
};

/** Counts the tokens of a section with the lines `kept` and one more `line`. */
type TokensWith = (kept: readonly string[], line: string) => number;

/**
 * Returns a function that counts the tokens of a section if only some lines stay. If fencing
 * changes no line, the function adds up lengths. Otherwise, each count builds the text.
 */
const counterFor = ({ section, lines, text }: Draft): TokensWith => {
  const body = lines.join("\n");
  if (text !== titled(section, section.foreign ? framed(body) : body)) {
    return (kept, line) => estimateTokens(textOf(section, [...kept, line]));
  }
  let [counted, units] = [0, text.length - body.length];
  return (kept, line) => {
    for (; counted < kept.length; counted += 1) units += (kept[counted] ?? "").length + 1;
    return tokensOfUnits(units + line.length);
  };
};

const withLines = (draft: Draft, lines: readonly string[]): Draft => {
  const text = lines.length === 0 ? "" : textOf(draft.section, lines);
  return { ...draft, lines, text, tokens: estimateTokens(text) };
};

/** A longer line, such as a result in JSON, is cut and not left out. */
const LONG_LINE_CHARS = 500;
const CUT_MARK_TOKENS = 9;
const JOINT_TOKENS = 1;

const partOf = (draft: Draft): PromptPart => {
  const { section, lines, text } = draft;
  const { name } = section;
  const cutTokens = cutFrom(draft);
  if (lines.length === 0 || cutTokens <= 0) return { name, text, tokens: draft.tokens, cutTokens };
  const mark = `[${cutTokens} tokens cut here]`;
  const marked = textOf(section, section.keeps === "start" ? [...lines, mark] : [mark, ...lines]);
  return { name, text: marked, tokens: estimateTokens(marked), cutTokens };
};

const textOf = (section: Section, lines: readonly string[]): string => {
  const body = lines.join("\n");
  return titled(section, section.foreign ? fenced(body) : body);
};

const titled = ({ title }: Section, body: string): string => `## ${title}\n${body}`;

const cutFrom = ({ tokens, wholeTokens }: Draft): number => wholeTokens - tokens;

const tokensIn = (draft: Draft): number => {
  if (draft.lines.length === 0) return 0;
  return draft.tokens + (cutFrom(draft) > 0 ? CUT_MARK_TOKENS : 0);
};

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
