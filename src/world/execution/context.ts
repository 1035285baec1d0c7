import type {
  Call,
  CallFailure,
  CallResult,
  Decision,
  InvokeRequest,
  Json,
  Physics,
  Refusal,
  Subject,
  WriteRequest,
  WriteResult,
} from "../../kernel/index.ts";
import { type Program, Sandbox } from "../sandbox/index.ts";
import { CheckedCodes, ProgramKeys } from "./programs.ts";
import type { GatedCommand, Meter, Transaction, UngatedCommand } from "./transaction.ts";

/** Returns why a text is not a valid configuration of an agent, or null if it is valid. */
export type AgentCheck = (content: string) => string | null;

export type ExecutionContext = {
  readonly sandbox: Sandbox;
  readonly keys: ProgramKeys;
  readonly checked: CheckedCodes;
  readonly agentProblem: AgentCheck;
};

export const newContext = (sandbox: Sandbox, agentProblem: AgentCheck): ExecutionContext => ({
  sandbox,
  keys: new ProgramKeys(),
  checked: new CheckedCodes(),
  agentProblem,
});

export const programOf = ({ keys }: ExecutionContext, code: string): Program => ({
  key: keys.of(code),
  code,
});

/** One step of an action: the acting subject, and the meter of the gas that it may use. */
export type ActionStep = { readonly by: Subject; readonly meter: Meter };

export type Returned =
  | { readonly ok: true; readonly result: string }
  | { readonly ok: false; readonly refusal: Refusal };

/** The outcome of a program that ran to its end. `result` is JSON text. */
export type Completed = { readonly result: string; readonly ran: CallResult };

/** One action being executed; `Invoker` implements it. */
export type Execution = {
  readonly tx: Transaction;
  readonly context: ExecutionContext;
  decide(command: UngatedCommand): Decision<Json>;
  decideGated(step: ActionStep, command: GatedCommand): Decision<Json>;
  write(step: ActionStep, request: WriteRequest): Decision<WriteResult>;
  invoke(step: ActionStep, request: InvokeRequest): Returned;
  run(step: ActionStep, call: Call): Completed | CallFailure;
  search<Found>(meter: Meter, find: () => Found): Found;
};

export const sandboxFor = ({ sandbox, access }: Physics): Sandbox =>
  new Sandbox({ ...sandbox, depth_max: sandbox.invoke_depth_max + access.depth_max });
