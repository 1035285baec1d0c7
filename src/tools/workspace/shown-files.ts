import { cutText } from "../../kernel/index.ts";
import { fenceless, framed, oneLine } from "../../mind/index.ts";
import { unitsOfTokens } from "../../model/index.ts";
import { type Files, filesIn } from "./files.ts";
import { latestNotes, MEMORY_ALIAS, MEMORY_FILE } from "./memory-files.ts";
import { skillsIn } from "./skills.ts";

/** The files at the root of a workspace that the system text shows, in this order. */
const BOOTSTRAP_FILES = [
  "AGENTS.md",
  "SOUL.md",
  "USER.md",
  "TOOLS.md",
  "IDENTITY.md",
  MEMORY_ALIAS,
  "HEARTBEAT.md",
  "BOOTSTRAP.md",
];
const SECTION_CHARS_MAX = 50_000;
const ALL_CHARS_MAX = 200_000;
const NOTES_SHOWN = 3;
const LINE_CHARS_MAX = 1_300;

/** The least room for a section. With less, its name alone is shown. */
const SECTION_CHARS_MIN = 300;
/** The most that a mark of a cut, data tags and line breaks add to a section. */
const AROUND_CHARS = 120;
/** Room for the line that names sections without room. */
const OMITTED_CHARS = 400;

/** A part of the text. `foreign`: it may hold text of other agents, so it is shown as data. */
type ShownPart = { readonly title: string; readonly text: string; readonly foreign: boolean };

const INTRO = `# Your files
The system shows you these files of your workspace in every step. They are your own words: you can
change them, and you pay for their length. Copy text of others only into your memory, which is shown
as data.`;

const SKILLS_INTRO = "Before you do what a skill is for, read its file with read_file.\n";

export type ShownFiles = {
  readonly tokensMax: number;
  /** A file at the root that is left out. */
  readonly without?: string | null;
};

type Source = ShownFiles & { readonly content: string };

/** The last text for each `cacheKey`, because most steps change no file. */
const knownTexts = new WeakMap<object, Source & { readonly text: string }>();

/**
 * The part of the system text that the content of a workspace adds, from what changes least to what
 * changes most. It has at most `tokensMax` tokens: later sections are cut first, and marks say what
 * is missing. Empty if the workspace has no such files. The last text is kept for each `cacheKey`.
 */
export const shownFilesText = (cacheKey: object, source: Source): string => {
  const { content, tokensMax, without = null } = source;
  if (content === "") return "";
  const known = knownTexts.get(cacheKey);
  const isKnown = known?.content === content && known.tokensMax === tokensMax;
  if (isKnown && (known.without ?? null) === without) return known.text;
  const text = textOf(source);
  knownTexts.set(cacheKey, { ...source, text });
  return text;
};

const textOf = ({ content, tokensMax, without }: Source): string => {
  const sections = sectionsOf(filesIn(content)).filter(({ title }) => title !== without);
  const room = Math.min(ALL_CHARS_MAX, unitsOfTokens(tokensMax)) - INTRO.length - OMITTED_CHARS;
  if (sections.length === 0 || room < SECTION_CHARS_MIN) return "";
  let left = room;
  const shown: string[] = [];
  const omitted: string[] = [];
  for (const section of sections) {
    const charsMax = Math.min(SECTION_CHARS_MAX, left - section.title.length - AROUND_CHARS);
    if (charsMax < Math.min(SECTION_CHARS_MIN, section.text.length)) omitted.push(section.title);
    else {
      const text = sectionText(section, charsMax);
      shown.push(text);
      left -= text.length;
    }
  }
  const rest = `[not shown for lack of space: ${omitted.join(", ")}]`;
  return [INTRO, ...shown, ...(omitted.length === 0 ? [] : [rest])].join("\n\n");
};

const sectionText = ({ title, text, foreign }: ShownPart, charsMax: number): string => {
  const kept = cutText(text, charsMax);
  const rest = text.length - kept.length;
  const cut = rest === 0 ? kept : `${kept}\n[${rest} characters cut here; read_file shows them]`;
  return `## ${title}\n${foreign ? framed(cut) : cut}`;
};

const sectionsOf = (files: Files): readonly ShownPart[] => {
  const hasStore = textIn(files, MEMORY_FILE) !== "";
  const bootstrap = BOOTSTRAP_FILES.filter((name) => name !== MEMORY_ALIAS || !hasStore);
  return [
    ...bootstrap.map((name) => {
      return { title: name, text: textIn(files, name), foreign: name === MEMORY_ALIAS };
    }),
    { title: "Skills", text: skillsText(files), foreign: false },
    { title: "Long-term memory", text: textIn(files, MEMORY_FILE), foreign: true },
    { title: "Recent daily notes", text: notesText(files), foreign: true },
  ].filter(({ text }) => text !== "");
};

const textIn = (files: Files, path: string): string => fenceless(files.get(path) ?? "").trim();

const notesText = (files: Files): string =>
  latestNotes(files, NOTES_SHOWN)
    .map((note) => fenceless(note).trim())
    .join("\n\n---\n\n");

const skillsText = (files: Files): string => {
  const { skills, problems } = skillsIn(files);
  const lines = [
    ...skills.map(({ name, description, path }) => `${name} (${path}): ${description}`),
    ...problems.map(({ path, problem }) => `${path} cannot be used: ${problem}`),
  ];
  const listed = lines.map((line) => `- ${oneLine(line, LINE_CHARS_MAX).replaceAll("<", "&lt;")}`);
  return listed.length === 0 ? "" : [SKILLS_INTRO, ...listed].join("\n");
};
