import {
  codeGuide,
  exampleAuction,
  exampleBids,
  type Json,
  type JsonObject,
  type Physics,
  REFUSAL_CODES,
  type RefusalCode,
} from "../../kernel/index.ts";
import type { Setting } from "./page.ts";
import { CAST, castAt, type ExampleAction, possibleLines, type Story } from "./transcript.ts";

type Action = Pick<ExampleAction, "by" | "action">;

const write = (by: string, artifact_id: string, fields: JsonObject): Action => ({
  by,
  action: { write_artifact: { artifact_id, ...fields } },
});

type Call = { readonly args?: readonly Json[]; readonly attach?: JsonObject };

const call = (by: string, target: string, more: Call & { readonly max_price?: number } = {}) => {
  const [artifact_id = "", method] = target.split(".");
  const fields = { artifact_id, ...(method === undefined ? {} : { method }), ...more };
  return { by, action: { invoke_artifact: fields } } satisfies Action;
};

const read = (by: string, artifact_id: string): Action => ({
  by,
  action: { read_artifact: { artifact_id } },
});

const DOUBLES: JsonObject = {
  code: "function run(n) { return n * 2 }",
  price: 5,
  interface: {
    description: "Doubles.",
    methods: [
      {
        name: "run",
        description: "Doubles.",
        input_schema: { type: "object", properties: { n: { type: "number" } } },
      },
    ],
  },
};

/** What is there before the examples of refused actions. */
const BEFORE: Story = [
  write("alice", "my_tool", DOUBLES),
  write("alice", "my_note", { content: "x" }),
  call("bob", "genesis_mint.post_task", {
    args: ["Add.", [{ args: [2, 3], result: 5 }]],
    attach: { scrip: 20 },
  }),
];

const bid = (physics: Physics): Action => {
  const [scrip] = exampleBids(physics);
  return call("alice", "genesis_mint.bid", { args: ["my_tool"], attach: { scrip } });
};

/** Writes a program with this code and runs it. */
const running = (id: string, code: string): Story => [
  write("alice", id, { code }),
  call("alice", id),
];

/** Writes as many programs as can call each other, and lets each one call the next. */
const callsDeeply = (depthMax: number): string =>
  `function run() {
  const code = \`function run(n) {
    const { success, result, error } = kernel.invoke("deep_" + n, "run", [n + 1]);
    return success ? result : error.code }\`;
  for (let n = 1; n <= ${depthMax}; n++) kernel.write({ artifact_id: "deep_" + n, code });
  return kernel.invoke("deep_1", "run", [2]).result }`.replaceAll(/\n\s*/g, " ");

/** A time at which bidding is closed again, or null if the next auction opens at once. */
const closedAtMs = (physics: Physics): number | null => {
  const { closesAtMs, opensAtMs } = exampleAuction(physics);
  const next = opensAtMs + physics.mint.period_ms;
  return next > closesAtMs ? Math.floor((closesAtMs + next) / 2) : null;
};

