import type { Rule } from "./rule.ts";

export const dependencyRule: Rule = {
  name: "dependencies have reasons",
  check: ({ dependencies, decisions }) =>
    dependencies
      .filter((name) => !new RegExp(`(?<![\\w@/-])${escaped(name)}(?![\\w/-])`).test(decisions))
      .map((name) => ({
        path: "package.json",
        line: 1,
        message: `${name} has no reason; write docs/dev/decisions/NNNN-title.md, or remove it`,
      })),
};

const escaped = (text: string): string => text.replace(/[/.*+?^${}()|[\]\\-]/g, "\\$&");
