import { z } from "zod";
import type { Json, View } from "../../kernel/index.ts";
import { plain, recall } from "../memory-codec.ts";
import type { Mind, Thought, ThoughtPrice } from "../mind.ts";
import { Dice, diceState } from "./dice.ts";
import type { KnowHow } from "./know-how.ts";
import type { Policy } from "./policy.ts";

export type PolicySettings = {
  /** The name of the policy. */
  readonly name: string;
  readonly id: string;
  readonly seed: number;
  readonly knowHow: KnowHow;
  readonly price: ThoughtPrice;
  readonly thinkMs: readonly [number, number];
};

/**
 * A mind that follows a policy. Its thoughts have a price in model budget, as a model's have,
 * because an economy of thinkers in which thinking is free is not one.
 */
export const policyMind = <Memory>(policy: Policy<Memory>, settings: PolicySettings): Mind => ({
  price: settings.price,
  thinkMs: settings.thinkMs,
  backsOff: true,
  recollect: null,
  decide: (view) => decide(policy, settings, view),
});

/** `of` names the policy that remembers: what another one did means nothing to it. */
type Kept = { readonly dice: Json; readonly policy: Json; readonly of: string };

/** What dice and policy keep, they look at themselves. */
const keptSchema: z.ZodType<Kept> = z.object({
  dice: z.custom<Json>(),
  policy: z.custom<Json>(),
  of: z.string(),
});

const decide = <Memory>(policy: Policy<Memory>, settings: PolicySettings, view: View): Thought => {
  const fresh: Kept = { dice: null, policy: null, of: settings.name };
  const kept = recall(view.agent.mind, fresh, keptSchema);
  const rolled = diceState(kept.dice);
  const dice = rolled === null ? Dice.of(settings.seed, settings.id) : new Dice(rolled);
  const memory = policy.revive(kept.of === settings.name ? kept.policy : null);
  const { price, knowHow } = settings;
  const move = policy.decide({ view, knowHow, memory, dice, thoughtMicros: price.micros });
  return {
    kind: "decided",
    action: move.action,
    reasoning: move.why,
    memory: { dice: dice.state, policy: plain(move.memory), of: settings.name },
    usage: {
      calls: price.calls,
      input_tokens: price.tokens,
      output_tokens: 0,
      cost_micros: price.micros,
      api_cost_micros: 0,
    },
    waitMs: move.waitMs ?? 0,
    sleep: move.sleep ?? null,
  };
};
