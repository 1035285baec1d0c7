import { SECTION_NAMES, type SectionName } from "../settings.ts";
import { cutToTokens, estimateTokens, tokensOfUnits } from "../tokens.ts";
import { fenced, framed } from "./fence.ts";
import type { Prompt, PromptPart, PromptSource } from "./prompt.ts";
import type { Section } from "./section.ts";
import { SHIPPED_SECTIONS } from "./shipped-sections.ts";
import { systemText } from "./system-text.ts";

const QUESTION = "What do you do now? Answer in the form that you were told.";

/** A section on its way into a prompt, and what is left of it. */
type Draft = {
  readonly section: Section;
  readonly priority: number;
  readonly lines: readonly string[];
  /** Its title and lines; empty where no line is left. */
  readonly text: string;
  readonly tokens: number;
  /** What it would take uncut. */
  readonly wholeTokens: number;
};

/**
 * The system text, then the sections in their order. Each is cut to its
 * own bound first; where all together are over the budget, the lowest priority gives way first,
 * line by line. What was cut is told in the place where it would stand, what was left out at the
 * end, and both in `parts`.
 */
export const buildPrompt = (source: PromptSource): Prompt => {
  const system = systemText(source);
  const systemTokens = estimateTokens(system);
  const room = source.settings.budget_tokens - systemTokens - estimateTokens(QUESTION);
  const drafts = fittedWithNote(draftsOf(source), room);
  const parts: readonly PromptPart[] = [
    { name: "system", text: system, tokens: systemTokens, cutTokens: 0 },
    ...drafts.map(partOf),
  ];
  const texts = [...parts.slice(1).map(({ text }) => text), noteOf(drafts), QUESTION];
  const text = texts.filter((each) => each !== "").join("\n\n");
  return { system, prompt: text, parts, tokens: systemTokens + estimateTokens(text) };
};

const draftsOf = (source: PromptSource): readonly Draft[] =>
  inOrder(source.settings.order).flatMap((section) => {
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

/** Those that are named first, in that order; the others follow in theirs. */
const inOrder = (order: readonly SectionName[]): readonly Section[] => {
  const place = (name: SectionName): number => {
    const at = order.indexOf(name);
    return at === -1 ? order.length : at;
  };
  return SHIPPED_SECTIONS.toSorted((a, b) => place(a.name) - place(b.name));
};

/** As `fitted`, with room for the note where sections had to be left out. */
const fittedWithNote = (drafts: readonly Draft[], room: number): readonly Draft[] => {
  const first = fitted(drafts, room);
  return noteOf(first) === "" ? first : fitted(drafts, room - NOTE_TOKENS_MAX);
};

/** Names the sections that were cut altogether; empty where there are none. */
const noteOf = (drafts: readonly Draft[]): string => {
  const names = drafts.flatMap(({ section, lines }) => (lines.length === 0 ? [section.name] : []));
  return names.length === 0 ? "" : noteNaming(names);
};

const noteNaming = (names: readonly SectionName[]): string =>
  `[left out for lack of room: ${names.join(", ")}]`;

/** A note that names every section. */
const NOTE_TOKENS_MAX = estimateTokens(noteNaming(SECTION_NAMES)) + 1;

/** Takes from the least important until all fits, or nothing is left to take from. */
const fitted = (drafts: readonly Draft[], room: number): readonly Draft[] => {
  let over = sum(drafts.map((draft) => tokensIn(draft) + JOINT_TOKENS)) - room;
  const result = new Map(drafts.map((draft) => [draft.section.name, draft]));
  for (const draft of drafts.toSorted((a, b) => a.priority - b.priority)) {
    if (over <= 0) break;
    const before = tokensIn(draft);
    const shorter = cut(draft, before - over);
    result.set(draft.section.name, shorter);
    over -= before - tokensIn(shorter);
  }
  return drafts.map((draft) => result.get(draft.section.name) ?? draft);
};

/** As many of its lines as fit; a first line that is too long by itself is cut within. */
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
  if (kept.length === 0 && source[0] !== undefined) {
    const room = tokensMax - tokensOf([], "") - CUT_MARK_TOKENS;
    if (room > 0) kept.push(cutToTokens(source[0], room));
  }
  return withLines(draft, section.keeps === "start" ? kept : kept.toReversed());
};

/** Counts the tokens of a section that would have these lines and one more. */
type TokensWith = (kept: readonly string[], line: string) => number;

/**
 * Where the fence has changed nothing in the whole, it changes nothing in a part of it, and then
 * lengths add up. Otherwise each part is written to see how long it is.
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

const CUT_MARK_TOKENS = 9;
/** Of the empty line between two sections. */
const JOINT_TOKENS = 1;

const partOf = (draft: Draft): PromptPart => {
  const { section, lines, text } = draft;
  const { name } = section;
  const cutTokens = cutFrom(draft);
  if (lines.length === 0 || cutTokens <= 0) return { name, text, tokens: draft.tokens, cutTokens };
  const mark = `[${cutTokens} tokens were cut here]`;
  const marked = textOf(section, section.keeps === "start" ? [...lines, mark] : [mark, ...lines]);
  return { name, text: marked, tokens: estimateTokens(marked), cutTokens };
};

const textOf = (section: Section, lines: readonly string[]): string => {
  const body = lines.join("\n");
  return titled(section, section.foreign ? fenced(body) : body);
};

const titled = ({ title }: Section, body: string): string => `## ${title}\n${body}`;

/** How much of it has been cut away. */
const cutFrom = ({ tokens, wholeTokens }: Draft): number => wholeTokens - tokens;

/** What it takes in the prompt, with the mark that tells of a cut. */
const tokensIn = (draft: Draft): number => {
  if (draft.lines.length === 0) return 0;
  return draft.tokens + (cutFrom(draft) > 0 ? CUT_MARK_TOKENS : 0);
};

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
