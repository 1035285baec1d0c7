import { z } from "zod";
import { consume, consumerMemory, learned, NO_NEEDS } from "./consumption.ts";
import {
  consumesSetting,
  definePolicy,
  idle,
  setting,
  sleepSetting,
  thenSleep,
} from "./core/policy.ts";
import { orderCompute } from "./duties/compute.ts";
import { collect, lend, rescue } from "./duties/credit.ts";
import { lookUp, performDuty } from "./duties/duty.ts";
import { NO_DUTIES } from "./duties/duty-memory.ts";
import { runPump } from "./duties/fuel.ts";
import { bidAtMint } from "./duties/mint.ts";
import { askCustomers } from "./duties/votes.ts";

/** A bank whose customers vote on the price of its model budget. */
export const lender = definePolicy({
  settings: z
    .strictObject({
      fuel_price: setting(
        z.int().min(1),
        10,
        "its first price for one portion of model budget, in scrip",
      ),
      consumes: consumesSetting(0.15),
      sleep_s: sleepSetting(5, "it has nothing to do"),
    })
    .describe("A bank: lends scrip to agents that earn, collects debts, and sells model budget."),
  memory: z.object(consumerMemory),
  fresh: { needs: NO_NEEDS, duties: NO_DUTIES },
  decide: (situation, settings) => {
    const here = learned(situation);
    const duties = [
      orderCompute,
      collect,
      rescue,
      lend,
      runPump(settings.fuel_price),
      bidAtMint(0.2),
      askCustomers,
      lookUp("loans", 8_000),
      lookUp("debts", 20_000),
    ];
    return (
      performDuty(here, duties) ??
      consume(here, settings.consumes) ??
      thenSleep(idle(here.memory, "its books are in order"), settings)
    );
  },
});
