/** Source text and its key. Equal keys must mean equal code, so use a hash of the code. */
export type Program = { readonly key: string; readonly code: string };

export type ProgramCall = {
  readonly program: Program;
  readonly method: string;
  /** `{"args":[...],"self":...,"caller":"id","origin":"id","attached":{...},"now":ms}` */
  readonly inputJson: string;
  /** The artifact's state, written as by `JSON.stringify`. Any other form counts as a change. */
  readonly stateJson: string;
  readonly gasMax: number;
  readonly syscallsMax: number;
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

export type Spent = { readonly gas: number; readonly logs: string };

type ProgramSuccess = Spent & {
  readonly ok: true;
  readonly resultJson: string;
  /** The new state, or null if the text is the same as before. */
  readonly stateJson: string | null;
};

export type ProgramFailure = Spent & {
  readonly ok: false;
  readonly code: FailureCode;
  readonly message: string;
  /** `{"code","message"}` of `kernel.fail` or of an uncaught `KernelError`. */
  readonly dataJson?: string;
  /** Whether the engine was killed. A rerun can then have other effects, but costs the same gas. */
  readonly timedOut: boolean;
};

export type ProgramOutcome = ProgramSuccess | ProgramFailure;

export type Inspection =
  | { readonly ok: true; readonly methods: readonly string[]; readonly gas: number }
  | ProgramFailure;

/** A request of a running program to the world. The program is suspended until the reply. */
export type Syscall = {
  readonly name: string;
  /** The arguments as a JSON array, which is untrusted. */
  readonly argsJson: string;
  /** The gas that is left after paying for this syscall. */
  readonly gasLeft: number;
};

/** What nested programs spent during the syscall. The calling program is charged for it. */
type NestedCost = { readonly gasUsed: number; readonly syscallsUsed?: number };

export type SyscallReply =
  | ({ readonly ok: true; readonly resultJson: string } & NestedCost)
  /** Becomes a `KernelError` that the program may catch. */
  | ({ readonly ok: false; readonly code: string; readonly message: string } & NestedCost)
  /** Ends the calling program with this code. The program cannot catch it. */
  | ({ readonly ok: false; readonly fatal: FailureCode; readonly message: string } & NestedCost);

export type AnswerSyscall = (syscall: Syscall) => SyscallReply;
