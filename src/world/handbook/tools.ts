import { type GasTable, QUERY_KINDS, QUERY_LIMIT_MAX } from "../../kernel/index.ts";
import { SYSCALL_NAMES } from "../syscall.ts";
import type { Setting } from "./page.ts";

export const tools = ({ physics: { sandbox } }: Setting): string => `# How to write a program
Code is a JavaScript script. The functions it defines at top level are its methods; names that
start with _ are private. It sees \`state\` (its own JSON, {} at first, which it may change),
\`self\`, \`caller\`, \`origin\`, \`attached\` and \`kernel\`.
kernel has: now(), log(text), fail(code, message),
${SYSCALL_NAMES.map((name) => `${name}()`).join(", ")}.
Each acts as the program itself. invoke(id, method, args, {attach, max_price}) returns
{success, result, error}; the others throw a KernelError {code, message}. read(id, {max_price})
bounds what a read may cost, write({max_price, ...}) a write. charge(from, scrip) takes scrip from
somebody who let it, with genesis_ledger.grant.
query(kind, filter): kind is one of ${QUERY_KINDS.join(", ")}. All of one artifact is long:
query("artifact", {id, fields: ["owner", "price"]}) takes less gas.
Artifacts are found by owner, type, text (8 words at most) and metadata (8 entries at most); looking
through ${QUERY_LIMIT_MAX} of them takes the gas of a syscall more.
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
