import { z } from "zod";
import { recall } from "../memory-codec.ts";
import { type Affairs, attend, call, NO_AFFAIRS } from "./affairs/affairs.ts";
import { affairsSchema } from "./affairs/affairs-schema.ts";
import { learnAffairs } from "./affairs/answers.ts";
import { refuel } from "./affairs/fuel.ts";
import { postTask } from "./affairs/tasks.ts";
import { castVote } from "./affairs/votes.ts";
import { type Needs, NO_NEEDS, needsSchema, noteMiss, settleErrand, shop } from "./errand.ts";
import { type Move, type Policy, possible, rest, type Situation } from "./policy.ts";

export const explorerSettings = z
  .strictObject({
    read_price: z
      .number()
      .int()
      .min(0)
      .max(50)
      .default(1)
      .describe("scrip asked for reading its list of what is wanted, and its reviews"),
    publishes_every_s: z
      .number()
      .min(1)
      .default(20)
      .describe("how often it publishes what it knows, in seconds"),
    reward_share: z
      .number()
      .min(0)
      .max(1)
      .default(0.15)
      .describe("the part of its scrip that it offers as a reward for what it cannot find"),
    partner: z
      .string()
      .nullable()
      .default(null)
      .describe("who gets a fee of 1 from each reader of its notes, by a contract; null: nobody"),
  })
  .describe(
    "A customer: tries what the market has, pays for what is worth it, publishes what it found.",
  );
export type ExplorerSettings = z.infer<typeof explorerSettings>;

type Memory = {
  readonly needs: Needs;
  readonly publishedAt: number;
  readonly turn: number;
  readonly affairs: Affairs;
};

const memorySchema: z.ZodType<Memory> = z.object({
  needs: needsSchema,
  publishedAt: z.number(),
  turn: z.number(),
  affairs: affairsSchema,
});

const FRESH: Memory = { needs: NO_NEEDS, publishedAt: 0, turn: 0, affairs: NO_AFFAIRS };

/**
 * A customer: it tries what the market has, pays for what is worth it, remembers who can be
 * trusted, and earns a little by publishing what it looked for in vain and what it found good.
 */
export const explorer = (settings: ExplorerSettings): Policy<Memory> => ({
  revive: (memory) => recall(memory, FRESH, memorySchema),
  decide: (situation) => {
    const needs = noteMiss(settleErrand(situation.memory.needs, situation), situation);
    const affairs = learnAffairs(situation.memory.affairs, situation.view);
    const here = { ...situation, memory: { ...situation.memory, needs, affairs } };
    const duties = [refuel, postTask(needs.missed, settings.reward_share), castVote(40_000)];
    return (
      attend(here, duties) ??
      possible(here.view, publish(settings, here)) ??
      shop(here) ??
      rest(here.memory, "nothing is worth its price")
    );
  },
});

type Here = Situation<Memory>;

/** Its two notes are written in turn: a list of what is missing, a list of what is good. */
const publish = (settings: ExplorerSettings, here: Here): Move<Memory> | null => {
  const { view, memory } = here;
  if (view.now - memory.publishedAt < settings.publishes_every_s * 1000) return null;
  const wanted = memory.turn % 2 === 0;
  const content = wanted ? memory.needs.missed.join("\n") : review(memory.needs);
  const next = { ...memory, publishedAt: view.now, turn: memory.turn + 1 };
  if (content === "") return null;
  const kind = wanted ? "wanted" : "review";
  const why = `others may pay to read what is ${wanted ? "missing" : "good"}`;
  if (wanted && settings.read_price === 0) {
    const text = memory.needs.missed.join(" ");
    return { action: call("genesis_board.post", ["wanted", text]), why, memory: next };
  }
  const contract = `${view.id}_terms`;
  const { partner } = settings;
  if (partner !== null && view.owned.every(({ id }) => id !== contract)) {
    const code = FEE_CONTRACT(partner);
    const write_artifact = { artifact_id: contract, artifact_type: "contract", code };
    return { action: { write_artifact }, why: `${partner} helps with the notes`, memory };
  }
  const note = {
    artifact_id: `${view.id}_${kind}`,
    artifact_type: kind,
    content,
    read_price: settings.read_price,
    ...(partner === null ? {} : { access: contract }),
  };
  return { action: { write_artifact: note }, why, memory: next };
};

/** Anybody may read for a fee that goes to a third party; the rest is the owner's. */
const FEE_CONTRACT = (
  partner: string,
): string => `function check_permission({ caller, verb, owner }) {
  if (caller === owner) return { allowed: true };
  if (verb !== "read") return { allowed: false, reason: "only its owner does that" };
  return { allowed: true, cost: 1, recipient: ${JSON.stringify(partner)} };
}`;

const review = (needs: Needs): string =>
  Object.entries(needs.trust)
    .map(([artifact, standing]) => `${artifact}: ${standing > 0 ? "good" : "poor"} (${standing})`)
    .join("\n");
