import { fit, isObject, type Json, type JsonObject, schemaProblem } from "../../kernel/index.ts";
import { didYouMean } from "../../text/index.ts";
import { isPlain } from "../config/index.ts";

/** A JSON Schema of an object. A property without a default is required. */
export type SettingsSchema = JsonObject;

/** A wrong setting. `key` null: a required one is missing. */
type Misfit = {
  readonly key: string | null;
  readonly message: string;
  readonly hint: string | null;
};

type Fitted =
  | { readonly ok: true; readonly values: JsonObject }
  | { readonly ok: false; readonly misfits: readonly Misfit[] };

/** Why a header's `settings` is not a schema of settings, or null. */
export const settingsProblem = (given: unknown): string | null => {
  const problem = schemaProblem(given, "settings");
  if (problem !== null) return problem;
  return isObject(given) && isObject(given.properties)
    ? null
    : "settings must be a JSON Schema with `properties`";
};

const propertiesOf = (schema: SettingsSchema | null): JsonObject => {
  const properties = schema?.properties;
  return isObject(properties) ? properties : {};
};

type Given = { readonly [name: string]: unknown };

/** Checks settings against their schema, and adds the defaults. Null: the program has none. */
export const fitSettings = (schema: SettingsSchema | null, given: Given): Fitted => {
  const properties = propertiesOf(schema);
  const names = Object.keys(properties);
  const unknown = Object.keys(given).filter((key) => !names.includes(key));
  const misfits: Misfit[] = unknown.map((key) => ({
    key,
    message: `\`${key}\` is not a setting of this program`,
    hint:
      names.length === 0 ? "it has none" : (didYouMean(key, names) ?? `it has ${names.join(", ")}`),
  }));
  const values: Record<string, Json> = {};
  for (const [name, rule] of Object.entries(properties)) {
    const property = isObject(rule) ? rule : {};
    const value = given[name] ?? property.default;
    if (!isPlain(value)) {
      const hint = typeof property.description === "string" ? property.description : null;
      misfits.push({ key: null, message: `\`${name}\` is missing`, hint });
      continue;
    }
    const fitted = fit(value, property, `\`${name}\``);
    if (fitted.ok) values[name] = fitted.value;
    else misfits.push({ key: name, message: fitted.problem, hint: null });
  }
  return misfits.length === 0 ? { ok: true, values } : { ok: false, misfits };
};
