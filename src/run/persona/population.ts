import { isObject } from "../../kernel/index.ts";
import { isWholeAt, valueAt } from "../../mind/index.ts";
import { checkYaml, type Problem, type Reading, type YamlFile } from "../config/index.ts";
import { kindOf } from "../minds/kinds.ts";
import {
  type Persona,
  type PersonaFiles,
  type PersonaGiven,
  personaOf,
  personaSchema,
} from "./persona.ts";
import { drawValue, type End, endsOf, type Variation, type Vary } from "./vary.ts";

/** Settings of the whole population. They cannot differ between its agents. */
const COMMON = ["id", "enabled", "count", "vary"];

/**
 * Makes the agents of a persona: one agent, or a population with `count`. The values in `vary` are
 * drawn from the seed of the run, by persona, setting and agent.
 */
export const membersOf = (
  given: PersonaGiven,
  files: PersonaFiles,
  seed: number,
): Reading<{ readonly personas: readonly Persona[] }> => {
  const { id: population, count, vary = {} } = given;
  const problems = Object.keys(vary).flatMap((path) => {
    const message = pathProblem(path, files.yaml.value);
    const place = files.yaml.placeOf({ path: ["vary", path], at: "key" });
    return message === null ? [] : [{ ...place, message, hint: null }];
  });
  if (problems.length > 0) return { ok: false, problems };
  const beyond = Object.entries(vary).flatMap(([path, variation]) =>
    endProblems(given, files, { path, variation }),
  );
  if (beyond.length > 0) return { ok: false, problems: beyond.slice(0, PROBLEMS_MAX) };
  const personas: Persona[] = [];
  for (let index = 1; index <= (count ?? 1); index++) {
    const id = count === undefined ? population : memberId(population, index, count);
    const member = memberOf(given, files, { id, index, seed });
    if (!member.ok) return member;
    personas.push(personaOf(member.value, { ...files, population, index }));
  }
  return { ok: true, personas };
};

const PROBLEMS_MAX = 20;

type Varied = { readonly path: string; readonly variation: Variation };

/** Returns a problem for each value of a variation that its setting does not accept. */
const endProblems = (
  given: PersonaGiven,
  { yaml }: PersonaFiles,
  { path, variation }: Varied,
): readonly Problem[] => {
  const isWhole = isWholeSetting(given.mind, path);
  const ends = endsOf(variation, isWhole);
  if (ends.length === 0) {
    const spot = { path: ["vary", path, "uniform"], at: "value" } as const;
    const message = `\`vary.${path}.uniform\` has no whole number, which this setting must be`;
    return [{ ...yaml.placeOf(spot), message, hint: null }];
  }
  const member = drawnMember(given, yaml, { id: given.id, index: 1, seed: 0 });
  const found = ends.flatMap((end) => {
    const value = withValue(member, path.split("."), end.value);
    const checked = checkYaml({ value, placeOf: placesOfEnd(yaml, path, end) }, personaSchema);
    const problems = checked.ok ? [] : checked.problems.filter(({ line }) => line !== null);
    return problems.map((problem) => ({ ...problem, hint: end.hint ?? problem.hint }));
  });
  // An unknown key is a problem with each value, but at the same place.
  const keyOf = ({ line, column }: Problem): string => `${line}:${column}`;
  return [...new Map(found.map((problem) => [keyOf(problem), problem])).values()];
};

/** Finds a problem with an end of a range in the file. The line of any other problem is null. */
const placesOfEnd =
  (yaml: YamlFile, varied: string, end: End): YamlFile["placeOf"] =>
  ({ path, at }) => {
    const dots = `${path.map(String).join(".")}.`;
    const isInside = dots.startsWith(`${varied}.`);
    if (isInside && at === "value") {
      return yaml.placeOf({ path: ["vary", varied, ...end.path], at });
    }
    const isAround = `${varied}.`.startsWith(dots);
    const { file } = yaml.placeOf({ path: ["vary"], at: "key" });
    if (!isInside && !isAround) return { file, line: null, column: null };
    return yaml.placeOf({ path: ["vary", varied], at: "key" });
  };

