import type { FailureCode } from "./program.ts";

/** A question that a running program asks the world. Its program is suspended until the answer. */
export type Syscall = {
  readonly name: string;
  /** A JSON array. What is in it was chosen by the program: judge it. */
  readonly argsJson: string;
  /** What the asking program has left, this syscall already paid. */
  readonly gasLeft: number;
  readonly syscallsLeft: number;
};

/** What nested programs spent while the question was answered; charged to the asking program. */
export type NestedCost = {
  readonly gasUsed: number;
  readonly syscallsUsed?: number;
};

export type SyscallReply =
  | ({ readonly ok: true; readonly resultJson: string } & NestedCost)
  /** Becomes a `KernelError` that the program may catch. */
  | ({ readonly ok: false; readonly code: string; readonly message: string } & NestedCost)
  /** Ends the asking program with this code, whatever it would have caught. */
  | ({ readonly ok: false; readonly fatal: FailureCode; readonly message: string } & NestedCost);

export type Answer = (syscall: Syscall) => SyscallReply;
