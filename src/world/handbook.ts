import {
  ACTION_KINDS,
  BUILT_IN_MEANING,
  type GasTable,
  type NativeArtifact,
  type NativeMethod,
  type Physics,
  QUERY_KINDS,
  REFUSAL_CODES,
  RESOURCES,
} from "../kernel/index.ts";
import { SYSCALL_NAMES } from "./syscall.ts";

/** A page that agents can read, made from the same tables the code uses. */
export type Page = { readonly id: string; readonly text: string };

/** Every page, for a world with these physics and this part of genesis. */
export const handbook = (physics: Physics, natives: readonly NativeArtifact[]): readonly Page[] => {
  const pages = [
    { id: "handbook_actions", text: actions() },
    { id: "handbook_tools", text: tools(physics) },
    { id: "handbook_genesis", text: genesis(physics, natives) },
    { id: "handbook_resources", text: resources(physics) },
    { id: "handbook_trading", text: TRADING },
  ];
  const contents = pages.map(({ id, text }) => `- ${id}: ${titleOf(text)}`);
  return [{ id: "handbook_toc", text: `# Contents\n${contents.join("\n")}\n` }, ...pages];
};

const titleOf = (text: string): string => text.split("\n", 1)[0]?.replace("# ", "") ?? "";

const actions = (): string => `# What you can do
An action is one of: ${ACTION_KINDS.join(", ")}.
Everything else is an invocation of some artifact.
- noop: {"noop": {}}
- read: {"read_artifact": {"artifact_id": "x", "max_price": 5}}
- write: {"write_artifact": {"artifact_id": "x", "artifact_type": "program", "content": "…",
  "code": "function run(a) { return a }", "price": 5, "interface": {…}}}
  Other fields: read_price, access, access_locked, depends_on, metadata, has_standing.
  A write that updates keeps every field it does not name.
- invoke: {"invoke_artifact": {"artifact_id": "x", "method": "run", "args": [1],
  "attach": {"scrip": 3}, "max_price": 5}}
  What is attached goes to the callee in the same transaction and comes back if the call fails.
Refusals have a code, and a message that says what would have been right:
${REFUSAL_CODES.join(", ")}.
`;

const tools = ({ sandbox }: Physics): string => `# How to write a program
Code is a JavaScript script. The functions it defines at top level are its methods; names that
start with _ are private. It sees \`state\` (its own JSON, {} at first, which it may change),
\`self\`, \`caller\`, \`origin\`, \`attached\` and \`kernel\`.
kernel has: now(), log(text), fail(code, message),
${SYSCALL_NAMES.map((name) => `${name}()`).join(", ")}.
Each acts as the program itself. invoke(id, method, args, {attach, max_price}) returns
{success, result, error}; the others throw a KernelError {code, message}. read(id, {max_price})
bounds what a read may cost.
query(kind, filter): kind is one of ${QUERY_KINDS.join(", ")}.
There is no Date, no Math.random, no timer, no network. Only JSON goes in and out, and nothing but
\`state\` outlives a call.
Limits of a whole action: ${sandbox.gas_max} gas, ${sandbox.syscalls_max} syscalls,
calls ${sandbox.invoke_depth_max} deep. Of each call: ${sandbox.memory_bytes} bytes of memory,
a result of ${sandbox.result_bytes_max} bytes, state of ${sandbox.state_bytes_max} bytes.
Gas: ${gas(sandbox.gas_table)}.
A program without has_standing has no money but what is attached to the call; what is left of it
goes back to the caller. A program with has_standing has an account and pays from it.
`;

const gas = (table: GasTable): string =>
  Object.entries(table)
    .map(([name, cost]) => `${name.replaceAll("_", " ")} ${cost}`)
    .join(", ");

const genesis = (
  physics: Physics,
  natives: readonly NativeArtifact[],
): string => `# The artifacts the world begins with
Invoke them like any other. \`describe\` gives the arguments and examples of each method.
${natives.map((native) => nativeSection(physics, native)).join("\n")}
## Access contracts
${[...BUILT_IN_MEANING].map(([id, meaning]) => `- ${id}: ${meaning}.`).join("\n")}
Any artifact whose code defines check_permission({caller, verb, target, owner, method, args}) can
be one; it returns {allowed, reason?, cost?, payer?, recipient?}.
`;

const nativeSection = (physics: Physics, native: NativeArtifact): string => {
  const costs = physics.genesis.costs[native.id] ?? {};
  const methods = native.methods.map((method) => methodLine(method, costs[method.name] ?? 0));
  return `## ${native.id}\n${native.description}\n${methods.join("\n")}`;
};

const methodLine = ({ name, description, input_schema }: NativeMethod, cost: number): string => {
  const args = Object.keys(input_schema.properties ?? {}).join(", ");
  return `- ${name}(${args})${cost > 0 ? ` costs ${cost} scrip` : ""}: ${description}`;
};

const resources = ({ resources: bounds }: Physics): string => `# What is scarce
Scrip: whole numbers, no debt. It moves by transfers, prices, attachments and contract costs.
Model budget: ${bounds.llm_budget_micros} micro-dollars at the start; each thought takes its price.
Without enough for a thought you are frozen until somebody gives you some, with
genesis_ledger.transfer_budget.
Disk: ${bounds.disk_bytes} bytes beside your own two artifacts; deleting frees it.
In every rolling window of ${bounds.window_ms} ms:
${RESOURCES.map((name) => `${bounds.windows[name]} ${name}`).join(", ")}.
genesis_rights_registry.check_quota() says what is left; transfer_quota gives some away.
`;

const TRADING = `# How to trade
Sell a service: write a program with a price and an interface with examples; each call by another
pays you. Find one: genesis_store.search("words"), or list({"sort": "popular"}); get_interface(id)
shows how to call it. Guard against a change of price with max_price.
Sell an artifact: genesis_ledger.transfer_ownership(artifact, to) is an offer; the other takes it
with accept(artifact).
Read other programs' code before you pay for them, unless they ask a read_price.
`;
