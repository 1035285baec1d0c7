import { type Dirent, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { isObject } from "../../kernel/index.ts";
import { didYouMean, isModelMind, SYSTEM_PROMPT_CHARS_MAX } from "../../mind/index.ts";
import {
  checkYaml,
  type Problem,
  problemOf,
  type Reading,
  readText,
  readYaml,
  refused,
  type YamlFile,
} from "../config/index.ts";
import { clashesIn } from "./clashes.ts";
import { type Persona, personaOf, personaSchema } from "./persona.ts";

const LIBRARY = "library";
const FILE = "agent.yaml";
export const PROMPT_FILE = "system_prompt.md";

type Personas = { readonly personas: readonly Persona[] };

/** Returns all valid personas in a folder, sorted by id. Includes personas that are not enabled. */
export const surveyPersonas = (
  dir: string,
): Personas & { readonly problems: readonly Problem[] } => {
  const found = statSync(dir, { throwIfNoEntry: false });
  if (!found?.isDirectory()) {
    const message = found === undefined ? "there is no such folder" : "it is not a folder";
    const hint = "`sim init DIR` creates one with personas";
    return { personas: [], problems: [problemOf(dir, message, hint)] };
  }
  const read = readdirSync(dir, { withFileTypes: true })
    .filter((entry) => isPersonaFolder(dir, entry))
    .map(({ name }) => readPersona(join(dir, name)));
  const personas = read.flatMap((each) => (each.ok ? [each.persona] : []));
  const sorted = personas.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const problems = read.flatMap((each) => (each.ok ? [] : each.problems));
  return { personas: sorted, problems: [...problems, ...clashesIn(sorted)] };
};

/** The enabled personas in `only` (`[]`: all enabled). Fails if any persona in `dir` is invalid. */
export const loadPersonas = (
  dir: string,
  { only }: { readonly only: readonly string[] },
): Reading<Personas> => {
  const { personas, problems } = surveyPersonas(dir);
  const wanted = only.length === 0 ? [] : only.flatMap((id) => whyNotPlaying(id, dir, personas));
  const chosen = personas.filter(
    ({ id, enabled }) => enabled && (only.length === 0 || only.includes(id)),
  );
  const all = problems.length > 0 ? problems : wanted;
  if (all.length > 0) return { ok: false, problems: all };
  if (chosen.length > 0) return { ok: true, personas: chosen };
  const hint = "`sim agents new NAME` creates one";
  return refused(problemOf(dir, "contains no enabled persona", hint));
};

const isPersonaFolder = (dir: string, entry: Dirent): boolean => {
  if (entry.name === LIBRARY || entry.name.startsWith(".")) return false;
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return statSync(join(dir, entry.name), { throwIfNoEntry: false })?.isDirectory() === true;
};

const readPersona = (folder: string): Reading<{ readonly persona: Persona }> => {
  const file = join(folder, FILE);
  const found = statSync(file, { throwIfNoEntry: false });
  // Refuses a pipe or a device, because reading it could block forever.
  if (found !== undefined && !found.isFile() && !found.isDirectory()) {
    return refused(problemOf(file, "is not a regular file"));
  }
  if (found === undefined) {
    const message = `has no ${FILE}; add one, because a persona is a folder with ${FILE}`;
    return refused(problemOf(folder, message));
  }
  const parsed = readYaml(file);
  if (!parsed.ok) return parsed;
  const yaml = withImpliedMind(parsed.yaml);
  const checked = checkYaml(yaml, personaSchema);
  if (!checked.ok) return checked;
  const prompt = readSystemPrompt(folder);
  if (!prompt.ok) return prompt;
  const { text: systemPrompt } = prompt;
  if (systemPrompt !== null && checked.value.system_prompt !== undefined) {
    const message = `sets system_prompt, and ${PROMPT_FILE} exists too; keep one of them`;
    return refused(problemOf(file, message));
  }
  const persona = personaOf(checked.value, { folder, yaml, systemPrompt });
  const warnings = [...persona.warnings, ...oddities(persona, systemPrompt)];
  return { ok: true, persona: { ...persona, warnings } };
};

const oddities = (
  { id, mind, folder, place }: Persona,
  systemPrompt: string | null,
): readonly Problem[] => {
  const name = basename(folder);
  const asks = "only llm and workflow minds have a prompt";
  return [
    ...(name === id
      ? []
      : [{ ...place, message: `the id \`${id}\` is not the name of its folder`, hint: null }]),
    ...(systemPrompt === null || isModelMind(mind)
      ? []
      : [problemOf(join(folder, PROMPT_FILE), `is not used: ${id} is ${mind}`, asks)]),
  ];
};

const withImpliedMind = (yaml: YamlFile): YamlFile => {
  const { value } = yaml;
  const implied = isObject(value) && value.workflow !== undefined && value.mind === undefined;
  return implied ? { ...yaml, value: { ...value, mind: "workflow" } } : yaml;
};

const TOO_LONG = `is longer than ${SYSTEM_PROMPT_CHARS_MAX} characters`;

const readSystemPrompt = (folder: string): Reading<{ readonly text: string | null }> => {
  const file = join(folder, PROMPT_FILE);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return { ok: true, text: null };
  if (!found.isFile()) return refused(problemOf(file, "is not a regular file"));
  const read = readText(file);
  if (!read.ok) return read;
  return read.text.length <= SYSTEM_PROMPT_CHARS_MAX
    ? { ok: true, text: read.text.trim() }
    : refused(problemOf(file, TOO_LONG));
};

const whyNotPlaying = (
  id: string,
  dir: string,
  personas: readonly Persona[],
): readonly Problem[] => {
  const persona = personas.find((each) => each.id === id);
  if (persona === undefined) {
    const ids = personas.map((each) => each.id);
    const hint = didYouMean(id, ids) ?? `there are ${ids.join(", ") || "none"}`;
    return [problemOf(dir, `has no persona \`${id}\``, hint)];
  }
  if (persona.enabled) return [];
  const message = `\`${id}\` is not enabled; set \`enabled: true\` to let it take part`;
  return [{ ...persona.place, message, hint: null }];
};
