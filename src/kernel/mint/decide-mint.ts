import type { Decision } from "../decision.ts";
import { unreachable } from "../invariant.ts";
import type { Json } from "../json.ts";
import type { State } from "../state.ts";
import { decideResolve } from "./auction.ts";
import { decideFailScoring, decideScore } from "./scoring.ts";
import type { Opening } from "./task.ts";
import { decideOpenTask } from "./tasks.ts";

/** From whoever keeps the mint for the world: it knows the time, and asks the scorer. */
export type MintCommand =
  | { readonly kind: "resolve_auction"; readonly at_ms: number }
  | {
      readonly kind: "score_artifact";
      readonly at_ms: number;
      readonly submission: string;
      /** From 0 to 100. */
      readonly score: number;
      readonly reason: string;
      readonly memo: Json;
    }
  | {
      readonly kind: "fail_scoring";
      readonly at_ms: number;
      readonly submission: string;
      readonly reason: string;
    }
  | ({ readonly kind: "open_task"; readonly at_ms: number } & Opening);

export const decideMint = (state: State, command: MintCommand): Decision => {
  switch (command.kind) {
    case "resolve_auction":
      return decideResolve(state, command);
    case "score_artifact":
      return decideScore(state, command);
    case "fail_scoring":
      return decideFailScoring(state, command);
    case "open_task":
      return decideOpenTask(state, command);
    default:
      return unreachable(command);
  }
};
