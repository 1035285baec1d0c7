import type { Json, View } from "../../kernel/index.ts";
import type { SleepEntry } from "../script/sleep-schema.ts";

/** What your mind knows when it decides. All of it is a copy, so changes have no effect. */
export type DecideInput = {
  /** What the agent sees of the world. */
  readonly view: View;
  /** The memory that your last decision returned, or null before the first decision. */
  readonly memory: Json;
  /** The settings in `agent.yaml`. */
  readonly settings: { readonly [key: string]: Json };
  /** Returns a number in [0, 1). Use it instead of `Math.random`, so that runs repeat. */
  readonly random: () => number;
};

/** What your mind decides. */
export type UserDecision = {
  /** Such as `{ noop: {} }` or `{ invoke_artifact: { artifact_id: "x", args: [2] } }`. */
  readonly action: { readonly [kind: string]: unknown };
  /** Plain data that comes back as `memory` next time. Omit it to keep the old memory. */
  readonly memory?: unknown;
  /** Why, in a sentence. The journal and `sim explain` show it. */
  readonly reasoning?: string;
  /** The simulated time to wait before the action, in ms. */
  readonly waitMs?: number;
  /** The sleep after the action, as in a script: `{ for_s: 30, until: [...] }`. */
  readonly sleep?: SleepEntry;
};

/**
 * The default export of a module that `mind: ./mind.ts` names.
 *
 * Contract: `decide` is synchronous, and its result depends only on its argument. `decide` keeps
 * nothing in variables between calls, because a run can stop and resume between any two calls.
 */
export type UserMind = { readonly decide: (input: DecideInput) => UserDecision };
