import type { Environment } from "../../model/index.ts";
import { MARK_PREFIX } from "./marked-processes.ts";

/** What any program needs to start, find its settings and print text. */
const COMMON = ["PATH", "HOME", "LANG", "LC_*", "TERM", "TMPDIR", `${MARK_PREFIX}*`];

/**
 * The variables that a coding agent gets: common ones, those of its provider, and `added`. Any
 * other variable, such as a key of the run, stays here. A name that ends with `*` is a beginning.
 */
export const agentEnvironment = (
  host: Environment,
  allowed: readonly string[],
  added: Readonly<Record<string, string>>,
): Record<string, string> => {
  const names = [...COMMON, ...allowed];
  const isAllowed = (name: string): boolean =>
    names.some((each) => (each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : name === each));
  const passed = Object.entries(host).flatMap(([name, value]) =>
    value !== undefined && isAllowed(name) ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(passed), ...added };
};
