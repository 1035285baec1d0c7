export { type GasTable, limitsProblem, POLLS_PER_TICK, type SandboxLimits } from "./limits.ts";
export type {
  FailureCode,
  Inspection,
  Program,
  ProgramCall,
  ProgramFailure,
  ProgramOutcome,
  ProgramSuccess,
} from "./program.ts";
export { Sandbox } from "./sandbox.ts";
export type { Answer, NestedCost, Syscall, SyscallReply } from "./syscall.ts";
