export { type AgentCheck, type ExecutionContext, newContext, sandboxFor } from "./context.ts";
export { checkCode, inspectCode } from "./evidence.ts";
export { endedWith, executeAction } from "./execute-action.ts";
export { Invoker, refusalOf } from "./invoker.ts";
export { inputJsonOf, KnownPrograms } from "./programs.ts";
export { SYSCALL_NAMES, type SyscallName } from "./syscalls.ts";
export { Meter, Transaction } from "./transaction.ts";
