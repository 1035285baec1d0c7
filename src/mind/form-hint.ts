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
      return given === null && canLack(place) ? "give a value or delete the key" : null;
    case "string":
      if (PLAIN.test(given) && isTextListAt(schema, path)) return `write \`[${given}]\``;
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
