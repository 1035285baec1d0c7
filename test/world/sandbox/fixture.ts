import { Sandbox } from "../../../src/world/index.ts";
import type {
  AnswerSyscall,
  ProgramCall,
  ProgramOutcome,
  SandboxLimits,
} from "../../../src/world/sandbox/index.ts";

export const LIMITS: SandboxLimits = {
  gas_max: 1_000_000,
  memory_bytes: 8 * 1024 * 1024,
  stack_bytes: 256 * 1024,
  result_bytes_max: 65_536,
  state_bytes_max: 65_536,
  log_bytes_max: 4_096,
  syscalls_max: 50,
  // Long, for slow test machines; tests of the timeout set their own.
  wall_timeout_ms: 20_000,
  depth_max: 5,
  gas_table: { call: 10, per_kb_code: 1, per_kb_input: 1, syscall: 5, tick: 1e3, per_kb_native: 4 },
};

export const newSandbox = (changes: Partial<SandboxLimits> = {}): Sandbox =>
  new Sandbox({ ...LIMITS, ...changes });

/** Everything of a call that a test may leave out. */
export type CallParts = {
  readonly method?: string;
  readonly args?: readonly unknown[];
  readonly state?: unknown;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly gasMax?: number;
  readonly syscallsMax?: number;
};

export const callOf = (code: string, parts: CallParts = {}): ProgramCall => ({
  program: { key: code, code },
  method: parts.method ?? "run",
  inputJson: JSON.stringify({
    args: parts.args ?? [],
    self: { id: "shop", owner: "ada" },
    caller: "bob",
    origin: "carol",
    attached: { scrip: 3 },
    now: 1_700_000,
    ...parts.input,
  }),
  stateJson: JSON.stringify(parts.state ?? {}),
  gasMax: parts.gasMax ?? 200_000,
  syscallsMax: parts.syscallsMax ?? 10,
});

/** As much gas as a call can have. */
export const RICH = { gasMax: 1_000_000 };

/** Operators on long text do not poll, so only the timeout can end this. */
export const SLOW =
  'function run() { let s = "a".repeat(2e6); for (;;) { s += "b"; s.charCodeAt(0); } }';

export const replyWith = (result: unknown, gasUsed = 0) =>
  ({ ok: true, resultJson: JSON.stringify(result), gasUsed }) as const;

/** The reply to a syscall whose result does not matter. */
export const ONE = replyWith(1);

/** Answers every syscall with its own name and arguments. */
export const echo: AnswerSyscall = ({ name, argsJson }) => replyWith([name, JSON.parse(argsJson)]);

/** Runs a program, by default with an answerer that echoes syscalls. */
export const run = (
  sandbox: Sandbox,
  code: string,
  ...with_: readonly [parts?: CallParts, answer?: AnswerSyscall]
): ProgramOutcome => {
  const [parts = {}, answer = echo] = with_;
  return sandbox.run(callOf(code, parts), answer);
};

/** The result of a call that must succeed. */
export const resultOf = (outcome: ProgramOutcome): unknown => {
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`);
  return JSON.parse(outcome.resultJson);
};

/** The new state of a call that must succeed, or null when it was left as it was. */
export const stateOf = (outcome: ProgramOutcome): unknown => {
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome.stateJson === null ? null : JSON.parse(outcome.stateJson);
};

/** `code: message` of a call that must fail. */
export const failureOf = (outcome: ProgramOutcome): string => {
  if (outcome.ok) throw new Error(`it returned ${outcome.resultJson}`);
  return `${outcome.code}: ${outcome.message}`;
};

export const codeOf = (outcome: ProgramOutcome): string => (outcome.ok ? "ok" : outcome.code);
