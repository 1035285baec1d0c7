import { z } from "zod";
import { recall } from "../memory-codec.ts";
import { type Needs, NO_NEEDS, noteMiss, runErrand, settleErrand } from "./errand.ts";
import { type Move, type Policy, rest, type Situation } from "./policy.ts";

export const explorerSettings = z.strictObject({
  /** Asked for reading its list of what is wanted, and its reviews. */
  read_price: z.number().int().min(0).max(50).default(1),
  /** How often it publishes what it knows, in seconds. */
  publishes_every_s: z.number().min(1).default(20),
});
export type ExplorerSettings = z.infer<typeof explorerSettings>;

type Memory = { readonly needs: Needs; readonly publishedAt: number; readonly turn: number };

const FRESH: Memory = { needs: NO_NEEDS, publishedAt: 0, turn: 0 };

/**
 * A customer: it tries what the market has, pays for what is worth it, remembers who can be
 * trusted, and earns a little by publishing what it looked for in vain and what it found good.
 */
export const explorer = (settings: ExplorerSettings): Policy<Memory> => ({
  revive: (memory) => recall(memory, FRESH),
  decide: (situation) => {
    const needs = noteMiss(settleErrand(situation.memory.needs, situation), situation);
    const here = { ...situation, memory: { ...situation.memory, needs } };
    return publish(settings, here) ?? shop(here) ?? rest(here.memory, "nothing is worth its price");
  },
});

type Here = Situation<Memory>;

const shop = (here: Here): Move<Memory> | null => {
  const errand = runErrand(here.memory.needs, here);
  if (errand === null) return null;
  return {
    action: errand.action,
    why: errand.why,
    memory: { ...here.memory, needs: errand.needs },
  };
};

/** Its two notes are written in turn: a list of what is missing, a list of what is good. */
const publish = (settings: ExplorerSettings, here: Here): Move<Memory> | null => {
  const { view, memory } = here;
  if (view.now - memory.publishedAt < settings.publishes_every_s * 1000) return null;
  const wanted = memory.turn % 2 === 0;
  const content = wanted ? memory.needs.missed.join("\n") : review(memory.needs);
  const next = { ...memory, publishedAt: view.now, turn: memory.turn + 1 };
  if (content === "") return null;
  const kind = wanted ? "wanted" : "review";
  const action = {
    write_artifact: {
      artifact_id: `${view.id}_${kind}`,
      artifact_type: kind,
      content,
      read_price: settings.read_price,
    },
  };
  return {
    action,
    why: `others may pay to read what is ${wanted ? "missing" : "good"}`,
    memory: next,
  };
};

const review = (needs: Needs): string =>
  Object.entries(needs.trust)
    .map(([artifact, standing]) => `${artifact}: ${standing > 0 ? "good" : "poor"} (${standing})`)
    .join("\n");
