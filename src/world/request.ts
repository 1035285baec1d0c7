import type {
  AgentCommand,
  Charge,
  Id,
  InvokeRequest,
  Json,
  MemoryUpdate,
  MintCommand,
  RefusalCode,
  State,
  WorldCommand,
} from "../kernel/index.ts";

type ThoughtCommand = Extract<AgentCommand, { readonly kind: "complete_thought" }>;

/** What an agent stores in its memory after a thought. Discarded if the thought is discarded. */
export type Keeping = Pick<MemoryUpdate, "notes" | "through" | "write">;

/** A request to the world. It becomes one transaction, which is stored with its events. */
export type Request =
  | WorldCommand
  | MintCommand
  | Exclude<AgentCommand, ThoughtCommand>
  | (ThoughtCommand & { readonly keeps?: readonly Keeping[] })
  | {
      /** Executes the action that the agent chose in its last thought. */
      readonly kind: "execute_decision";
      readonly at_ms: number;
      readonly principal: Id;
    }
  | {
      readonly kind: "take_action";
      readonly at_ms: number;
      readonly principal: Id;
      readonly action: Json;
    };

export type Outcome = {
  readonly success: boolean;
  readonly message: string;
  /** The answer as JSON text, or null if there is none or if it is the artifact just read. */
  readonly result: string | null;
  readonly error_code: RefusalCode | null;
  readonly retriable: boolean;
  readonly charged: Charge;
};

/** A call whose effects are rolled back. */
export type SimulatedCall = {
  readonly principal: Id;
  readonly at_ms: number;
  readonly request: InvokeRequest;
  /** The gas limit of the call, including nested calls. */
  readonly gasMax: number;
};

/** `result` is JSON text, or null after a failure. `timedOut` means that the engine was killed. */
export type SimulatedResult = { readonly result: string | null; readonly timedOut: boolean };

export type CallSimulator = {
  readonly state: State;
  simulateCall(call: SimulatedCall): SimulatedResult;
};
