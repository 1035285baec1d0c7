import { isObject } from "../../kernel/index.ts";
import { isWholeAt, policySettings, valueAt } from "../../mind/index.ts";
import { checkYaml, type Problem, type Reading, type YamlFile } from "../config/index.ts";
import { type Persona, type PersonaFiles, personaOf, personaSchema } from "./persona.ts";
import { drawValue, type Vary } from "./vary.ts";

type Given = Parameters<typeof personaOf>[0];

/** Settings of the whole population. They cannot differ between its agents. */
const COMMON = ["id", "enabled", "count", "vary"];

/**
 * Makes the agents of a persona: one agent, or a population with `count`. The values in `vary` are
 * drawn from the seed of the run, by persona, setting and agent.
 */
export const membersOf = (
  given: Given,
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
  const personas: Persona[] = [];
  for (let index = 1; index <= (count ?? 1); index++) {
    const id = count === undefined ? population : memberId(population, index, count);
    const member = memberOf(given, files, { id, index, seed });
    if (!member.ok) return member;
    personas.push(personaOf(member.value, { ...files, population, index }));
  }
  return { ok: true, personas };
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
  given: Given,
  { yaml }: PersonaFiles,
  { id, index, seed }: Member,
): Reading<{ readonly value: Given }> => {
  const { id: population, count, vary = {} } = given;
  const paths = Object.keys(vary);
  // Only the first id and the longest id of a population can be wrong in different ways.
  if (paths.length === 0 && index > 1 && index < (count ?? 1)) {
    return { ok: true, value: { ...given, id } };
  }
  const base = isObject(yaml.value) ? yaml.value : {};
  const { count: _count, vary: _vary, ...own } = base;
  const value = Object.entries(vary).reduce<unknown>(
    (made, [path, variation]) => {
      const stream = `${population}/vary/${path}`;
      const isWhole = isWholeSetting(given.mind, path);
      const drawn = drawValue(variation, { stream, seed, index, isWhole });
      return withValue(made, path.split("."), drawn);
    },
    { ...own, id },
  );
  const checked = checkYaml({ value, placeOf: placesIn(yaml, vary) }, personaSchema);
  if (checked.ok) return checked;
  const inMember = count === undefined ? "" : ` (agent ${id})`;
  const problems = checked.problems.map((problem): Problem => {
    return { ...problem, message: `${problem.message}${inMember}` };
  });
  return { ok: false, problems };
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
  if (first !== "policy" || rest.length === 0) return isWholeAt(personaSchema, path.split("."));
  const settings = policySettings(mind);
  return settings !== null && isWholeAt(settings, rest);
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
