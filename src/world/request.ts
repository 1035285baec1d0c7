import type {
  AgentCommand,
  Charge,
  Id,
  InvokeRequest,
  Json,
  MintCommand,
  RefusalCode,
  Remembering,
  State,
  WorldCommand,
} from "../kernel/index.ts";

type ThoughtCommand = Extract<AgentCommand, { readonly kind: "complete_thought" }>;

/** What an agent remembers of a thought; dropped if the thought is dropped. */
export type Keeping = Pick<Remembering, "notes" | "through" | "write">;

/** A request to the world: one transaction each, stored with its events. */
export type Request =
  | WorldCommand
  | MintCommand
  | Exclude<AgentCommand, ThoughtCommand>
  | (ThoughtCommand & { readonly keeps?: readonly Keeping[] })
  | {
      /** Of the agent's last thought. */
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
  /** JSON text of the answer; null if there is none, or if it is the artifact just read. */
  readonly result: string | null;
  readonly error_code: RefusalCode | null;
  readonly retriable: boolean;
  readonly charged: Charge;
};

export const NO_CHARGE: Charge = { scrip: 0, gas: 0, bytes: 0 };

/** A call whose effects are rolled back. */
export type SimulatedCall = {
  readonly principal: Id;
  readonly at_ms: number;
  readonly request: InvokeRequest;
  /** For the whole call, nested calls included. */
  readonly gasMax: number;
};

/** `result` is JSON text, null after a failure; `timedOut` if the engine had to be killed. */
export type SimulatedResult = { readonly result: string | null; readonly timedOut: boolean };

export type CallSimulator = {
  readonly state: State;
  simulateCall(call: SimulatedCall): SimulatedResult;
};
