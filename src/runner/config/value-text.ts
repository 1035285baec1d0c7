import { isObject } from "../../kernel/index.ts";

/** The value at a path of a configuration as JSON text; null where there is none. */
export const textAt = (value: unknown, path: readonly string[]): string =>
  JSON.stringify(
    path.reduce<unknown>((here, key) => (isObject(here) ? here[key] : undefined), value) ?? null,
  );
