import type {
  AgentCommand,
  Charge,
  Id,
  Json,
  MintCommand,
  RefusalCode,
  Remembering,
  WorldCommand,
} from "../kernel/index.ts";

type ThoughtCommand = Extract<AgentCommand, { readonly kind: "complete_thought" }>;

/** What an agent keeps of a thought; nothing of it is kept when the thought is dropped. */
export type Keeping = Pick<Remembering, "notes" | "through" | "write">;

/** What the world can be asked, one transaction each. The journal keeps it beside its events. */
export type Request =
  | WorldCommand
  | MintCommand
  | Exclude<AgentCommand, ThoughtCommand>
  | (ThoughtCommand & { readonly keeps?: readonly Keeping[] })
  | {
      /** Carries out what the agent decided in its last thought. */
      readonly kind: "carry_out";
      readonly at_ms: number;
      readonly principal: Id;
      readonly backoff: boolean;
    }
  | {
      /** An action from outside any loop: of a person, a test, a script. */
      readonly kind: "take_action";
      readonly at_ms: number;
      readonly principal: Id;
      readonly action: Json;
      readonly backoff: boolean;
    };

/** How a request came out. A refusal is an outcome like any other. */
export type Outcome = {
  readonly success: boolean;
  readonly message: string;
  /** JSON text of the answer; null where there is none, or where it is the artifact just read. */
  readonly result: string | null;
  readonly error_code: RefusalCode | null;
  readonly retriable: boolean;
  readonly charged: Charge;
};

export const NO_CHARGE: Charge = { scrip: 0, gas: 0, bytes: 0 };
