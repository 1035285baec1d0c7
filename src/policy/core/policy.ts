import { z } from "zod";
import {
  type Dice,
  isObject,
  isReserved,
  type Json,
  type Sleep,
  type View,
} from "../../kernel/index.ts";
import { asJson, readMemory } from "../../mind/index.ts";

import type { RecipeBook } from "../library/recipe-book.ts";

export type Situation<Memory> = {
  readonly view: View;
  readonly recipeBook: RecipeBook;
  readonly memory: Memory;
  readonly dice: Dice;
  readonly thoughtMicros: number;
};

/** What to do, why, and what to remember. The agent waits before the action and sleeps after it. */
export type Move<Memory> = {
  readonly action: Json;
  readonly why: string;
  readonly memory: Memory;
  readonly waitMs?: number;
  readonly sleep?: Sleep;
};

/** Decides only from the situation. `memory` is the memory that the last move returned, or null. */
type Strategy = (situation: Situation<Json>) => Move<Json>;

export type Policy = {
  /** The schema's description says what the policy does. */
  readonly settings: z.ZodType;
  /** `given` has been checked against `settings`. */
  readonly start: (given: unknown) => Strategy;
};

type PolicyParts<Settings, Memory> = {
  readonly settings: z.ZodType<Settings>;
  readonly memory: z.ZodType<Memory>;
  /** The initial memory. It also replaces stored memory that does not match the schema. */
  readonly fresh: NoInfer<Memory>;
  readonly decide: (
    situation: Situation<NoInfer<Memory>>,
    settings: NoInfer<Settings>,
  ) => Move<NoInfer<Memory>>;
};

export const definePolicy = <Settings, Memory>({
  settings,
  memory: schema,
  fresh,
  decide,
}: PolicyParts<Settings, Memory>): Policy => ({
  settings,
  start: (given) => {
    const chosen = settings.parse(given);
    return (situation) => {
      const memory = readMemory(situation.memory, fresh, schema);
      const move = decide({ ...situation, memory }, chosen);
      return { ...move, memory: asJson(move.memory) };
    };
  },
});

export const setting = <Schema extends z.ZodType>(
  schema: Schema,
  initial: z.core.util.NoUndefined<z.output<Schema>>,
  meaning: string,
) => schema.default(initial).describe(meaning);

export const share = z.number().min(0).max(1);

export const consumesSetting = (initial: number) =>
  setting(share, initial, "the share of its time that it spends as a customer");

export const richSetting = setting(
  z.int().min(1).nullable(),
  null,
  "the scrip at which it founds another business; null: never",
);

export const sleepSetting = (initialS: number, meaning: string) =>
  setting(z.number().min(1), initialS, `how many seconds it sleeps when ${meaning}`);

/** Builds a call such as `call("genesis_mint.bid", …)`. The default method is `run`. */
export const call = (
  target: string,
  args: readonly Json[] = [],
  more: { readonly [field: string]: Json } = {},
): Json => {
  const [artifact_id = "", method = "run"] = target.split(".");
  return { invoke_artifact: { artifact_id, method, args, ...more } };
};

export const hasGenesis = ({ genesis }: View, id: string): boolean =>
  genesis.some((artifact) => artifact === id);

/** Returns the move, or null if it calls a genesis artifact that this world lacks. */
export const possible = <M extends { readonly action: Json }>(
  view: View,
  move: M | null,
): M | null => {
  const invoked = isObject(move?.action) ? move.action.invoke_artifact : null;
  const target = isObject(invoked) ? invoked.artifact_id : null;
  const lacks = typeof target === "string" && isReserved(target) && !hasGenesis(view, target);
  return lacks ? null : move;
};

const IDLE_MS = 2_000;

export const idle = <Memory>(memory: Memory, why: string): Move<Memory> => ({
  action: { noop: {} },
  why,
  memory,
  waitMs: IDLE_MS,
});

/** Adds a sleep of `sleep_s` seconds. The sleep ends early if a condition in `until` is met. */
export const thenSleep = <Memory>(
  move: Move<Memory>,
  { sleep_s }: { readonly sleep_s: number },
  until: Sleep["until"] = [],
): Move<Memory> => ({ ...move, sleep: { for_ms: Math.round(sleep_s * 1_000), until } });
