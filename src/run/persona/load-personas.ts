import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isObject, jsonIn } from "../../kernel/index.ts";
import {
  type Finding,
  type KeyPath,
  type MindConfig,
  type ModuleFault,
  type ModuleHost,
  type ModuleRole,
  ModuleThread,
  pluginName,
  valueAt,
} from "../../mind/index.ts";
import { SHIPPED_TOPICS } from "../../policy/index.ts";
import { meantOrAll } from "../../text/index.ts";
import {
  checkYaml,
  type Problem,
  problemOf,
  type Reading,
  readText,
  readYaml,
  refused,
  shippedSettings,
  type YamlFile,
} from "../config/index.ts";
import { withImpliedMind } from "../minds/agent-config.ts";
import { asksModels, kindOf, labelsOf } from "../minds/kinds.ts";
import { clashesIn } from "./clashes.ts";
import {
  type Persona,
  type PersonaFiles,
  type PersonaGiven,
  type PersonaModule,
  personaSchema,
} from "./persona.ts";
import { membersOf } from "./population.ts";
import {
  costlyPrompt,
  fileName,
  PROMPT_FILE,
  placeIn,
  readSystemPrompt,
  strayPrompts,
  unknownPlaceholders,
} from "./system-prompt.ts";
import { readWorkspace, workspaceWarnings } from "./workspace-folder.ts";

const LIBRARY = "library";
const FILE = "agent.yaml";

type Personas = { readonly personas: readonly Persona[] };

export type PersonaSource = {
  /** The folders of the personas. */
  readonly dirs: readonly string[];
  /** The seed of the run, from which the values in `vary` are drawn. */
  readonly seed: number;
  /** The topics of the library of programs (default: those of the shipped library). */
  readonly topics?: readonly string[];
  /** The limit in `timeouts.module_s` (default: that of the shipped configuration). */
  readonly moduleS?: number;
  /** The limit in `resources.stock.disk_bytes` (default: that of the shipped configuration). */
  readonly diskBytes?: number;
};

type Survey = Personas & { readonly problems: readonly Problem[] };

/** Returns the agents of all valid personas, sorted by id. Includes those that are not enabled. */
export const surveyPersonas = (source: PersonaSource): Survey => {
  const { dirs } = source;
  const twice = dirs.filter((dir, at) => dirs.findIndex((each) => isSame(each, dir)) < at);
  const repeated = twice.map((dir) => problemOf(dir, "is given twice; name each folder once"));
  const modules = new ModuleThread(source.moduleS ?? shippedModuleS());
  const all = dirs.map((dir) => surveyFolder(dir, { ...source, modules }));
  modules.close();
  const personas = all.flatMap((each) => each.personas);
  const sorted = personas.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const problems = [...repeated, ...all.flatMap((each) => each.problems)];
  return {
    personas: sorted,
    problems: twice.length > 0 ? problems : withClashes(problems, sorted),
  };
};

const isSame = (one: string, other: string): boolean => resolve(one) === resolve(other);

const withClashes = (problems: readonly Problem[], all: readonly Persona[]): readonly Problem[] => [
  ...problems,
  ...clashesIn(all),
];

const shippedModuleS = (): number => Number(shippedSettings().get("timeouts.module_s")?.value);

const shippedDiskBytes = (): number =>
  Number(shippedSettings().get("resources.stock.disk_bytes")?.value);

type FolderSource = PersonaSource & { readonly modules: ModuleHost };

const surveyFolder = (dir: string, source: FolderSource): Survey => {
  const found = statSync(dir, { throwIfNoEntry: false });
  if (!found?.isDirectory()) {
    const message = found === undefined ? "there is no such folder" : "it is not a folder";
    const hint = "`sim init DIR` creates one with personas";
    return { personas: [], problems: [problemOf(dir, message, hint)] };
  }
  if (existsSync(join(dir, FILE))) {
    const message = "is one persona, not a folder of personas";
    const hint = `name ${join(dir, "..")}, and choose the persona with --only`;
    return { personas: [], problems: [problemOf(dir, message, hint)] };
  }
  const read = readdirSync(dir, { withFileTypes: true })
    .filter((entry) => isPersonaFolder(dir, entry))
    .map(({ name }) => readPersona(join(dir, name), source));
  const personas = read.flatMap((each) => (each.ok ? each.personas : []));
  return { personas, problems: read.flatMap((each) => (each.ok ? [] : each.problems)) };
};

type Selection = PersonaSource & {
  /** The ids of personas, or of single agents of a population. `[]`: all that are enabled. */
  readonly only: readonly string[];
};

