import type { z } from "zod";
import { isOptionalAt, isTextListAt, keysAt } from "./schema-keys.ts";

type Place = {
  readonly path: readonly PropertyKey[];
  readonly schema: z.ZodType;
  /** Returns true if the value at a path may be missing. Without `canLack`, the schema decides. */
  readonly canLack?: (path: readonly PropertyKey[]) => boolean;
  /** The type that the schema expects, as in the issues of zod. */
  readonly expected: string;
};

/** Says how to write a value whose type is wrong, or null. */
export const formHint = (given: unknown, place: Place): string | null => {
  const { path, schema, expected } = place;
  switch (typeof given) {
    case "object":
      if (given === null) return canLack(place) ? "give a value or delete the key" : null;
      if (expected === "array") return LIST_FORM;
      return expected === "object" && Array.isArray(given) ? mapHint(place) : null;
    case "string":
      if (PLAIN.test(given) && isTextListAt(schema, path)) return `write \`[${given}]\``;
      if (expected === "array") return LIST_FORM;
      if (expected === "object") return textHint(given, place);
      if (expected === "boolean" && SWITCH.test(given)) return `write ${switched(given)}`;
      if (/^-?\d+,\d+$/.test(given) && /number|int/.test(expected)) {
        return `write ${given.replace(",", ".")}`;
      }
      return QUOTED[expected]?.test(given) === true ? "remove the quotes" : null;
    case "number":
    case "boolean": {
      // YAML reads 7 and true as other values than text.
      if (expected === "string") return "put it in quotes";
      const isSwitch = expected === "object" && keysAt(schema, path).includes("enabled");
      return isSwitch && typeof given === "boolean" ? `write \`{ enabled: ${given} }\`` : null;
    }
    default:
      return null;
  }
};

const LIST_FORM = "a list is `[A, B]`, or has `- ` before each item";

/** YAML 1.2 reads these words as text. */
const SWITCH = /^(yes|on|no|off)$/i;
const switched = (word: string): boolean => /^(yes|on)$/i.test(word);

/** The hint for a list in place of a map. */
const mapHint = ({ path, schema }: Place): string | null => {
  if (path.length === 0) return "remove the `- ` before the keys";
  const keys = keysAt(schema, path);
  if (keys.includes("steps")) return "write `steps:` above the list, and indent the list";
  return keys.includes("uniform") ? "write `{ uniform: [MIN, MAX] }`" : null;
};

/** The hint for text in place of a map. */
const textHint = (given: string, { path, schema }: Place): string | null => {
  if (path.length === 0) return "write `key: value`, with a space after the colon";
  const keys = keysAt(schema, path);
  if (SWITCH.test(given) && keys.includes("enabled")) {
    return `write \`{ enabled: ${switched(given)} }\``;
  }
  const isPrompt = keys.includes("mandatory_prefix") || keys.includes("budget_tokens");
  const isPersona = keysAt(schema, []).includes("system_prompt");
  return isPrompt && isPersona ? "write this text under `system_prompt`" : null;
};

const canLack = ({ path, schema, canLack: can }: Place): boolean =>
  can?.(path) ?? isOptionalAt(schema, path);

/** Matches comma-separated names such as `alice, bob`. A YAML list needs no quotes for them. */
const PLAIN = /^[a-z][\w./-]*( *, *[a-z][\w./-]*)*$/i;

const DIGITS = /^-?\d+(\.\d+)?$/;

/** Texts that would be right without quotes, by the expected type. */
const QUOTED: Readonly<Record<string, RegExp>> = {
  boolean: /^(true|false)$/,
  int: DIGITS,
  number: DIGITS,
};
