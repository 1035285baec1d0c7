/** An edit of one file: a new file, or text put after a line that stands once in it. */
export type Edit =
  | { readonly file: string; readonly create: string }
  | { readonly file: string; readonly after: string; readonly insert: string };

/** A recipe of CONTRIBUTING.md, applied to one example. */
export type Recipe = {
  /** The heading of its section. */
  readonly title: string;
  readonly edits: readonly Edit[];
  /** A module that prints one line if the result works. */
  readonly check: string;
  readonly prints: string;
};

const ACTION_KIND: Recipe = {
  title: "Add an action kind",
  edits: [
    {
      file: "src/kernel/action/action.ts",
      after: 'export const ACTION_KINDS = ["noop", ',
      insert: '"pause", ',
    },
    {
      file: "src/kernel/action/action.ts",
      after: '  noop: { about: "does nothing for one iteration", example: {} },\n',
      insert: '  pause: { about: "does nothing, with a reason", example: { content: "tired" } },\n',
    },
    {
      file: "src/kernel/action/action.ts",
      after: "export type Action = Noop ",
      insert: '| { readonly kind: "pause"; readonly reason: string } ',
    },
    {
      file: "src/kernel/action/action-codec.ts",
      after: '    case "noop":\n      return accept([], { kind });\n',
      insert:
        '    case "pause":\n      return accept([], { kind, reason: String(given.content) });\n',
    },
    {
      file: "src/world/execution/execute-action.ts",
      after: 'return { refusal: null, message: "nothing was done", result: null };\n',
      insert:
        '    case "pause":\n      return { refusal: null, message: action.reason, result: null };\n',
    },
  ],
  check: `
    import { parseAction } from "./src/kernel/index.ts";
    import { SCRIPT_WORDS } from "./src/mind/index.ts";
    const parsed = parseAction({ pause: { content: "tired" } }, 8);
    console.log(parsed.kind, SCRIPT_WORDS.pause.startsWith("does nothing, with a reason"));`,
  prints: "accepted true",
};

const GENESIS_CONTRACT: Recipe = {
  title: "Add a genesis contract",
  edits: [
    {
      file: "genesis/greeter.js",
      create: `/* ---
description: greets
methods:
  - name: run
    description: returns a greeting
    input_schema: { type: object, properties: {} }
--- */
function run() {
  return "hello";
}
`,
    },
    {
      file: "src/world/standard-library.ts",
      after: "export const LIBRARY_NAMES = [",
      insert: '"greeter", ',
    },
  ],
  check: `
    import { LIBRARY_NAMES } from "./src/world/index.ts";
    import { libraryProgram } from "./src/world/standard-library.ts";
    console.log(LIBRARY_NAMES[0], libraryProgram("greeter").interface.description);`,
  prints: "greeter greets",
};

const POLICY: Recipe = {
  title: "Add a policy",
  edits: [
    {
      file: "src/mind/policy/idler.ts",
      create: `import { z } from "zod";
import { definePolicy } from "./policy.ts";

export const idler = definePolicy({
  settings: z.strictObject({}).describe("Does nothing."),
  memory: z.null(),
  fresh: null,
  decide: () => ({ action: { noop: {} }, why: "idle", memory: null }),
});
`,
    },
    {
      file: "src/mind/policy/policies.ts",
      after: 'import type { Policy } from "./policy.ts";\n',
      insert: 'import { idler } from "./idler.ts";\n',
    },
    { file: "src/mind/policy/policies.ts", after: "  producer,\n", insert: "  idler,\n" },
  ],
  check: `
    import { policyGuides } from "./src/mind/index.ts";
    console.log(policyGuides().some(({ mind }) => mind === "policy/idler"));`,
  prints: "true",
};

const VERB: Recipe = {
  title: "Add a verb",
  edits: [
    {
      file: "src/cli/verbs/hello.ts",
      create: `import type { Register } from "../shell.ts";

export const register: Register = (command, { output }) => {
  command.action(() => output.line("hello"));
};
`,
    },
    {
      file: "src/cli/program.ts",
      after: "export const VERBS: readonly Verb[] = [\n",
      insert: '  ["hello", "say hello", () => import("./verbs/hello.ts")],\n',
    },
  ],
  check: `
    process.argv.push("hello");
    await import("./src/cli/main.ts");`,
  prints: "hello",
};

const METRIC: Recipe = {
  title: "Add a metric",
  edits: [
    {
      file: "src/observe/metrics/reads.ts",
      create: `import type { Event } from "../../kernel/index.ts";

/** Counts reads of artifacts. */
export class ReadCounter {
  reads = 0;

  count(event: Event): void {
    if (event.kind === "artifact_read") this.reads += 1;
  }
}
`,
    },
    {
      file: "src/observe/metrics/event-counters.ts",
      after: 'import { Roster } from "./roster.ts";\n',
      insert: 'import { ReadCounter } from "./reads.ts";\n',
    },
    {
      file: "src/observe/metrics/event-counters.ts",
      after: "  activity: new ActivityCounter(),\n",
      insert: "  reads: new ReadCounter(),\n",
    },
    {
      file: "src/observe/metrics/run-metrics.ts",
      after: "    capital: capital.capital(),\n",
      insert: "    reads: counters.reads.reads,\n",
    },
  ],
  check: `
    import { emptyState } from "./src/kernel/index.ts";
    import { RunMeter } from "./src/observe/index.ts";
    console.log(new RunMeter({ run: null, seq: 0, at_ms: 0 }, emptyState()).metrics().reads);`,
  prints: "0",
};

const MEMORY_BACKEND: Recipe = {
  title: "Add a memory backend",
  edits: [
    {
      file: "src/mind/memory/forgetful.ts",
      create: `import type { AgentMemory } from "./agent-memory.ts";

/** Remembers nothing, and says so. */
export const forgetful: AgentMemory = {
  search: async () => ({ ok: true, found: [] }),
  artifactWith: () => null,
  store: null,
};
`,
    },
    {
      file: "src/mind/memory/backends.ts",
      after: 'import { factExtraction } from "./fact-extraction.ts";\n',
      insert: 'import { forgetful } from "./forgetful.ts";\n',
    },
    {
      file: "src/mind/memory/backends.ts",
      after: "    backend: z.enum([",
      insert: '"forgetful", ',
    },
    {
      file: "src/mind/memory/backends.ts",
      after: '[B in MemorySettings["backend"]]: Backend } = {\n',
      insert: "  forgetful: { embeds: false, open: () => forgetful },\n",
    },
  ],
  check: `
    import { memorySettings } from "./src/mind/index.ts";
    console.log(memorySettings.shape?.backend?.safeParse("forgetful").success);`,
  prints: "true",
};

export const RECIPES: readonly Recipe[] = [
  ACTION_KIND,
  GENESIS_CONTRACT,
  POLICY,
  VERB,
  METRIC,
  MEMORY_BACKEND,
];
