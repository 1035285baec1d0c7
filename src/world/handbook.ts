import {
  ACTION_KINDS,
  BUILT_IN_MEANING,
  type GasTable,
  type NativeArtifact,
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
    { id: "handbook_trading", text: trading() },
  ];
  const contents = pages.map(
    ({ id, text }) => `- ${id}: ${text.split("\n")[0]?.replace("# ", "")}`,
  );
  return [{ id: "handbook_toc", text: lines("# Contents", ...contents) }, ...pages];
};

const lines = (...all: readonly string[]): string => `${all.join("\n")}\n`;

const actions = (): string =>
  lines(
    "# What you can do",
    `An action is one of: ${ACTION_KINDS.join(", ")}. Everything else is an invocation of some artifact.`,
    '- noop: {"noop": {}}',
    '- read: {"read_artifact": {"artifact_id": "x", "max_price": 5}}',
    '- write: {"write_artifact": {"artifact_id": "x", "artifact_type": "program", "content": "…", "code": "function run(a) { return a }", "price": 5, "interface": {…}}}',
    "  Other fields: read_price, access, access_locked, depends_on, metadata, has_standing.",
    "  A write that updates keeps every field it does not name.",
    '- invoke: {"invoke_artifact": {"artifact_id": "x", "method": "run", "args": [1], "attach": {"scrip": 3}, "max_price": 5}}',
    "  What is attached goes to the callee in the same transaction and comes back if the call fails.",
    `Refusals have a code: ${REFUSAL_CODES.join(", ")}. The message says what would have been right.`,
  );

const tools = (physics: Physics): string => {
  const { sandbox } = physics;
  return lines(
    "# How to write a program",
    "Code is a JavaScript script. The functions it defines at top level are its methods; names that start with _ are private.",
    "Code sees `state` (its own JSON, {} at first, it may change it), `self`, `caller`, `origin`, `attached` and `kernel`.",
    `kernel has: now(), ${SYSCALL_NAMES.map((name) => `${name}()`).join(", ")}, log(text), fail(code, message).`,
    "Each acts as the program itself. invoke(id, method, args, {attach, max_price}) returns {success, result, error}; the others throw a KernelError {code, message}.",
    `query(kind, filter): kind is one of ${QUERY_KINDS.join(", ")}.`,
    "There is no Date, no Math.random, no timer, no network. Only JSON goes in and out. Nothing but `state` outlives a call.",
    `Limits: ${sandbox.gas_max} gas and ${sandbox.syscalls_max} syscalls for a whole action, ${sandbox.memory_bytes} bytes of memory, calls ${sandbox.invoke_depth_max} deep, results of ${sandbox.result_bytes_max} and state of ${sandbox.state_bytes_max} bytes.`,
    `Gas: ${gas(sandbox.gas_table)}.`,
    "A program without has_standing has no money but what is attached to the call; what is left of it goes back to the caller.",
    "A program with has_standing has an account of its own, and pays from it.",
  );
};

const gas = (table: GasTable): string =>
  Object.entries(table)
    .map(([name, cost]) => `${name.replaceAll("_", " ")} ${cost}`)
    .join(", ");

const genesis = (physics: Physics, natives: readonly NativeArtifact[]): string =>
  lines(
    "# The artifacts the world begins with",
    "Invoke them like any other. `describe` gives arguments and examples of each method.",
    ...natives.flatMap((native) => [
      `## ${native.id}`,
      native.description,
      ...native.methods.map((method) => {
        const args = Object.keys((method.input_schema.properties ?? {}) as object).join(", ");
        const cost = physics.genesis.costs[native.id]?.[method.name] ?? 0;
        return `- ${method.name}(${args})${cost > 0 ? ` costs ${cost} scrip` : ""}: ${method.description}`;
      }),
    ]),
    "## Access contracts",
    ...[...BUILT_IN_MEANING].map(([id, meaning]) => `- ${id}: ${meaning}.`),
    "Any artifact whose code defines check_permission({caller, verb, target, owner, method, args}) can be one; it returns {allowed, reason?, cost?, payer?, recipient?}.",
  );

const resources = (physics: Physics): string => {
  const { windows, window_ms, disk_bytes, llm_budget_micros } = physics.resources;
  return lines(
    "# What is scarce",
    "Scrip: whole numbers, no debt. It moves by transfers, prices, attachments and contract costs.",
    `Model budget: ${llm_budget_micros} micro-dollars at the start; each thought takes its price. Without enough for a thought you are frozen until somebody gives you some with genesis_ledger.transfer_budget.`,
    `Disk: ${disk_bytes} bytes beside your own two artifacts; deleting frees it.`,
    `In every rolling window of ${window_ms} ms: ${RESOURCES.map((name) => `${windows[name]} ${name}`).join(", ")}.`,
    "genesis_rights_registry.check_quota() says what is left; transfer_quota gives some away.",
  );
};

const trading = (): string =>
  lines(
    "# How to trade",
    "Sell a service: write a program with a price and an interface with examples; each call by another pays you.",
    'Find one: genesis_store.search("words"), or list({"sort": "popular"}); get_interface(id) shows how to call it.',
    "Guard against a change of price with max_price.",
    "Sell an artifact: genesis_ledger.transfer_ownership(artifact, to) is an offer; the other takes it with accept(artifact).",
    "Read other programs' code before you pay for them, unless they ask a read_price.",
  );
