import type { HoldId, Id } from "../ids.ts";
import type { Json } from "../json.ts";

/** A call and what it must return; the method is `run`. */
export type TaskTest = { readonly args: readonly Json[]; readonly result: Json };

/** Work that is offered to all, with a reward for the first program that passes every test. */
export type Task = {
  readonly id: string;
  /** Null: the world's own, whose reward is minted. */
  readonly poster: Id | null;
  readonly reward: number;
  /** Where the reward of a poster waits. */
  readonly hold: HoldId | null;
  readonly description: string;
  readonly publicTests: readonly TaskTest[];
  /** Told to nobody. */
  readonly hiddenTests: readonly TaskTest[];
  readonly postedAt: number;
};
