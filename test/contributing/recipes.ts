/** What becomes of a file: its whole new text, or texts put after others that stand once in it. */
export type Edit = string | readonly (readonly [after: string, insert: string])[];

/** A recipe of CONTRIBUTING.md, applied to one example. */
export type Recipe = {
  /** The heading of its section. */
  readonly title: string;
  readonly edits: { readonly [file: string]: Edit };
  /** What it adds to `config.yaml`, which no recipe lists. */
  readonly settings?: Edit;
  /** A module that prints this if the result works. It may run commands with `sim`. */
  readonly check: string;
  readonly prints: string;
};

const ACTION_KIND: Recipe = {
  title: "Add an action kind",
  edits: {
    "src/kernel/action/action.ts": [
      ['export const ACTION_KINDS = ["noop", ', '"pause", '],
      [
        '  noop: { about: "does nothing for one iteration", example: {} },\n',
        '  pause: { about: "does nothing, with a reason", example: { content: "tired" } },\n',
      ],
      ["export type Action = Noop ", '| { readonly kind: "pause"; readonly reason: string } '],
      [
        '    case "noop":\n      return accept([], { kind });\n',
        '    case "pause":\n      return accept([], { kind, reason: String(given.content) });\n',
      ],
    ],
    "src/kernel/loop/review.ts": [
      ['    case "noop":\n      return true;\n', '    case "pause":\n      return true;\n'],
      ['    case "noop":\n      return 0;\n', '    case "pause":\n      return 0;\n'],
    ],
    "src/world/execution/execute-action.ts": [
      [
        'return { refusal: null, message: "nothing was done", result: null };\n',
        '    case "pause":\n      return { refusal: null, message: action.reason, result: null };\n',
      ],
    ],
  },
  check: `
    import { parseAction } from "./src/kernel/index.ts";
    import { SCRIPT_WORDS } from "./src/mind/index.ts";
    const parsed = parseAction({ pause: { content: "tired" } }, 8);
    console.log(parsed.kind, SCRIPT_WORDS.pause.startsWith("does nothing, with a reason"));`,
  prints: "accepted true",
};

const EVENT_KIND: Recipe = {
  title: "Add an event kind",
  edits: {
    "src/kernel/mint/events.ts": [
      [
        "export const MINT_EVENTS = {\n",
        `  task_praised: row<{ task: string; words: string }>({
    about: "the world praised a new task",
    facts: ({ task }) => ({ target: task }),
  }),
`,
      ],
    ],
    "src/kernel/mint/tasks.ts": [
      [
        "return accept([posted",
        ', { at_ms, principal: null, kind: "task_praised", task, words: description }',
      ],
    ],
    "src/figures/describe/event-descriptions.ts": [
      [
        "const DESCRIPTIONS: Descriptions = {\n",
        `  task_praised: {
    says: ({ task }) => "The world praised " + task,
    redact: { task: "none", words: content(LEFT_OUT) },
  },
`,
      ],
    ],
  },
  check: `
    import * as kernel from "./src/kernel/index.ts";
    import { eventSentence, redactionOf } from "./src/figures/index.ts";
    const event = { at_ms: 0, principal: null, kind: "task_praised", task: "adding", words: "good" };
    const row = { seq: 1, atMs: 0, kind: event.kind, principal: null, body: JSON.stringify(event) };
    console.log(kernel.EVENTS.task_praised.facts(event).target, eventSentence(row));
    console.log(redactionOf("task_praised", "content")(event).words);`,
  prints: "adding The world praised adding\n[left out]",
};

