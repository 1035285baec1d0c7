import { z } from "zod";
import { POLICY_NAMES, POLICY_SETTINGS } from "./agent-config.ts";

/** One setting, as somebody who writes a persona has to know it. */
export type SettingGuide = {
  readonly name: string;
  readonly meaning: string;
  /** Which values it may have, in words. */
  readonly form: string;
  /** As it is written in YAML. */
  readonly default: string;
};

/** One policy with all its settings. */
export type PolicyGuide = {
  readonly mind: string;
  readonly meaning: string;
  readonly settings: readonly SettingGuide[];
};

type Shape = z.core.JSONSchema.JSONSchema;

/** What can be said of every policy, from the schemas that its settings are checked with. */
export const policyGuides = (): readonly PolicyGuide[] =>
  POLICY_NAMES.map((name) => {
    const { description = "", properties = {} } = z.toJSONSchema(POLICY_SETTINGS[name], {
      io: "input",
    });
    const settings = Object.entries(properties).flatMap(([setting, shape]) =>
      typeof shape === "boolean" ? [] : [guideOf(setting, shape)],
    );
    return { mind: `policy/${name}`, meaning: description, settings };
  });

const guideOf = (name: string, shape: Shape): SettingGuide => ({
  name,
  meaning: shape.description ?? "",
  form: formOf(shape),
  default: JSON.stringify(shape.default ?? null),
});

const formOf = (shape: Shape): string => {
  const forms = shape.anyOf?.map((one) => formOf(one));
  if (forms !== undefined) return forms.join(" or ");
  // A choice of text or nothing is written as a list of types.
  switch (String(shape.type)) {
    case "string,null":
      return "text or null";
    case "integer":
      return `whole number${rangeOf(shape)}`;
    case "number":
      return `number${rangeOf(shape)}`;
    case "boolean":
      return "true or false";
    case "array":
      return `list of ${choicesIn(shape.items)}`;
    case "null":
      return "null";
    default:
      return "text";
  }
};

const rangeOf = ({ minimum, maximum = Number.MAX_SAFE_INTEGER }: Shape): string => {
  if (minimum === undefined) return "";
  return maximum === Number.MAX_SAFE_INTEGER
    ? `, ${minimum} or more`
    : `, ${minimum} to ${maximum}`;
};

const choicesIn = (items: Shape["items"]): string => {
  const item = Array.isArray(items) ? items[0] : items;
  return typeof item === "object" ? (item.enum?.join(", ") ?? formOf(item)) : "anything";
};
