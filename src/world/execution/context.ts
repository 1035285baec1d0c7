import type * as kernel from "../../kernel/index.ts";
import { callDepthMax } from "../../kernel/index.ts";
import { Sandbox } from "../sandbox/index.ts";
import type { GatedCommand, Meter, Transaction, UngatedCommand } from "./transaction.ts";

/** Returns why a text is not a valid configuration of an agent, or null if it is valid. */
export type AgentCheck = (content: string) => string | null;

export type ExecutionContext = {
  readonly sandbox: Sandbox;
  /** The results of code checks. They depend only on the code and the world's secret. */
  readonly checked: kernel.BoundedResults<string, CheckedCode>;
  readonly agentProblem: AgentCheck;
};

type CheckedCode = {
  readonly methods: readonly string[];
  readonly print: string;
  readonly gas: number;
};

export type ActionStep = { readonly by: kernel.Subject; readonly meter: Meter };

export type Returned =
  | { readonly ok: true; readonly result: string }
  | { readonly ok: false; readonly refusal: kernel.Refusal };

/** The outcome of a program that ran to completion. `result` is JSON text. */
export type Completed = { readonly result: string; readonly ran: kernel.CallResult };

/** An action that is being executed. `Invoker` implements it. */
export type Execution = {
  readonly tx: Transaction;
  readonly context: ExecutionContext;
  decide(command: UngatedCommand): kernel.Decided<kernel.Json>;
  decideGated(step: ActionStep, command: GatedCommand): kernel.Decided<kernel.Json>;
  write(step: ActionStep, request: kernel.WriteRequest): kernel.Decided<kernel.WriteResult>;
  invoke(step: ActionStep, request: kernel.InvokeRequest): Returned;
  run(step: ActionStep, call: kernel.Call): Completed | kernel.CallFailure;
  search<Found>(meter: Meter, find: () => Found): Found;
};

export const sandboxFor = (physics: kernel.Physics): Sandbox =>
  new Sandbox({ ...physics.sandbox, depth_max: callDepthMax(physics) });
