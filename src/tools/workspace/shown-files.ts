import { isMap, parseDocument } from "yaml";
import { cutText } from "../../kernel/index.ts";
import { fenceless, framed, oneLine } from "../../mind/index.ts";
import { unitsOfTokens } from "../../model/index.ts";
import { type FilesChanged, withFile } from "./edit.ts";
import { type Files, filesIn } from "./files.ts";

/** The file of an agent's long-term memory. */
const MEMORY_FILE = "memory/MEMORY.md";
/** Another name of `MEMORY_FILE`, which counts if that file is missing. */
const MEMORY_ALIAS = "MEMORY.md";

/** The date on which each run starts, in ms since 1970. A world has a run time and no calendar. */
export const START_MS = Date.UTC(2000, 0, 1);
const DATE_CHARS = "2000-01-01".length;
const NOTE = /^memory\/(\d{6})\/\1\d{2}\.md$/;

/** The simulated date at a run time, such as `2000-01-01`. A day has 86,400 s of run time. */
const dateAt = (atMs: number): string =>
  new Date(START_MS + atMs).toISOString().slice(0, DATE_CHARS);

/** The path of the note of a day, such as `memory/200001/20000101.md`. */
export const notePathAt = (atMs: number): string => {
  const digits = dateAt(atMs).replaceAll("-", "");
  return `memory/${digits.slice(0, "200001".length)}/${digits}.md`;
};

/** Adds a text to the note of the day. A new note starts with its date. */
export const withNote = (files: Files, atMs: number, text: string): FilesChanged => {
  const path = notePathAt(atMs);
  const before = files.get(path);
  const start = before ?? `# ${dateAt(atMs)}\n`;
  const changed = withFile(files, path, `${start}\n${text}`);
  return changed.ok ? { ...changed, text: `added to ${path}` } : changed;
};

/** The texts of the latest notes, newest first. */
export const latestNotes = (files: Files, count: number): readonly string[] =>
  [...files]
    .filter(([path, text]) => NOTE.test(path) && text.trim() !== "")
    .toSorted(([one], [other]) => (one < other ? 1 : -1))
    .slice(0, count)
    .map(([, text]) => text);

/** A skill of an agent: the file at `path` says how to do what `description` names. */
type Skill = { readonly name: string; readonly description: string; readonly path: string };

/** A file of a skill that cannot be used, with the reason and the cure. */
type SkillProblem = { readonly path: string; readonly problem: string };

type Skills = { readonly skills: readonly Skill[]; readonly problems: readonly SkillProblem[] };

const PATH = /^skills\/[^/]+\/SKILL\.md$/;
const NAME = /^[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*$/;
const NAME_CHARS_MAX = 64;
const DESCRIPTION_CHARS_MAX = 1_024;
const FRONT_MATTER_CHARS_MAX = 2_000;

/** The skills in `skills/NAME/SKILL.md`, sorted by path. */
export const skillsIn = (files: Files): Skills => {
  const read = [...files]
    .filter(([path]) => PATH.test(path))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, text]) => skillIn(path, text));
  return {
    skills: read.flatMap((each) => ("problem" in each ? [] : [each])),
    problems: read.flatMap((each) => ("problem" in each ? [each] : [])),
  };
};

const skillIn = (path: string, text: string): Skill | SkillProblem => {
  const [, yaml] = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const wrong = (problem: string): SkillProblem => ({ path, problem });
  if (yaml === undefined) {
    return wrong("begin it with front matter: ---, name: …, description: …, ---");
  }
  if (yaml.length > FRONT_MATTER_CHARS_MAX) {
    return wrong(`its front matter has more than ${FRONT_MATTER_CHARS_MAX} characters; shorten it`);
  }
  const fields = fieldsIn(yaml);
  if (typeof fields === "string") return wrong(fields);
  const { name, description } = fields;
  if (typeof name !== "string" || name.length > NAME_CHARS_MAX || !NAME.test(name)) {
    return wrong(
      `its name must have 1 to ${NAME_CHARS_MAX} letters and digits, with single - between them`,
    );
  }
  const about = typeof description === "string" ? description.trim() : "";
  return about !== "" && about.length <= DESCRIPTION_CHARS_MAX
    ? { name, description: about, path }
    : wrong(`its description must be a text of 1 to ${DESCRIPTION_CHARS_MAX} characters`);
};

/** The fields of front matter, or why there are none. Nested values and aliases are not read. */
const fieldsIn = (yaml: string) => {
  // The parser is recursive, and an agent wrote the text.
  if ((yaml.match(/[[{?]|- /g) ?? []).length > 50) {
    return "its front matter is nested too deeply; keep name and description";
  }
  // The parser needs O(n²) time to check that keys are unique.
  const document = parseDocument(yaml, {
    prettyErrors: false,
    stringKeys: true,
    uniqueKeys: false,
  });
  const [error] = document.errors;
  if (error !== undefined) return `its front matter is not YAML: ${error.message}`;
  if (!isMap(document.contents)) return "its front matter must have name and description";
  const [name, description]: unknown[] = [document.get("name"), document.get("description")];
  return { name, description };
};

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
  latestNotes(files, 3)
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
