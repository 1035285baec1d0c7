export { limitsProblem, type SandboxLimits } from "./limits.ts";
export type { FailureCode, Program, ProgramCall, ProgramOutcome } from "./program.ts";
export { Sandbox } from "./sandbox.ts";
export type { Answer, Syscall, SyscallReply } from "./syscall.ts";
