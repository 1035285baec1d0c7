import { z } from "zod";
import { consume, consumerMemory, learned, NO_NEEDS } from "./consumption.ts";
import {
  consumesSetting,
  definePolicy,
  idle,
  richSetting,
  setting,
  sleepSetting,
  thenSleep,
} from "./core/policy.ts";
import { haveChild } from "./duties/children.ts";
import { orderCompute } from "./duties/compute.ts";
import { borrow, repay } from "./duties/credit.ts";
import { lookUp, performDuty } from "./duties/duty.ts";
import { NO_DUTIES } from "./duties/duty-memory.ts";
import { buyBargain, sellForCash } from "./duties/escrow.ts";
import { refuel } from "./duties/fuel.ts";
import { bidAtMint } from "./duties/mint.ts";
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
      consumes: consumesSetting(0.15),
      rich_at: richSetting,
      sleep_s: sleepSetting(4, "nothing is worth buying"),
    })
    .describe("Buys programs through the escrow for less than they should earn, and resells them."),
  memory: z.object({ ...consumerMemory, sales: salesSchema, reviewedAt: z.number() }),
  fresh: { needs: NO_NEEDS, duties: NO_DUTIES, sales: {}, reviewedAt: 0 },
  decide: (situation, settings) => {
    const here = learned(situation);
    const duties = [
      orderCompute,
      refuel,
      repay,
      buyBargain(settings.stake),
      bidAtMint(0.3),
      sellForCash(settings.sells_below),
      borrow(LOAN),
      haveChild(settings.rich_at, { mind: "policy/trader" }),
      lookUp("listings", 5_000),
    ];
    const duty = performDuty(here, duties);
    if (duty !== null) return duty;
    const { view } = here;
    const programs = view.owned.filter(({ methods }) => methods.length > 0);
    const { memory, good, verdict } = reviewInTurn(here, programs, { everyMs: REVIEW_EVERY_MS });
    const move =
      good === undefined || verdict.kind !== "reprice"
        ? null
        : reprice({ view, memory }, good, verdict.price);
    return (
      move ??
      consume({ ...here, memory }, settings.consumes) ??
      thenSleep(idle(memory, "nothing on sale is worth its price"), settings)
    );
  },
});
