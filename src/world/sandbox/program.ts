/** Source text and its key. Equal keys must mean equal code: use a hash of it. */
export type Program = { readonly key: string; readonly code: string };

export type ProgramCall = {
  readonly program: Program;
  readonly method: string;
  /** `{"args":[...],"self":...,"caller":"id","origin":"id","attached":{...},"now":ms}` */
  readonly inputJson: string;
  /** The artifact's state, as `JSON.stringify` writes it: otherwise it counts as changed. */
  readonly stateJson: string;
  readonly gasMax: number;
  readonly syscallsMax: number;
  /** For the answerer: the sandbox itself passes writing syscalls on. */
  readonly readOnly: boolean;
};

export const FAILURE_CODES = [
  "runtime_error",
  "syntax_error",
  "gas_exhausted",
  "memory_exhausted",
  "stack_exhausted",
  "syscalls_exhausted",
  "depth_exceeded",
  "result_too_large",
  "state_too_large",
  "rejected_by_artifact",
  "method_not_found",
] as const;

export type FailureCode = (typeof FAILURE_CODES)[number];

type Spent = { readonly gas: number; readonly syscalls: number; readonly logs: string };

type ProgramSuccess = Spent & {
  readonly ok: true;
  readonly resultJson: string;
  /** The new state; null if the text is the same as before. */
  readonly stateJson: string | null;
};

export type ProgramFailure = Spent & {
  readonly ok: false;
  readonly code: FailureCode;
  readonly message: string;
  /** `{"code","message"}` of `kernel.fail`, and of a `KernelError` that nothing caught. */
  readonly dataJson?: string;
  /** The engine was killed: how far the program got is not reproducible, the gas charged is. */
  readonly timedOut: boolean;
};

export type ProgramOutcome = ProgramSuccess | ProgramFailure;

export type Inspection =
  | { readonly ok: true; readonly methods: readonly string[]; readonly gas: number }
  | Omit<ProgramFailure, "dataJson" | "syscalls" | "logs">;

/** A request of a running program to the world. The program is suspended until the reply. */
export type Syscall = {
  readonly name: string;
  /** An untrusted JSON array. */
  readonly argsJson: string;
  /** After paying for this syscall. */
  readonly gasLeft: number;
  readonly syscallsLeft: number;
};

/** What nested programs spent during the syscall; charged to the calling program. */
type NestedCost = { readonly gasUsed: number; readonly syscallsUsed?: number };

export type SyscallReply =
  | ({ readonly ok: true; readonly resultJson: string } & NestedCost)
  /** Becomes a `KernelError` that the program may catch. */
  | ({ readonly ok: false; readonly code: string; readonly message: string } & NestedCost)
  /** Ends the calling program with this code; it cannot catch it. */
  | ({ readonly ok: false; readonly fatal: FailureCode; readonly message: string } & NestedCost);

export type AnswerSyscall = (syscall: Syscall) => SyscallReply;
