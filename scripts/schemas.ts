import { z } from "zod";
import { isObject, type Json } from "../src/kernel/index.ts";
import { SCRIPT_WORDS } from "../src/mind/index.ts";
import { POLICIES } from "../src/policy/index.ts";
import { configSchema, type ShippedSetting, shippedSettings } from "../src/run/config/index.ts";
import { MIND_NAMES } from "../src/run/index.ts";
import { personaSchema } from "../src/run/persona/persona.ts";

type Tree = { readonly [key: string]: Json };
type Path = readonly string[];
type Settings = ReadonlyMap<string, ShippedSetting>;

/** The part of the configuration whose words and defaults an `agent.yaml` shares. */
const OF_AGENTS = "agent";
/** What is said of the first provider holds for the others. */
const FIRST_PROVIDER = "google";
const DEFAULT_CHARS_MAX = 200;

const treeOf = (schema: z.ZodType): Tree => {
  const made: unknown = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
  });
  const plain: Json = JSON.parse(JSON.stringify(made));
  return isObject(plain) ? plain : {};
};

/** Each value of a map, with its key. */
const mapped = (tree: Json | undefined, change: (value: Json, key: string) => Json): Tree =>
  Object.fromEntries(
    Object.entries(isObject(tree) ? tree : {}).map(([key, value]) => [key, change(value, key)]),
  );

/** Bounds that every number has, and rules that say nothing. */
const tidied = (tree: Json): Json => {
  if (Array.isArray(tree)) return tree.map(tidied);
  if (!isObject(tree)) return tree;
  const kept = Object.entries(tree).filter(([key, value]) => {
    const isBound = (key === "minimum" || key === "maximum") && typeof value === "number";
    const isAnyText = key === "propertyNames" && JSON.stringify(value) === '{"type":"string"}';
    return !isAnyText && !(isBound && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER);
  });
  return Object.fromEntries(kept.map(([key, value]) => [key, tidied(value)]));
};

/** The schema with what is said of each key, and its default, where `about` knows them. */
const told = (tree: Json, path: Path, about: (path: Path) => ShippedSetting | undefined): Json => {
  if (!isObject(tree)) return tree;
  const setting = about(path);
  const value = setting === undefined ? undefined : JSON.stringify(setting.value);
  const isLeaf = tree.properties === undefined && value !== undefined;
  const words =
    typeof tree.description === "string" ? tree.description : (setting?.comment ?? null);
  return {
    ...tree,
    ...(words === null ? {} : { description: words }),
    ...(isLeaf && value.length <= DEFAULT_CHARS_MAX ? { default: JSON.parse(value) } : {}),
    ...(tree.properties === undefined
      ? {}
      : {
          properties: mapped(tree.properties, (inner, key) => told(inner, [...path, key], about)),
        }),
  };
};

/** A file may leave out whatever it does not change, and a section may be empty. */
const loosened = (tree: Json): Json => {
  if (!isObject(tree)) return tree;
  const { required: _required, properties, additionalProperties, ...rest } = tree;
  const entry = additionalProperties;
  return {
    ...rest,
    ...(properties === undefined
      ? {}
      : { type: ["object", "null"], properties: mapped(properties, loosened) }),
    ...(entry === undefined ? {} : { additionalProperties: loosened(entry) }),
  };
};

const settingAt = (settings: Settings, path: Path): ShippedSetting | undefined => {
  const own = settings.get(path.join("."));
  if (path[0] !== "llm" || path[1] !== "providers" || path.length < 4) return own;
  const like = settings.get(["llm", "providers", FIRST_PROVIDER, ...path.slice(3)].join("."));
  return own === undefined ? like : { ...own, comment: own.comment ?? like?.comment ?? null };
};

const configTree = (): Json => {
  const settings = shippedSettings();
  const { $schema = "", ...tree } = treeOf(configSchema);
  const loose = loosened(told(tree, [], (path) => settingAt(settings, path)));
  return { $schema, title: "config.yaml of catallaxy", ...(isObject(loose) ? loose : {}) };
};

/** One entry of a script, which a schema of ours reads by its first word. */
const scriptEntry = (): Json => {
  const entries = { type: "array", items: { $ref: "#/definitions/entry" } };
  const words = mapped(SCRIPT_WORDS, (description) => ({ description }));
  return {
    type: "object",
    minProperties: 1,
    properties: { ...words, do: entries },
    additionalProperties: false,
  };
};

const mindForms = (): Json => [
  { enum: [...MIND_NAMES] },
  { type: "string", pattern: "\\.m?[tj]s$", title: "the path of a module" },
];

const policyForms = (): Json =>
  Object.entries(POLICIES).map(([name, { settings }]) => {
    const { $schema: _schema, ...form } = treeOf(settings);
    return { title: `policy/${name}`, ...form };
  });

/** A setting of `agent.yaml` that the configuration has as well, or one of its own. */
const sharedSetting = (settings: Settings, path: Path): ShippedSetting | undefined =>
  path.length === 0 ? undefined : settings.get([OF_AGENTS, ...path].join("."));

const agentTree = (): Json => {
  const settings = shippedSettings();
  const { $schema = "", definitions: _unused, ...tree } = treeOf(personaSchema);
  const whole = told(tree, [], (path) => sharedSetting(settings, path));
  const { properties, required: _required, ...rest } = isObject(whole) ? whole : {};
  return {
    $schema,
    title: "agent.yaml of catallaxy",
    ...rest,
    // A persona without `mind` has a default.
    required: ["id"],
    properties: {
      ...mapped(properties, (property, key) => {
        if (!isObject(property)) return property;
        if (key === "script") return { ...property, items: { $ref: "#/definitions/entry" } };
        if (key === "mind") return { ...property, anyOf: mindForms() };
        const map = { description: property.description ?? "", type: "object" };
        if (key === "settings") return map;
        return key === "policy" ? { ...map, anyOf: policyForms() } : property;
      }),
    },
    definitions: { entry: scriptEntry() },
  };
};

const COLUMNS_MAX = 100;

/** JSON text as the formatter of this house would write it: lists of plain values on one line. */
const written = (tree: Json): string =>
  `${JSON.stringify(tidied(tree), null, 2)}\n`.replaceAll(
    /^(.*)\[\n\s+([^[\]{}]*?)\n\s*\](,?)$/gm,
    (spread: string, before: string, items: string, comma: string) => {
      const line = `${before}[${items.replaceAll(/\n\s+/g, " ")}]${comma}`;
      return line.length <= COLUMNS_MAX ? line : spread;
    },
  );

/** Schemas for editors, made from those that the files are checked with: text by file. */
export const SCHEMAS: { readonly [file: string]: () => string } = {
  "docs/schema/agent.schema.json": () => written(agentTree()),
  "docs/schema/config.schema.json": () => written(configTree()),
};
