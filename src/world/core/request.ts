import type * as kernel from "../../kernel/index.ts";

type ThoughtCommand = kernel.CommandOf<"complete_thought">;

/** What an agent stores in its memory after a thought, unless the thought is discarded. */
export type Keeping = Pick<kernel.MemoryUpdate, "notes" | "through" | "write">;

/** A request to the world. The journal stores it as the command of one transaction. */
export type Request =
  | Exclude<kernel.RunCommand, ThoughtCommand>
  | (ThoughtCommand & { readonly keeps?: readonly Keeping[] })
  | {
      /** Executes the action that the agent chose in its last thought. */
      readonly kind: "execute_decision";
      readonly at_ms: number;
      readonly principal: kernel.Id;
      /** As in `end_action`. */
      readonly backs_off?: false;
    }
  | {
      readonly kind: "take_action";
      readonly at_ms: number;
      readonly principal: kernel.Id;
      readonly action: kernel.Json;
    };

export type Outcome = {
  readonly success: boolean;
  readonly message: string;
  /** The answer as JSON text. Null if there is no answer, or if the action read an artifact. */
  readonly result: string | null;
  readonly error_code: kernel.RefusalCode | null;
  readonly retriable: boolean;
  readonly charged: kernel.Charge;
};

export type SimulatedCall = {
  readonly principal: kernel.Id;
  readonly at_ms: number;
  readonly request: kernel.InvokeRequest;
  /** The gas limit of the call with all its nested calls. */
  readonly gasMax: number;
};

/** `result` is JSON text, or null after a failure. `timedOut` means that the engine was killed. */
export type SimulatedResult = { readonly result: string | null; readonly timedOut: boolean };

export type CallSimulator = {
  readonly state: kernel.State;
  simulateCall(call: SimulatedCall): SimulatedResult;
};
