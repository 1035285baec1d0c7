import type { EventKind } from "./event.ts";
import type { Id } from "./ids.ts";
import type { Resource } from "./physics.ts";

/** What ends a sleep before its time: the first of these to come true. */
export type Wake =
  /** An event of this kind that concerns the sleeper; those of auctions and tasks concern all. */
  | { readonly event: EventKind }
  | { readonly scrip_at_least: number }
  | { readonly llm_budget_at_least: number }
  /** So much of a rolling window is free. */
  | { readonly resource: Resource; readonly available: number };

/** How many things one sleep may wait for. */
export const WAKES_MAX = 8;

/** A sleep that an agent asks for beside its action, bounded by `sleep_max_ms`. */
export type Sleep = { readonly for_ms: number; readonly until: readonly Wake[] };

/** An agent that sleeps until something happens; whatever does, it rests until `earliestMs`. */
export type Sleeper = {
  readonly agent: Id;
  readonly until: readonly Wake[];
  readonly earliestMs: number;
};