/** Examples of refusals by code, in the order in which they happen. The last step is refused. */
const CASES: { readonly [C in RefusalCode]: (setting: Setting) => Story } = {
  missing_argument: () => [call("alice", "genesis_mint.bid", { args: ["my_tool"] })],
  invalid_argument: () => [call("alice", "genesis_ledger.transfer", { args: ["alice", 5] })],
  invalid_type: () => [
    call("alice", "genesis_mint.bid", { args: ["my_note"], attach: { scrip: 5 } }),
  ],
  not_found: () => [read("bob", "nowhere")],
  deleted: () => [
    call("alice", "genesis_store.delete", { args: ["my_note"] }),
    read("bob", "my_note"),
  ],
  already_exists: ({ physics }) => [{ ...bid(physics), times: 2 }],
  not_owner: () => [call("bob", "genesis_store.set_price", { args: ["my_tool", 1] })],
  not_authorized: () => [write("bob", "my_tool", { content: "Mine." })],
  not_empty: () => [call("alice", "genesis_store.delete", { args: ["alice_memory"] })],
  insufficient_funds: () => [call("bob", "genesis_ledger.transfer", { args: ["alice", 5_000] })],
  insufficient_disk: ({ physics }) => [
    call("bob", "genesis_rights_registry.transfer_quota", {
      args: ["alice", "disk", physics.resources.disk_bytes],
    }),
    write("bob", "bobs_note", { content: "x" }),
  ],
  price_exceeded: () => [call("bob", "my_tool", { args: [21], max_price: 4 })],
  rate_limited: ({ physics }) => [
    { by: "carol", times: physics.resources.windows.actions + 1, action: { noop: {} } },
  ],
  quota_exceeded: ({ physics }) => [
    call("alice", "genesis_rights_registry.transfer_quota", {
      args: ["bob", "cpu_gas", physics.resources.windows.cpu_gas + 1],
    }),
  ],
  depth_exceeded: ({ physics }) => running("deep", callsDeeply(physics.sandbox.invoke_depth_max)),
  reentrant_call: () =>
    running("again", 'function run() { return kernel.invoke(self, "run").error.code }'),
  interface_mismatch: () => [call("bob", "my_tool", { args: ["two"] })],
  gas_exhausted: () => running("endless", "function run() { while (true) {} }"),
  memory_exhausted: () =>
    running("large", "function run() { let list = [1]; while (true) list = [...list, ...list] }"),
  stack_exhausted: () => running("recursive", "function run() { return run() + 1 }"),
  syscalls_exhausted: () => running("asking", "function run() { while (true) kernel.balance() }"),
  result_too_large: ({ physics }) => {
    const long = physics.sandbox.result_bytes_max;
    return running("long", `function run() { return "x".repeat(${long}) }`);
  },
  syntax_error: () => [write("alice", "broken", { code: "function run( {" })],
  runtime_error: () => running("failing", "function run() { return missing.length }"),
  rejected_by_artifact: () =>
    running("closed", 'function run() { kernel.fail("closed", "ask again later") }'),
  not_open: ({ physics }) => {
    const at_ms = closedAtMs(physics);
    return at_ms === null ? [] : [{ at_ms }, bid(physics)];
  },
  tests_failed: () => [call("alice", "genesis_mint.solve", { args: ["task:1", "my_tool"] })],
};

/** These codes only appear in the answer of `kernel.invoke`. */
const ANSWERED: ReadonlySet<RefusalCode> = new Set(["depth_exceeded", "reentrant_call"]);

const caseOf = (setting: Setting, code: RefusalCode): string => {
  const { means, cure } = codeGuide(code);
  const ending = ANSWERED.has(code) ? { gives: code } : { refused: code };
  const steps = CASES[code](setting);
  const story = steps.map((step, at) => (at === steps.length - 1 ? { ...step, ...ending } : step));
  return `- ${code}: ${means}. Cure: ${cure}.\n${possibleLines(setting, story)}`;
};

const casesOf = (setting: Setting, of: "actions" | "programs"): string =>
  REFUSAL_CODES.filter((code) => (codeGuide(code).ofPrograms === true) === (of === "programs"))
    .map((code) => caseOf(setting, code))
    .join("");

export const refusals = (setting: Setting): string => `# Why an action is refused, by code
A refused action changes nothing; it uses up the action and its gas. handbook_program_errors has the
codes of programs that fail.
${castAt(exampleAuction(setting.physics).atMs)}
${BEFORE.map((step) => possibleLines(setting, [step])).join("")}${casesOf(setting, "actions")}`;

export const programErrors = (setting: Setting): string => `# Why a program fails, by code
A failed call changes nothing and moves no scrip; its gas is spent. A call within a program returns
{success: false, error: {code, message}} instead.
${CAST}
${casesOf(setting, "programs")}`;
