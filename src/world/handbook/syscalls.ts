import { EXAMPLES_AT_MS, type JsonObject, type Physics } from "../../kernel/index.ts";
import type { SyscallName } from "../execution/syscalls.ts";
import type { Setting } from "./page.ts";
import { writesTool } from "./stories.ts";
import { CAST, possibleLines, type Story } from "./transcript.ts";

/** A function of `kernel`, and a JavaScript expression with its value. */
type Guide = {
  readonly about: string;
  readonly example: string;
  readonly gives: string | ((physics: Physics) => string);
};

const GUIDES: { readonly [N in SyscallName | "now" | "log" | "fail"]: Guide } = {
  now: { about: "now(): the run time in ms", example: "kernel.now()", gives: `${EXAMPLES_AT_MS}` },
  log: {
    about: "log(text): puts text into the event of the call",
    example: 'kernel.log("called")',
    gives: "null",
  },
  random: {
    about: "random(): a number from 0 to 1",
    example: "kernel.random() < 1",
    gives: "true",
  },
  balance: {
    about: "balance(id?): the scrip of a principal; default: what the program can spend",
    example: "kernel.balance()",
    gives: "20",
  },
  pay: {
    about: "pay(to, scrip): pays a principal",
    example: 'kernel.pay("bob", 2)',
    gives: '{"from":"demo","to":"bob","amount":2}',
  },
  charge: {
    about: "charge(from, scrip): takes scrip from a principal that granted it",
    example: 'kernel.charge("bob", 3)',
    gives: '{"from":"bob","to":"demo","amount":3}',
  },
  read: {
    about: "read(id, {max_price?}): an artifact's content and code",
    example: 'kernel.read("my_tool", { max_price: 0 }).code',
    gives: '"function run(n) { return n * 2 }"',
  },
  write: {
    about: "write({artifact_id, ...fields}): fields as in write_artifact",
    example: 'kernel.write({ artifact_id: "demo_note", content: "Hello." }).version',
    gives: "1",
  },
  give: {
    about: "give(artifact, to): at once to the caller; others must accept it",
    example: 'kernel.give("demo_note", "bob")',
    gives: '{"artifact":"demo_note","owner":"bob"}',
  },
  notify: {
    about:
      "notify(id, text?): tells an agent about this call; it can be asleep until then. Only this " +
      "agent sees the text, of which it gets 200 characters. As with messages, a text is refused " +
      "if the agent that acts has contacts without it, or if it blocks that agent or the program",
    example: 'kernel.notify("alice", "your order is ready")',
    gives: "null",
  },
  invoke: {
    about:
      "invoke(id, method, args, {attach?, max_price?}): never throws; returns " +
      "{success, result, error: {code, message}}",
    example: 'kernel.invoke("my_tool", "run", [21], { attach: { scrip: 1 }, max_price: 5 })',
    gives: '{"success":true,"result":42,"error":null}',
  },
  query: {
    about: "query(kind, filter): see below",
    example: 'kernel.query("artifact", { id: "my_tool", fields: ["owner", "price"] })',
    gives: '{"owner":"alice","price":0}',
  },
  quota: {
    about: "quota(id?): quotas and what is available; default: of the agent that acts",
    example: "kernel.quota().actions.quota",
    gives: ({ resources }) => `${resources.windows.actions}`,
  },
  create_principal: {
    about:
      "create_principal({id?, config?, scrip?, owner?, quotas?, ...}): an agent, paid by the " +
      "program's account, as with genesis_ledger.spawn_principal",
    example:
      'kernel.create_principal({ id: "kid", config: { mind: "policy/worker" }, scrip: 5 }).owner',
    gives: '"demo"',
  },
  fail: {
    about: "fail(code, message): ends the call and undoes it",
    example: 'kernel.fail("closed", "ask again later")',
    gives: "refused: rejected_by_artifact",
  },
};

const DEMO: JsonObject = { artifact_id: "demo", code: "function run() {}", has_standing: true };

/** What is there before the examples. The program gets the disk and actions for a child. */
const before = ({ agents: { spawn_minimum: least } }: Physics): Story => [
  writesTool,
  { by: "alice", action: { write_artifact: DEMO } },
  ...(
    [
      ["genesis_ledger", "transfer", ["demo", 20]],
      ["genesis_rights_registry", "transfer_quota", ["demo", "disk", 3 * least.disk_bytes]],
      ["genesis_rights_registry", "transfer_quota", ["demo", "actions", least.actions]],
    ] as const
  ).map(([artifact_id, method, args]) => ({
    by: "alice",
    action: { invoke_artifact: { artifact_id, method, args } },
  })),
  {
    by: "bob",
    action: {
      invoke_artifact: { artifact_id: "genesis_ledger", method: "grant", args: ["demo", 5, 20] },
    },
  },
];

/** Queries of further kinds, and calls with an optional argument. */
const MORE: readonly (readonly [example: string, gives: Guide["gives"]])[] = [
  ['kernel.query("artifacts", { owner: "alice", limit: 1 })[0].id', '"demo"'],
  ['kernel.query("principals", { limit: 1 })[0].id', '"alice"'],
  ['kernel.query("events", { kind: "artifact_written" }).events.at(-1).target', '"demo"'],
  ['kernel.balance("alice") > 50', "true"],
  ['kernel.quota("alice").id', '"alice"'],
  ['kernel.query("auction", {}).slots', ({ mint }) => `${mint.slots}`],
];

export const syscalls = (setting: Setting): string => {
  const { physics } = setting;
  const scene = possibleLines(setting, before(physics));
  const lineOf = (example: string, gives: Guide["gives"]): string => {
    const value = typeof gives === "string" ? gives : gives(physics);
    return scene === "" ? "" : `  ${example} → ${value}\n`;
  };
  const functions = Object.values(GUIDES)
    .map(({ about, example, gives }) => `- ${about}.\n${lineOf(example, gives)}`)
    .join("");
  const others = MORE.map(([example, gives]) => lineOf(example, gives));
  return `# The functions of \`kernel\` in a program
Each acts as the program itself. A refused one throws a KernelError {code, message}, except invoke.
${scene === "" ? "" : `${CAST}\n${scene}${PROGRAM}`}${functions}${
  scene === "" ? "" : `More examples:\n${others.join("")}`
}`;
};

const PROGRAM = "Now demo is function run() { return <the expression> }, and bob calls it:\n";
