import { importsOf } from "./imports.ts";
import { inSource, type Project, type Rule, type Violation } from "./rule.ts";

/** Started by the system, not imported. */
const ENTRY_POINTS = new Set(["src/cli/main.ts", "src/index.ts"]);

const MEDIAN_FILES_MIN = 30;
const MEDIAN_LINES_MIN = 40;
const MEDIAN_LINES_MAX = 140;

export const decisionRule: Rule = {
  name: "dependencies have reasons",
  check: ({ dependencies, decisions }) =>
    dependencies
      .filter((name) => !new RegExp(`(?<![\\w@/-])${escaped(name)}(?![\\w/-])`).test(decisions))
      .map((name) => ({
        path: "package.json",
        line: 1,
        message: `${name} has no reason; write docs/decisions/NNNN-title.md, or remove it`,
      })),
};

const escaped = (text: string): string => text.replace(/[/.*+?^${}()|[\]\\-]/g, "\\$&");

export const orphanRule: Rule = {
  name: "every source file is reached",
  check: ({ files }) => {
    // Declaration files only describe; the compiler finds them by itself.
    const sources = files.filter(({ path }) => inSource(path) && !path.endsWith(".d.ts"));
    const reached = new Set<string>(ENTRY_POINTS);
    for (const file of sources) {
      for (const { target } of importsOf(file)) {
        if (target !== null && target !== file.path) reached.add(target);
      }
    }
    return sources
      .filter(({ path }) => !reached.has(path))
      .map(({ path }) => {
        return { path, line: 1, message: "is imported by no source file; use it or remove it" };
      });
  },
};

export const medianRule: Rule = {
  name: "source files are small in the middle",
  check: ({ files }: Project): readonly Violation[] => {
    const lines = files.filter(({ path }) => inSource(path)).map((file) => file.lines.length - 1);
    if (lines.length <= MEDIAN_FILES_MIN) return [];
    const median = lines.sort((a, b) => a - b)[lines.length >> 1] ?? 0;
    if (median >= MEDIAN_LINES_MIN && median <= MEDIAN_LINES_MAX) return [];
    const range = `${MEDIAN_LINES_MIN} to ${MEDIAN_LINES_MAX}`;
    const cure =
      median > MEDIAN_LINES_MAX ? "split the big ones by noun" : "join crumbs of one noun";
    const message = `the median file has ${median} lines, it should have ${range}; ${cure}`;
    return [{ path: "src", line: 1, message }];
  },
};
