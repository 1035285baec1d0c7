import { isObject, isReserved, type Json, type Sleep, type View } from "../../kernel/index.ts";
import type { Dice } from "./dice.ts";
import type { KnowHow } from "./know-how.ts";

/** What a policy decides on: what the agent sees, knows, remembers, and its own dice. */
export type Situation<Memory> = {
  readonly view: View;
  readonly knowHow: KnowHow;
  readonly memory: Memory;
  readonly dice: Dice;
  /** What one thought takes of its model budget. */
  readonly thoughtMicros: number;
};

/** What to do, why, and what to remember. `waitMs` rests before the action, `sleep` after it. */
export type Move<Memory> = {
  readonly action: Json;
  readonly why: string;
  readonly memory: Memory;
  readonly waitMs?: number;
  readonly sleep?: Sleep;
};

/**
 * A named, seeded, offline strategy: a pure function of the situation. `Memory` is JSON; `revive`
 * gives its shape to what came back from the agent's record, and a fresh one when there is nothing.
 */
export type Policy<Memory> = {
  readonly revive: (memory: Json) => Memory;
  readonly decide: (situation: Situation<Memory>) => Move<Memory>;
};

/** Whether a world has a part of genesis. */
export const hasPart = ({ genesis }: View, id: string): boolean =>
  genesis.some((part) => part === id);

/** Whether what is to be done needs no part of genesis that this world does not have. */
export const isPossible = (view: View, { action }: { readonly action: Json }): boolean => {
  const asked = isObject(action) ? action.invoke_artifact : null;
  const target = isObject(asked) ? asked.artifact_id : null;
  return typeof target !== "string" || !isReserved(target) || hasPart(view, target);
};

/** The move, if it is possible in this world. */
export const possible = <M extends { readonly action: Json }>(
  view: View,
  move: M | null,
): M | null => (move !== null && isPossible(view, move) ? move : null);

/** How long a policy that has nothing to do waits before it looks again, ms. */
const IDLE_MS = 2_000;

/** Nothing to do until it looks again. */
export const rest = <Memory>(memory: Memory, why: string): Move<Memory> => ({
  action: { noop: {} },
  why,
  memory,
  waitMs: IDLE_MS,
});

/** A rest after which it sleeps, for so many seconds or until one of these comes true. */
export const nap = <Memory>(
  { naps_s }: { readonly naps_s: number },
  resting: Move<Memory>,
  until: Sleep["until"] = [],
): Move<Memory> => ({ ...resting, sleep: { for_ms: Math.round(naps_s * 1_000), until } });
