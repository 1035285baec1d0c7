/** Source text and its name. Its owner promises that equal keys mean equal code: a hash of it. */
export type Program = { readonly key: string; readonly code: string };

export type ProgramCall = {
  readonly program: Program;
  readonly method: string;
  /** `{"args":[...],"self":...,"caller":"id","origin":"id","attached":{...},"now":ms}` */
  readonly inputJson: string;
  /** The artifact's state. Text that `JSON.stringify` made comes back as unchanged when it is. */
  readonly stateJson: string;
  readonly gasMax: number;
  readonly syscallsMax: number;
  /** For whoever answers the syscalls: the sandbox passes writing ones on like any other. */
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

export type ProgramSuccess = {
  readonly ok: true;
  readonly resultJson: string;
  /** The new state, or null when the text is the same as before. */
  readonly stateJson: string | null;
  readonly gas: number;
  readonly syscalls: number;
  readonly logs: string;
};

export type ProgramFailure = {
  readonly ok: false;
  readonly code: FailureCode;
  readonly message: string;
  /** `{"code","message"}` of `kernel.fail`, and of a `KernelError` that nothing caught. */
  readonly dataJson?: string;
  readonly gas: number;
  readonly syscalls: number;
  readonly logs: string;
  /** The engine had to be killed: how far the program got is not reproducible, the price is. */
  readonly fused: boolean;
};

export type ProgramOutcome = ProgramSuccess | ProgramFailure;

/** What a program offers, found by loading it. */
export type Inspection =
  | { readonly ok: true; readonly methods: readonly string[]; readonly gas: number }
  | {
      readonly ok: false;
      readonly code: FailureCode;
      readonly message: string;
      readonly gas: number;
      readonly fused: boolean;
    };
