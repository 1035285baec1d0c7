import { z } from "zod";
import { cutText, type Json, type View } from "../../kernel/index.ts";
import { FREE, type Mind, type Thought, type ThoughtPrice } from "../mind.ts";
import { readMemory } from "../mind-memory-codec.ts";
import { Dice, diceState } from "../policy/dice.ts";
import { sleepOf } from "../script/sleep-schema.ts";
import type { UserModule } from "./load-user-mind.ts";
import { type Occasion, readChoice } from "./user-mind.ts";

const REASONING_CHARS_MAX = 4_000;

/** The state of the random numbers, and the memory that the module `of` returned. */
const keptSchema = z.object({ dice: z.custom<Json>(), own: z.custom<Json>(), of: z.string() });

type ModuleAgent = {
  readonly id: string;
  readonly module: UserModule;
  readonly settings: Occasion["settings"];
};

type ModuleParts = {
  readonly seed: number;
  readonly policyPrice: ThoughtPrice;
  readonly policyThinkMs: readonly [number, number];
};

/** Makes a mind of a module of the user. Its thoughts cost as much as those of policies. */
export const moduleMind = (
  { id, module, settings }: ModuleAgent,
  { seed, policyPrice: price, policyThinkMs: thinkMs }: ModuleParts,
): Mind => {
  const { micros: cost_micros, calls, tokens: input_tokens } = price;
  const usage = { ...FREE, calls, input_tokens, cost_micros };
  const decide = (view: View): Thought => {
    const fresh = { dice: null, own: null, of: module.name };
    const stored = readMemory(view.agent.mind, fresh, keptSchema);
    const kept = stored.of === module.name ? stored : fresh;
    const rolled = diceState(kept.dice);
    const dice = rolled === null ? Dice.of(seed, `${id}/mind`) : new Dice(rolled);
    const read = choiceOf(module, { view, memory: kept.own, settings, dice });
    const memoryWith = (own: Json): Json => ({ dice: dice.state, own, of: module.name });
    if (!read.ok) {
      const message = `${module.name}${read.problem}`;
      const memory = memoryWith(kept.own);
      const warnings = [`a mind of the user failed: ${message}`];
      return { kind: "failed", reason: "intent_rejected", message, memory, usage, warnings };
    }
    const { action, memory = kept.own, reasoning, waitMs, sleep } = read.choice;
    return {
      kind: "decided",
      action,
      reasoning: cutText(reasoning, REASONING_CHARS_MAX),
      memory: memoryWith(memory),
      usage,
      waitMs,
      sleep: sleep === null ? null : sleepOf(sleep),
    };
  };
  return { price, thinkMs, parallel: null, recollect: null, decide };
};

type Asked = Omit<Occasion, "random"> & { readonly dice: Dice };

const choiceOf = (
  { decide }: UserModule,
  { dice, ...known }: Asked,
): ReturnType<typeof readChoice> => {
  const answer = decide({ ...structuredClone(known), random: () => dice.next() });
  if (!answer.ok) return answer;
  const read = readChoice(answer.returned);
  return read.ok ? read : { ok: false, problem: `: ${read.problem}` };
};
