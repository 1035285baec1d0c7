import { z } from "zod";
import { consumerMemory, learned, type Needs, NO_NEEDS, noteMiss, shop } from "./consumption.ts";
import {
  call,
  definePolicy,
  idle,
  type Move,
  possible,
  type Situation,
  setting,
  share,
} from "./core/policy.ts";
import { orderCompute } from "./duties/compute.ts";
import { performDuty } from "./duties/duty.ts";
import { NO_DUTIES } from "./duties/duty-memory.ts";
import { refuel } from "./duties/fuel.ts";
import { postTask } from "./duties/mint.ts";
import { castVote } from "./duties/votes.ts";

const settings = z
  .strictObject({
    read_price: setting(
      z.int().min(0).max(50),
      1,
      "the scrip that a reader pays for its notes; 0: it posts its notes on the board for free",
    ),
    publishes_every_s: setting(
      z.number().min(1),
      20,
      "the number of seconds between two publications of its notes",
    ),
    reward_share: setting(
      share,
      0.15,
      "the largest share of its scrip that it offers as a reward for a missing program",
    ),
    partner: setting(
      z.string().nullable(),
      null,
      "the agent that gets a fee of 1 scrip from each reader of its notes; null: no agent",
    ),
  })
  .describe(
    "A customer: tries programs, buys those worth their price, and publishes what it found.",
  );

const memory = z.object({ ...consumerMemory, publishedAt: z.number(), turn: z.number() });
type Memory = z.infer<typeof memory>;

/** A customer that also publishes which programs are missing and which are good. */
export const explorer = definePolicy({
  settings,
  memory,
  fresh: { needs: NO_NEEDS, publishedAt: 0, turn: 0, duties: NO_DUTIES },
  decide: (situation, chosen) => {
    const { memory: known, ...seen } = learned(situation);
    const needs = noteMiss(known.needs, seen);
    const here = { ...seen, memory: { ...known, needs } };
    const duties = [
      orderCompute,
      refuel,
      postTask(needs.missed, chosen.reward_share),
      castVote(40_000),
    ];
    return (
      performDuty(here, duties) ??
      possible(here.view, publish(chosen, here)) ??
      shop(here) ??
      idle(here.memory, "nothing is worth its price")
    );
  },
});

/** Publishes two notes in turn: one lists missing programs, the other rates programs. */
const publish = (
  { read_price, publishes_every_s, partner }: z.infer<typeof settings>,
  { view, memory: before }: Situation<Memory>,
): Move<Memory> | null => {
  if (view.now - before.publishedAt < publishes_every_s * 1000) return null;
  const isList = before.turn % 2 === 0;
  const { missed } = before.needs;
  const content = isList ? missed.join("\n") : review(before.needs);
  if (content === "") return null;
  const after = { ...before, publishedAt: view.now, turn: before.turn + 1 };
  const why = `others may pay to read what is ${isList ? "missing" : "good"}`;
  if (isList && read_price === 0) {
    return { action: call("genesis_board.post", ["wanted", missed.join(" ")]), why, memory: after };
  }
  const contract = `${view.id}_terms`;
  if (partner !== null && view.owned.every(({ id }) => id !== contract)) {
    const code = feeContract(partner);
    const write_artifact = { artifact_id: contract, artifact_type: "contract", code };
    return { action: { write_artifact }, why: `${partner} shares in the notes`, memory: before };
  }
  const kind = isList ? "wanted" : "review";
  const note = {
    artifact_id: `${view.id}_${kind}`,
    artifact_type: kind,
    content,
    read_price,
    ...(partner === null ? {} : { access: contract }),
  };
  return { action: { write_artifact: note }, why, memory: after };
};

const feeContract = (
  partner: string,
): string => `function check_permission({ caller, verb, owner }) {
  if (caller === owner) return { allowed: true };
  if (verb !== "read") return { allowed: false, reason: "only its owner does that" };
  return { allowed: true, cost: 1, recipient: ${JSON.stringify(partner)} };
}`;

const review = ({ trust }: Needs): string =>
  Object.entries(trust)
    .map(([artifact, rating]) => `${artifact}: ${rating > 0 ? "good" : "poor"} (${rating})`)
    .join("\n");