/** Returns why `vary` must not have a path, or null. `within` is the value of the file. */
const pathProblem = (path: string, within: unknown): string | null => {
  const segments = path.split(".");
  if (COMMON.includes(segments[0] ?? "")) return `\`vary\` must not set ${path}`;
  let here = within;
  for (const [at, segment] of segments.entries()) {
    if (Array.isArray(here) && !Object.keys(here).includes(segment)) {
      const list = segments.slice(0, at).join(".");
      return `\`vary\` must not set ${path}: the list ${list} has no item ${segment}`;
    }
    here = valueAt(here, [segment]);
  }
  return null;
};

/** The ids of a population have numbers of equal length, so that they sort by number. */
const memberId = (population: string, index: number, count: number): string =>
  `${population}_${String(index).padStart(String(count).length, "0")}`;

type Member = { readonly id: string; readonly index: number; readonly seed: number };

const memberOf = (
  given: PersonaGiven,
  { yaml }: PersonaFiles,
  { id, index, seed }: Member,
): Reading<{ readonly value: PersonaGiven }> => {
  const { count, vary = {} } = given;
  const paths = Object.keys(vary);
  // Only the first id and the longest id of a population can be wrong in different ways.
  if (paths.length === 0 && index > 1 && index < (count ?? 1)) {
    return { ok: true, value: { ...given, id } };
  }
  const value = drawnMember(given, yaml, { id, index, seed });
  const checked = checkYaml({ value, placeOf: placesIn(yaml, vary) }, personaSchema);
  if (checked.ok) return checked;
  const inMember = count === undefined ? "" : ` (agent ${id})`;
  const problems = checked.problems.map((problem): Problem => {
    return { ...problem, message: `${problem.message}${inMember}` };
  });
  return { ok: false, problems };
};

/** The keys of one agent of a population, with the values in `vary` that it draws. */
const drawnMember = (given: PersonaGiven, yaml: YamlFile, { id, index, seed }: Member): unknown => {
  const { id: population, vary = {} } = given;
  const base = isObject(yaml.value) ? yaml.value : {};
  const { count: _count, vary: _vary, ...own } = base;
  return Object.entries(vary).reduce<unknown>(
    (made, [path, variation]) => {
      const stream = `${population}/vary/${path}`;
      const isWhole = isWholeSetting(given.mind, path);
      const drawn = drawValue(variation, { stream, seed, index, isWhole });
      return withValue(made, path.split("."), drawn);
    },
    { ...own, id },
  );
};

/** Finds a value in the file. A value that was drawn, and a map made for it, are in `vary`. */
const placesIn =
  (yaml: YamlFile, vary: Vary): YamlFile["placeOf"] =>
  ({ path, at }) => {
    const dots = path.map(String).join(".");
    const drawn = Object.keys(vary).find((key) => `${dots}.`.startsWith(`${key}.`));
    if (drawn !== undefined) return yaml.placeOf({ path: ["vary", drawn], at });
    const own = valueAt(yaml.value, path);
    const isMade = typeof own !== "object" || own === null;
    const inside = Object.keys(vary).find((key) => isMade && key.startsWith(`${dots}.`));
    return yaml.placeOf(
      inside === undefined ? { path, at } : { path: ["vary", inside], at: "key" },
    );
  };

/** False for the settings of a module, because no schema describes them. */
const isWholeSetting = (mind: string, path: string): boolean => {
  const [first = "", ...rest] = path.split(".");
  const schema = rest.length === 0 ? null : (kindOf(mind)?.schemaOf?.(first, mind) ?? null);
  return schema === null ? isWholeAt(personaSchema, [first, ...rest]) : isWholeAt(schema, rest);
};

/** Returns a copy of a value with another value at a path. Makes maps where there are none. */
const withValue = (within: unknown, path: readonly string[], value: unknown): unknown => {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(within)) {
    return within.map((item, at) => (String(at) === key ? withValue(item, rest, value) : item));
  }
  const map = isObject(within) ? within : {};
  return { ...map, [key]: withValue(map[key], rest, value) };
};
