/** The source text of a program and its key. Equal keys must mean equal code: use a hash. */
export type Program = { readonly key: string; readonly code: string };

export type ProgramCall = {
  readonly program: Program;
  readonly method: string;
  /** `{"args":[...],"self":...,"caller":"id","origin":"id","attached":{...},"now":ms}` */
  readonly inputJson: string;
  /** The state, as `JSON.stringify` writes it. A state in other text always counts as changed. */
  readonly stateJson: string;
  readonly gasMax: number;
  readonly syscallsMax: number;
};

export type FailureCode =
  | "runtime_error"
  | "syntax_error"
  | "gas_exhausted"
  | "memory_exhausted"
  | "stack_exhausted"
  | "syscalls_exhausted"
  | "depth_exceeded"
  | "result_too_large"
  | "state_too_large"
  | "rejected_by_artifact"
  | "method_not_found";

type Spent = { readonly gas: number; readonly logs: string };

type ProgramSuccess = Spent & {
  readonly ok: true;
  readonly resultJson: string;
  /** The new state, or null if the state has not changed. */
  readonly stateJson: string | null;
};

/** A place in the code of a program. Lines and columns start at 1. */
export type ProgramPlace = { readonly line: number; readonly column: number };

export type ProgramFailure = Spent & {
  readonly ok: false;
  readonly code: FailureCode;
  readonly message: string;
  /** The `{"code","message"}` of `kernel.fail` or of an uncaught `KernelError`. */
  readonly dataJson?: string;
  /** The place of an uncaught error, if it is known. */
  readonly place?: ProgramPlace;
  /** Whether the engine was killed. If so, all gas is charged, and a rerun may end differently. */
  readonly timedOut: boolean;
};

export type ProgramOutcome = ProgramSuccess | ProgramFailure;

/** How a call ended, without what it spent. */
export type CallEnding = Omit<ProgramSuccess, keyof Spent> | Omit<ProgramFailure, keyof Spent>;

export type Inspection =
  | { readonly ok: true; readonly methods: readonly string[]; readonly gas: number }
  | ProgramFailure;

/** A request of a running program to the world. The program is suspended until the reply. */
export type Syscall = {
  readonly name: string;
  /** The arguments as a JSON array. They are untrusted. */
  readonly argsJson: string;
  /** The gas that is left after paying for this syscall. */
  readonly gasLeft: number;
};

/** What nested programs spent during the syscall. The calling program pays for them. */
type NestedCost = { readonly gasUsed: number; readonly syscallsUsed?: number };

export type SyscallReply =
  | ({ readonly ok: true; readonly resultJson: string } & NestedCost)
  /** A refusal. The program gets it as a `KernelError`, which it may catch. */
  | ({ readonly ok: false; readonly code: string; readonly message: string } & NestedCost)
  /** Ends the calling program with the code `fatal`. The program cannot catch this failure. */
  | ({ readonly ok: false; readonly fatal: FailureCode; readonly message: string } & NestedCost);

export type AnswerSyscall = (syscall: Syscall) => SyscallReply;

/** The maximum size of the code of a call, of its input, and of the reply to a syscall. */
export const MESSAGE_BYTES_MAX = 8 * 1024 * 1024;

export const fitsInMessage = (...texts: readonly string[]): boolean =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= MESSAGE_BYTES_MAX;