/** The agents of one persona, whose folder has `agent.yaml`. */
export const loadPersona = (
  folder: string,
  source: Omit<PersonaSource, "dirs">,
): Reading<Personas> => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const hint = "name the folder of one persona, which has agent.yaml";
    return refused(problemOf(folder, "is not a folder", hint));
  }
  const modules = new ModuleThread(source.moduleS ?? shippedModuleS());
  const read = readPersona(folder, { ...source, dirs: [], modules });
  modules.close();
  return read;
};

/** The enabled agents in `only`. Fails if any persona in the folders is invalid. */
export const loadPersonas = ({ only, ...source }: Selection): Reading<Personas> => {
  const { personas, problems } = surveyPersonas(source);
  const dir = source.dirs.join(", ");
  const wanted = only.flatMap((id) => whyNotPlaying(id, dir, personas));
  const chosen = personas.filter(
    ({ id, population, enabled }) =>
      enabled && (only.length === 0 || only.includes(id) || only.includes(population)),
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

const readPersona = (folder: string, source: FolderSource): Reading<Personas> => {
  const { seed, topics, modules, diskBytes = shippedDiskBytes() } = source;
  const file = join(folder, FILE);
  const found = statSync(file, { throwIfNoEntry: false });
  // Refuses a pipe or a device, because reading it could block forever.
  if (found !== undefined && !found.isFile() && !found.isDirectory()) {
    return refused(problemOf(file, "is not a regular file"));
  }
  if (found === undefined) {
    const message = `has no ${FILE}; add one, because a persona is a folder with ${FILE}`;
    const hasOther = existsSync(join(folder, "agent.yml"));
    return refused(problemOf(folder, hasOther ? `has no ${FILE}; rename agent.yml` : message));
  }
  const parsed = readYaml(file);
  if (!parsed.ok) return parsed;
  // An empty file is a persona without keys.
  const yaml = { ...parsed.yaml, value: withImpliedMind(parsed.yaml.value ?? {}) };
  const checked = checkYaml(yaml, personaSchema, personaHint(yaml));
  if (!checked.ok) return checked;
  const given = checked.value as PersonaGiven;
  const prompt = readSystemPrompt(folder);
  if (!prompt.ok) return prompt;
  const { text: systemPrompt } = prompt;
  if (systemPrompt !== null && given.system_prompt !== undefined) {
    const message = `sets system_prompt, and ${PROMPT_FILE} exists too; keep one of them`;
    return refused({ ...yaml.placeOf(SYSTEM_PROMPT), message, hint: null });
  }
  const read = readModules(modules, { folder, given, yaml });
  if (!read.ok) return read;
  const files = readWorkspace(folder, diskBytes);
  if (!files.ok) return files;
  const { content: workspace } = files;
  const parts = { folder, yaml, systemPrompt, workspace, modules: read.modules };
  const members = membersOf(given, parts, seed);
  if (!members.ok) return members;
  for (const { mind, content } of members.personas) {
    const own = { ...(jsonIn(content) as MindConfig), mind };
    const [wrong] = kindOf(mind)?.checkTopics?.(own, topics ?? SHIPPED_TOPICS) ?? [];
    if (wrong === undefined) continue;
    const { path, ...told } = wrong;
    return refused({ ...yaml.placeOf({ path, at: "value" }), ...told });
  }
  const [first] = members.personas;
  const odd =
    first === undefined ? [] : [...oddities(first, given.system_prompt, parts), ...read.notes];
  // A remark on the whole population is given once.
  const personas = members.personas.map((each) =>
    each === first ? { ...each, warnings: [...each.warnings, ...odd] } : { ...each, warnings: [] },
  );
  return { ok: true, personas };
};

/** Says where the keys of a persona are, if a finding has no other hint. */
const personaHint =
  ({ value }: YamlFile) =>
  ({ kind, path, hint }: Finding): string | null => {
    const [key, ...below] = path;
    if (key === undefined || below.length > 0) return hint;
    if (kind === "missing") return hint ?? (key === "id" ? "write `id: NAME`" : null);
    if (kind !== "unknown_key") return hint;
    const inside = valueAt(value, path);
    const known = Object.keys(isObject(inside) ? inside : {}).filter(
      (name) => name in personaSchema.shape,
    );
    const shown = known.map((name) => `\`${name}\``).join(", ");
    if (known.length > 0) return `write ${shown} at the top level, not under \`${String(key)}\``;
    return hint ?? "`sim agents new NAME --mind llm` shows the usual keys";
  };

const SYSTEM_PROMPT = { path: ["system_prompt"], at: "key" } as const;

/** Warnings about a whole persona. `own` is the system prompt in `agent.yaml`. */
const oddities = (
  { population: id, mind, folder, place }: Persona,
  own: unknown,
  { yaml, systemPrompt, workspace }: PersonaFiles,
): readonly Problem[] => {
  const name = basename(folder);
  const asks = `only mind: ${labelsOf(({ cost }) => cost === "models")} has a prompt`;
  const file = join(folder, PROMPT_FILE);
  const isUsed = asksModels(mind);
  const inYaml = yaml.placeOf({ ...SYSTEM_PROMPT, at: "value" });
  return [
    ...(name === id
      ? []
      : [{ ...place, message: `the id \`${id}\` is not the name of its folder`, hint: null }]),
    ...(systemPrompt === null || isUsed
      ? []
      : [problemOf(file, `is not used: ${id} is ${mind}`, asks)]),
    ...(systemPrompt === null || !isUsed
      ? []
      : [
          ...unknownPlaceholders(systemPrompt, placeIn(file, systemPrompt)),
          ...costlyPrompt(systemPrompt, { file, line: 1, column: 1 }),
        ]),
    ...(typeof own !== "string"
      ? []
      : [
          ...unknownPlaceholders(own, () => inYaml),
          ...costlyPrompt(own, inYaml),
          ...fileName(own, inYaml),
        ]),
    ...(isUsed ? strayPrompts(folder) : []),
    ...(workspace === null ? [] : workspaceWarnings(folder, workspace, mind)),
  ];
};

type ModulesRead = Reading<{
  readonly modules: readonly PersonaModule[];
  readonly notes: readonly Problem[];
}>;

type Named = { readonly folder: string; readonly given: PersonaGiven; readonly yaml: YamlFile };

/** Loads the modules of the user that a persona names, relative to its folder. */
const readModules = (host: ModuleHost, { folder, given, yaml }: Named): ModulesRead => {
  const { role = "mind", takenNames = [], inPersona } = kindOf(given.mind)?.modules ?? {};
  const taken = new Set(takenNames);
  const found: PersonaModule[] = [];
  const notes: Problem[] = [];
  for (const { path, key } of inPersona?.(given) ?? []) {
    const read = readModule(host, { folder, wanted: { path, role, key }, yaml });
    if (!read.ok) return read;
    const { module } = read;
    const name = pluginName(basename(module.path));
    if (taken.has(name)) {
      const place = yaml.placeOf({ path: key, at: "value" });
      const message = `\`${String(key[0])}\`: the name ${name} is taken`;
      return refused({ ...place, message, hint: "rename the file" });
    }
    taken.add(name);
    found.push(module);
    notes.push(...read.notes);
  }
  return { ok: true, modules: found, notes };
};

/** A module that a persona names. `key`: where it is named. */
type Wanted = { readonly path: string; readonly role: ModuleRole; readonly key: KeyPath };

type ModuleRead = Reading<{ readonly module: PersonaModule; readonly notes: readonly Problem[] }>;

const readModule = (
  host: ModuleHost,
  { folder, wanted, yaml }: Pick<Named, "folder" | "yaml"> & { readonly wanted: Wanted },
): ModuleRead => {
  const { role, key } = wanted;
  const path = isAbsolute(wanted.path) ? wanted.path : join(folder, wanted.path);
  const text = readText(path);
  if (!text.ok) {
    const [why] = text.problems;
    const message = `\`${String(key[0])}\`: ${path} ${why?.message ?? "cannot be read"}`;
    const place = yaml.placeOf({ path: key, at: "value" });
    return refused({ ...place, message, hint: "the path is relative to the persona" });
  }
  const loaded = host.load(path, role);
  if (!loaded.ok) return refused(moduleProblem(path, loaded.fault));
  const { copyName: name, files, main, notes } = loaded.module;
  const module = { path, role, name, files, main };
  return { ok: true, module, notes: notes.map((note) => moduleProblem(path, note)) };
};

/** The problem of a fault in a module or in a file that it imports. */
export const moduleProblem = (path: string, fault: ModuleFault): Problem => {
  return { ...fault, file: join(dirname(path), fault.file), hint: null };
};

const whyNotPlaying = (
  id: string,
  dir: string,
  personas: readonly Persona[],
): readonly Problem[] => {
  const persona = personas.find((each) => each.id === id || each.population === id);
  if (persona === undefined) {
    const ids = [...new Set(personas.map(({ population }) => population))];
    return [problemOf(dir, `has no persona \`${id}\``, meantOrAll(id, ids))];
  }
  if (persona.enabled) return [];
  const message = `\`${id}\` is not enabled; set \`enabled: true\` to let it take part`;
  return [{ ...persona.place, message, hint: null }];
};
