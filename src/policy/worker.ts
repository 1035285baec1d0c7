import { z } from "zod";
import { consume, consumerMemory, learned, NO_NEEDS } from "./consumption.ts";
import {
  consumesSetting,
  definePolicy,
  idle,
  richSetting,
  sleepSetting,
  thenSleep,
} from "./core/policy.ts";
import { haveChild } from "./duties/children.ts";
import { orderCompute } from "./duties/compute.ts";
import { borrow, repay } from "./duties/credit.ts";
import { performDuty } from "./duties/duty.ts";
import { NO_DUTIES } from "./duties/duty-memory.ts";
import { refuel } from "./duties/fuel.ts";
import { bidAtMint, solveTask } from "./duties/mint.ts";

const LOAN = { below: 15, amount: 25, rate_percent_per_day: 2_000 };
const DUTIES = [orderCompute, refuel, repay, solveTask, bidAtMint(0.3), borrow(LOAN)];

const CHILD = { mind: "policy/worker" };

/** Earns scrip from tasks. If the worker has nothing to do, it sleeps until a task is posted. */
export const worker = definePolicy({
  settings: z
    .strictObject({
      consumes: consumesSetting(0.15),
      rich_at: richSetting,
      sleep_s: sleepSetting(10, "there is no work; a new task wakes it"),
    })
    .describe(
      "Solves tasks: it writes the program that a task asks for, submits it, and also sells it.",
    ),
  memory: z.object(consumerMemory),
  fresh: { needs: NO_NEEDS, duties: NO_DUTIES },
  decide: (situation, settings) => {
    const here = learned(situation);
    const resting = idle(here.memory, "there is no task that it can solve");
    return (
      performDuty(here, [...DUTIES, haveChild(settings.rich_at, CHILD)]) ??
      consume(here, settings.consumes) ??
      thenSleep(resting, settings, [{ event: "task_posted" }])
    );
  },
});
