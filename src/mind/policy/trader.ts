import { z } from "zod";
import { recall } from "../memory-codec.ts";
import { type Affairs, attend, NO_AFFAIRS } from "./affairs/affairs.ts";
import { affairsSchema } from "./affairs/affairs-schema.ts";
import { informed } from "./affairs/answers.ts";
import { borrow, repay } from "./affairs/credit.ts";
import { buyBargain, sellForCash } from "./affairs/escrow.ts";
import { refuel } from "./affairs/fuel.ts";
import { lookUp } from "./affairs/lookup.ts";
import { bidAtMint } from "./affairs/mint-bid.ts";
import { nap, type Policy, rest } from "./policy.ts";
import { type Stall, shelfSchema, tendGoods } from "./pricing.ts";

export const traderSettings = z
  .strictObject({
    stake: z
      .number()
      .min(0.01)
      .max(1)
      .default(0.35)
      .describe("the part of its scrip that it puts into one purchase"),
    sells_below: z
      .number()
      .int()
      .min(0)
      .default(80)
      .describe("scrip below which it sells what it holds"),
    naps_s: z
      .number()
      .min(1)
      .default(4)
      .describe("how long it sleeps when nothing is worth buying, in seconds"),
  })
  .describe(
    "Buys programs through the escrow for less than they should earn, and sells them again.",
  );
export type TraderSettings = z.infer<typeof traderSettings>;

type Memory = Stall & { readonly affairs: Affairs };
const memorySchema: z.ZodType<Memory> = z.object({
  affairs: affairsSchema,
  shelf: shelfSchema,
  lookedAt: z.number(),
});

const FRESH: Memory = { affairs: NO_AFFAIRS, shelf: {}, lookedAt: 0 };
const LOAN = { below: 30, amount: 40, rate_percent_per_day: 1_500 };

/**
 * Buys programs through the escrow for less than they should earn, runs them at prices that follow
 * demand, and sells them again when it needs the money for something better.
 */
export const trader = (settings: TraderSettings): Policy<Memory> => ({
  revive: (memory) => recall(memory, FRESH, memorySchema),
  decide: (situation) => {
    const here = informed(situation);
    const duties = [
      refuel,
      repay,
      buyBargain(settings.stake),
      bidAtMint(0.3),
      sellForCash(settings.sells_below),
      borrow(LOAN),
      lookUp("listings", 5_000),
    ];
    const chore = attend(here, duties);
    if (chore !== null) return chore;
    const tended = tendGoods(here);
    return tended.move ?? nap(settings, rest(tended.memory, "nothing on sale is worth its price"));
  },
});
