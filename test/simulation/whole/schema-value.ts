import type { Dice } from "../../../src/kernel/core/dice.ts";
import type { Json } from "../../../src/kernel/index.ts";

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (given: unknown): given is Schema => typeof given === "object" && given !== null;

const DEPTH_MAX = 5;

/**
 * Returns a random value that fits a JSON schema, as a model in strict mode does. The schema may be
 * inside a field `schema`.
 */
export const schemaValue = (given: unknown, dice: Dice, depth = 0): Json => {
  if (!isSchema(given) || depth > DEPTH_MAX) return null;
  if (isSchema(given.schema) && given.type === undefined)
    return schemaValue(given.schema, dice, depth);
  const choices = given.anyOf ?? given.oneOf;
  if (Array.isArray(choices)) return schemaValue(dice.choose(choices), dice, depth + 1);
  if (Array.isArray(given.enum)) return dice.choose(given.enum) ?? null;
  if (given.const !== undefined) return given.const as Json;
  const type = Array.isArray(given.type) ? dice.choose(given.type) : given.type;
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(isSchema(given.properties) ? given.properties : {}).map(([key, each]) => [
          key,
          schemaValue(each, dice, depth + 1),
        ]),
      );
    case "array":
      return Array.from({ length: dice.pick(3) }, () => schemaValue(given.items, dice, depth + 1));
    case "integer":
      return dice.pick(12) - 1;
    case "number":
      return dice.pick(1_000) / 100;
    case "boolean":
      return dice.chance(0.5);
    case "string":
      return dice.choose(["a1", "a2", "p0", "run", "[1, 2]", "genesis_ledger", ""]) ?? "";
    default:
      return null;
  }
};
