import { z } from "zod";
import { recall } from "../memory-codec.ts";
import { type Affairs, attend, NO_AFFAIRS } from "./affairs/affairs.ts";
import { learnAffairs } from "./affairs/answers.ts";
import { borrow, repay } from "./affairs/credit.ts";
import { refuel } from "./affairs/fuel.ts";
import { bidAtMint } from "./affairs/mint-bid.ts";
import { solveTask } from "./affairs/tasks.ts";
import { type Needs, NO_NEEDS, runErrand, settleErrand } from "./errand.ts";
import { type Move, type Policy, rest, type Situation } from "./policy.ts";

export const workerSettings = z.strictObject({
  /** How much of its time it spends as a customer. */
  consumes: z.number().min(0).max(1).default(0.15),
  /** How long it sleeps when there is no work, unless some is posted, in seconds. */
  naps_s: z.number().min(1).default(10),
});
export type WorkerSettings = z.infer<typeof workerSettings>;

type Memory = { readonly needs: Needs; readonly affairs: Affairs };
const FRESH: Memory = { needs: NO_NEEDS, affairs: NO_AFFAIRS };

/**
 * Lives on tasks: writes the program that a task asks for, has it tested, and sells it on
 * afterwards. Without work it sleeps until some is posted.
 */
export const worker = (settings: WorkerSettings): Policy<Memory> => ({
  revive: (memory) => recall(memory, FRESH),
  decide: (situation) => {
    const { memory, view } = situation;
    const needs = settleErrand(memory.needs, situation);
    const affairs = learnAffairs(memory.affairs, view);
    const here = { ...situation, memory: { needs, affairs } };
    return (
      attend(here, [refuel, repay, solveTask, bidAtMint(0.3), borrow(LOAN)]) ??
      shop(settings, here) ??
      nap(settings, here.memory)
    );
  },
});

const LOAN = { below: 15, amount: 25, rate_percent_per_day: 2_000 };

const shop = (settings: WorkerSettings, here: Situation<Memory>): Move<Memory> | null => {
  if (!here.dice.chance(settings.consumes)) return null;
  const errand = runErrand(here.memory.needs, here);
  if (errand === null) return null;
  const { action, why, needs } = errand;
  return { action, why, memory: { ...here.memory, needs } };
};

const nap = ({ naps_s }: WorkerSettings, memory: Memory): Move<Memory> => ({
  ...rest(memory, "there is no work that it can do"),
  sleep: { for_ms: Math.round(naps_s * 1_000), until: [{ event: "task_posted" }] },
});