const GENESIS_CONTRACT: Recipe = {
  title: "Add a genesis contract",
  edits: {
    "genesis/greeter.js": `/* ---
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
    "src/world/standard-library.ts": [["export const LIBRARY_NAMES = [", '"greeter", ']],
  },
  check: `
    import { LIBRARY_NAMES } from "./src/world/index.ts";
    import { libraryProgram } from "./src/world/standard-library.ts";
    console.log(LIBRARY_NAMES[0], libraryProgram("greeter").interface.description);`,
  prints: "greeter greets",
};

const POLICY: Recipe = {
  title: "Add a policy",
  edits: {
    "src/policy/idler.ts": `import { z } from "zod";
import { definePolicy } from "./core/policy.ts";

export const idler = definePolicy({
  settings: z.strictObject({}).describe("Does nothing."),
  memory: z.null(),
  fresh: null,
  decide: () => ({ action: { noop: {} }, why: "idle", memory: null }),
});
`,
    "src/policy/policies.ts": [
      [
        'import type { Policy } from "./core/policy.ts";\n',
        'import { idler } from "./idler.ts";\n',
      ],
      ["  producer,\n", "  idler,\n"],
    ],
  },
  check: `
    import { policyGuides } from "./src/policy/index.ts";
    console.log(policyGuides().some(({ mind }) => mind === "policy/idler"));`,
  prints: "true",
};

const VERB: Recipe = {
  title: "Add a verb",
  edits: {
    "src/cli/verbs/hello.ts": `import type { Register } from "../core/shell.ts";

export const register: Register = (command, { output }) => {
  command.action(() => output.line("hello"));
};
`,
    "src/cli/program.ts": [
      ["  Look: [\n", '    ["hello", "say hello", () => import("./verbs/hello.ts")],\n'],
    ],
  },
  check: `
    console.log(sim("hello").trim());`,
  prints: "hello",
};

const METRIC: Recipe = {
  title: "Add a metric",
  edits: {
    "src/figures/metrics/reads.ts": `import type { Event } from "../../kernel/index.ts";

/** Counts reads of artifacts. */
export class ReadCounter {
  reads = 0;

  count(event: Event): void {
    if (event.kind === "artifact_read") this.reads += 1;
  }
}
`,
    "src/figures/metrics/event-counters.ts": [
      ['import { Roster } from "./roster.ts";\n', 'import { ReadCounter } from "./reads.ts";\n'],
      ["  activity: new ActivityCounter(),\n", "  reads: new ReadCounter(),\n"],
    ],
    "src/figures/metrics/run-metrics.ts": [
      ["    capital: capital.capital(),\n", "    reads: counters.reads.reads,\n"],
    ],
  },
  check: `
    import { emptyState } from "./src/kernel/index.ts";
    import { RunMeter } from "./src/figures/index.ts";
    console.log(new RunMeter({ run: null, seq: 0, at_ms: 0 }, emptyState()).metrics().reads);`,
  prints: "0",
};

const CHART: Recipe = {
  title: "Add a chart",
  edits: {
    "src/page/browser/charts/run-charts.ts": [
      [
        '  { section: "Work", isLive: false, specOf: frozen },\n];\n',
        `
function supply({ timeline }: RunOverview): LineSpec {
  return {
    title: "Supply of scrip",
    note: "All scrip of the world.",
    unit: "scrip",
    atMs: timeline.at_ms,
    series: [{ label: "supply", values: timeline.supply }],
  };
}
`,
      ],
      [
        '  { section: "Money", isLive: true, specOf: mint },\n',
        '  { section: "Money", isLive: true, specOf: supply },\n',
      ],
    ],
  },
  check: `
    import { pageBundle } from "./src/page/index.ts";
    const pages = await Promise.all(["report", "dashboard"].map((name) => pageBundle(name)));
    console.log(...pages.map(({ script }) => script.includes("Supply of scrip")));`,
  prints: "true true",
};

const MEMORY_BACKEND: Recipe = {
  title: "Add a memory backend",
  edits: {
    "src/memory/forgetful.ts": `import type { AgentMemory } from "./port/agent-memory.ts";

/** Remembers nothing, and says so. */
export const forgetful: AgentMemory = {
  search: async () => ({ ok: true, found: [] }),
  artifactWith: () => null,
  store: null,
};
`,
    "src/memory/backends.ts": [
      [
        'import { factExtraction, type Inference } from "./fact-extraction.ts";\n',
        'import { forgetful } from "./forgetful.ts";\n',
      ],
      ["    backend: z.enum([", '"forgetful", '],
      [
        '[B in MemorySettings["backend"]]: Backend } = {\n',
        "  forgetful: { embeds: false, open: () => forgetful },\n",
      ],
    ],
  },
  check: `
    import { memorySettings } from "./src/memory/index.ts";
    console.log(memorySettings.shape?.backend?.safeParse("forgetful").success);`,
  prints: "true",
};

const PROVIDER: Recipe = {
  title: "Add a provider",
  edits: {
    "src/model/providers/mistral.ts": `import { networkProvider } from "./network-provider.ts";

export const mistral = networkProvider("mistral", {
  address: "https://api.mistral.ai/v1",
  dialect: {
    forms: ["flat", "json", "text"],
    formsWithoutSchema: ["json", "text"],
    open: async (options) => {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({ ...options, name: "mistral", includeUsage: true });
    },
    reasoning: (_model, _reasoning, effort) => ({ effort }),
  },
});
`,
    "src/model/providers/providers.ts": [
      ['import { google } from "./google.ts";\n', 'import { mistral } from "./mistral.ts";\n'],
      ["export const PROVIDERS: readonly Provider[] = [", "mistral, "],
    ],
  },
  settings: [
    [
      "  providers: # base_url null: the provider's own; limits apply to each key, null: no limit\n",
      `    mistral:
      api_key_env: MISTRAL_API_KEY
      base_url: null
      requests_per_minute: 60
      tokens_per_minute: 500000
      max_concurrency: null
      structured_outputs: true
`,
    ],
    [
      "    gemini-3-flash-preview: { input: 0.5, output: 3, cached_input: 0.05 }\n",
      "    mistral-small: { input: 0.1, output: 0.3 }\n",
    ],
  ],
  check: `
    import { mkdirSync, writeFileSync } from "node:fs";
    mkdirSync("llm/ann", { recursive: true });
    const persona = "id: ann\\nmind: llm\\nllm_model: mistral/mistral-small\\nstarting_scrip: 100\\n";
    writeFileSync("llm/ann/agent.yaml", persona);
    const set = "llm.providers.mistral.requests_per_minute=7";
    const estimate = sim("run", "--estimate", "--json", "--agents", "llm", "--set", set);
    const [ann] = JSON.parse(estimate).agents;
    const keys = sim("doctor").split("\\n").find((line) => line.includes("MISTRAL_API_KEY"));
    console.log(ann.model, ann.price_known, keys?.includes("not set"));`,
  prints: "mistral/mistral-small true true",
};

const MIND_KIND: Recipe = {
  title: "Add a mind kind",
  edits: {
    "src/mind/coin-mind.ts": `import { z } from "zod";
import { Dice, diceState } from "../kernel/index.ts";
import { FREE } from "./core/mind.ts";
import { mindKind } from "./kind.ts";

const coin = z
  .strictObject({ heads: z.number().min(0).max(1) })
  .optional()
  .describe("settings of mind: coin");

/** \`mind: coin\`: reads the handbook or does nothing, as a coin falls. */
export const coinKind = mindKind({
  names: ["coin"],
  label: "coin",
  keys: { coin },
  cost: "none",
  load: async () => ({
    open: ({ seed, scriptThinkMs: ms }) => ({
      create: ({ id }, { coin: { heads } = { heads: 0.5 } }) => ({
        price: { micros: 0, calls: 0, tokens: 0 },
        exactPrice: null,
        thinkMs: [ms, ms],
        parallel: null,
        recollect: null,
        hasLazyView: true,
        decide: ({ agent }) => {
          const state = diceState(agent.mind);
          const dice = state === null ? Dice.of(seed, id) : new Dice(state);
          const isHeads = dice.chance(heads);
          return {
            kind: "decided",
            action: isHeads ? { read_artifact: { artifact_id: "handbook_toc" } } : { noop: {} },
            reasoning: isHeads ? "it fell on heads" : "it fell on tails",
            memory: dice.state,
            usage: FREE,
            waitMs: 1_000,
            sleep: null,
          };
        },
      }),
    }),
    preview: null,
    template: () => ({ text: "coin: { heads: 1 } # " + coin.description }),
  }),
});
`,
    "src/mind/index.ts": [
      [
        'export { cliKind, messagesOfTurn } from "./cli-mind.ts";\n',
        'export { coinKind } from "./coin-mind.ts";\n',
      ],
    ],
    "src/run/minds/kinds.ts": [
      ["  cliKind,\n  isModulePath,\n", "  coinKind,\n"],
      ["const NAMED_KINDS: readonly RunMindKind[] = [\n", "  coinKind,\n"],
    ],
  },
  check: `
    import { mkdirSync, rmSync, writeFileSync } from "node:fs";
    const own = (...args) => sim(...args, "--agents", "coins");
    for (const name of ["wrong", "odd"]) mkdirSync("coins/" + name, { recursive: true });
    own("agents", "new", "ann", "--mind", "coin");
    writeFileSync("coins/wrong/agent.yaml", "id: wrong\\nmind: coin\\ncoin: { heads: 2 }\\n");
    writeFileSync("coins/odd/agent.yaml", "id: odd\\nmind: script\\nscript: []\\ncoin: { heads: 1 }\\n");
    const problems = own("agents", "validate");
    console.log(/\`coin.heads\` must be at most 1/.test(problems));
    console.log(/only mind: coin has coin/.test(problems));
    for (const name of ["wrong", "odd"]) rmSync("coins/" + name, { recursive: true });
    console.log(own("agents", "preview", "ann").trim());
    console.log(JSON.parse(own("run", "--estimate", "--json")).agents.length);
    const { agents } = JSON.parse(own("run", "--duration", "20", "--json", "--name", "coins"));
    const [ann] = agents.filter(({ id }) => id === "ann");
    console.log(ann.actions > 5, ann.succeeded === ann.actions);`,
  prints: "true\ntrue\nann has no prompt: its mind is coin\n0\ntrue true",
};

export const RECIPES: readonly Recipe[] = [
  ACTION_KIND,
  EVENT_KIND,
  GENESIS_CONTRACT,
  POLICY,
  VERB,
  METRIC,
  CHART,
  MEMORY_BACKEND,
  MIND_KIND,
  PROVIDER,
];
