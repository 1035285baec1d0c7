import { z } from "zod";
import { Dice, diceState, type Json, type View } from "../kernel/index.ts";
import {
  FREE,
  type Mind,
  type MindParts,
  type OpenKind,
  readMemory,
  type Thought,
} from "../mind/index.ts";
import { loadLibrary } from "./library/load-library.ts";
import { type RecipeBook, recipeBookOf } from "./library/recipe-book.ts";
import {
  POLICIES,
  type PolicyConfig,
  type PolicyName,
  policyGuides,
  policyOf,
} from "./policies.ts";

/** What the policies of a run share: the programs that they can write. */
export const openPolicies = (parts: MindParts): OpenKind<PolicyConfig> => {
  const recipeBook = recipeBookOf(loadLibrary(parts.programsFolder));
  return {
    create: ({ id }, { mind, policy: settings = {} }) =>
      policyMind({ id, name: policyOf(mind), settings }, parts, recipeBook),
  };
};

/** Accepts any `dice` and `policy`. `diceState` checks `dice`, and the policy checks `policy`. */
const keptSchema = z.object({
  dice: z.custom<Json>(),
  policy: z.custom<Json>(),
  /** The name of the policy that wrote `policy`. Any other policy starts without `policy`. */
  of: z.string(),
});

/** Creates a mind with a policy. Thoughts cost budget; free ones would distort the economy. */
const policyMind = (
  {
    id,
    name,
    settings,
  }: { readonly id: string; readonly name: PolicyName; readonly settings: unknown },
  { seed, policyPrice: price, policyThinkMs: thinkMs }: MindParts,
  recipeBook: RecipeBook,
): Mind => {
  const strategy = POLICIES[name].start(settings);
  const decide = (view: View): Thought => {
    const kept = readMemory(view.agent.mind, { dice: null, policy: null, of: name }, keptSchema);
    const rolled = diceState(kept.dice);
    const dice = rolled === null ? Dice.of(seed, id) : new Dice(rolled);
    const memory = kept.of === name ? kept.policy : null;
    const move = strategy({ view, recipeBook, memory, dice, thoughtMicros: price.micros });
    const { micros: cost_micros, calls, tokens: input_tokens } = price;
    return {
      kind: "decided",
      action: move.action,
      reasoning: move.why,
      memory: { dice: dice.state, policy: move.memory, of: name },
      usage: { ...FREE, calls, input_tokens, cost_micros },
      waitMs: move.waitMs ?? 0,
      sleep: move.sleep ?? null,
    };
  };
  const hasLazyView = true;
  return { price, exactPrice: null, thinkMs, parallel: null, recollect: null, hasLazyView, decide };
};

/** A new persona with a policy shows each setting at its default. */
export const policyTemplate = (mind: string) => {
  const settings = policyGuides().find((guide) => guide.mind === mind)?.settings ?? [];
  const lines = settings.map(({ name, meaning, form, default: value }) => {
    return `  ${name}: ${value} # ${meaning} (${form})\n`;
  });
  const none = "# This policy has no settings.\n";
  return { text: lines.length === 0 ? none : `policy: # all keys are optional\n${lines.join("")}` };
};
