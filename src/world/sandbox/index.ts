export type { SandboxLimits } from "./limits.ts";
export type {
  AnswerSyscall,
  FailureCode,
  Program,
  ProgramCall,
  ProgramOutcome,
  ProgramPlace,
  Syscall,
  SyscallReply,
} from "./program.ts";
export { Sandbox } from "./sandbox.ts";
