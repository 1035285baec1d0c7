import { z } from "zod";
import { orderCompute } from "./duties/compute.ts";
import { borrow, repay } from "./duties/credit.ts";
import { lookUp, performDuty } from "./duties/duty.ts";
import { dutyMemory, informed, NO_DUTIES } from "./duties/duty-memory.ts";
import { buyBargain, sellForCash } from "./duties/escrow.ts";
import { refuel } from "./duties/fuel.ts";
import { bidAtMint } from "./duties/mint.ts";
import { definePolicy, idle, setting, sleepSetting, thenSleep } from "./policy.ts";
import { reprice, reviewInTurn, salesSchema } from "./pricing.ts";

const REVIEW_EVERY_MS = 8_000;
const LOAN = { below: 30, amount: 40, rate_percent_per_day: 1_500 };

export const trader = definePolicy({
  settings: z
    .strictObject({
      stake: setting(
        z.number().min(0.01).max(1),
        0.35,
        "the share of its scrip that it puts into one purchase",
      ),
      sells_below: setting(
        z.int().min(0),
        80,
        "it sells its programs when it has less scrip than this",
      ),
      sleep_s: sleepSetting(4, "nothing is worth buying"),
    })
    .describe("Buys programs through the escrow for less than they should earn, and resells them."),
  memory: z.object({ duties: dutyMemory, sales: salesSchema, reviewedAt: z.number() }),
  fresh: { duties: NO_DUTIES, sales: {}, reviewedAt: 0 },
  decide: (situation, settings) => {
    const here = informed(situation);
    const duties = [
      orderCompute,
      refuel,
      repay,
      buyBargain(settings.stake),
      bidAtMint(0.3),
      sellForCash(settings.sells_below),
      borrow(LOAN),
      lookUp("listings", 5_000),
    ];
    const move = performDuty(here, duties);
    if (move !== null) return move;
    const { view } = here;
    const programs = view.owned.filter(({ methods }) => methods.length > 0);
    const { memory, good, verdict } = reviewInTurn(here, programs, { everyMs: REVIEW_EVERY_MS });
    const resting = thenSleep(idle(memory, "nothing on sale is worth its price"), settings);
    if (good === undefined || verdict.kind !== "reprice") return resting;
    return reprice({ view, memory }, good, verdict.price) ?? resting;
  },
});
