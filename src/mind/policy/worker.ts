import { z } from "zod";
import { recall } from "../memory-codec.ts";
import { type Affairs, attend, NO_AFFAIRS } from "./affairs/affairs.ts";
import { affairsSchema } from "./affairs/affairs-schema.ts";
import { informed } from "./affairs/answers.ts";
import { borrow, repay } from "./affairs/credit.ts";
import { refuel } from "./affairs/fuel.ts";
import { bidAtMint } from "./affairs/mint-bid.ts";
import { solveTask } from "./affairs/tasks.ts";
import { type Needs, NO_NEEDS, needsSchema, settleErrand, shop } from "./errand.ts";
import { nap, type Policy, rest } from "./policy.ts";

export const workerSettings = z
  .strictObject({
    consumes: z
      .number()
      .min(0)
      .max(1)
      .default(0.15)
      .describe("how much of its time it spends as a customer"),
    naps_s: z
      .number()
      .min(1)
      .default(10)
      .describe("how long it sleeps when there is no work, unless some is posted, in seconds"),
  })
  .describe(
    "Lives on tasks: writes the program that a task asks for, has it tested, and sells it on.",
  );
export type WorkerSettings = z.infer<typeof workerSettings>;

type Memory = { readonly needs: Needs; readonly affairs: Affairs };
const memorySchema: z.ZodType<Memory> = z.object({ needs: needsSchema, affairs: affairsSchema });

const FRESH: Memory = { needs: NO_NEEDS, affairs: NO_AFFAIRS };

/**
 * Lives on tasks: writes the program that a task asks for, has it tested, and sells it on
 * afterwards. Without work it sleeps until some is posted.
 */
export const worker = (settings: WorkerSettings): Policy<Memory> => ({
  revive: (memory) => recall(memory, FRESH, memorySchema),
  decide: (situation) => {
    const needs = settleErrand(situation.memory.needs, situation);
    const before = informed(situation);
    const here = { ...before, memory: { ...before.memory, needs } };
    const resting = rest(here.memory, "there is no work that it can do");
    return (
      attend(here, [refuel, repay, solveTask, bidAtMint(0.3), borrow(LOAN)]) ??
      (here.dice.chance(settings.consumes) ? shop(here) : null) ??
      nap(settings, resting, [{ event: "task_posted" }])
    );
  },
});

const LOAN = { below: 15, amount: 25, rate_percent_per_day: 2_000 };
