import { z } from "zod";
import { recall } from "../memory-codec.ts";
import { type Affairs, attend, NO_AFFAIRS } from "./affairs/affairs.ts";
import { learnAffairs } from "./affairs/answers.ts";
import { borrow, repay } from "./affairs/credit.ts";
import { buyBargain, sellForCash } from "./affairs/escrow.ts";
import { refuel } from "./affairs/fuel.ts";
import { lookUp } from "./affairs/lookup.ts";
import { bidAtMint } from "./affairs/mint-bid.ts";
import { type Policy, rest } from "./policy.ts";
import { repriceGoods, type Shelf } from "./pricing.ts";

export const traderSettings = z.strictObject({
  /** The part of its scrip that it puts into one purchase. */
  stake: z.number().min(0.01).max(1).default(0.35),
  /** Scrip below which it sells what it holds. */
  sells_below: z.number().int().min(0).default(80),
  /** How long it sleeps when nothing is worth buying, in seconds. */
  naps_s: z.number().min(1).default(4),
});
export type TraderSettings = z.infer<typeof traderSettings>;

type Memory = { readonly affairs: Affairs; readonly shelf: Shelf };
const FRESH: Memory = { affairs: NO_AFFAIRS, shelf: {} };
const LOAN = { below: 30, amount: 40, rate_percent_per_day: 1_500 };

/**
 * Buys programs through the escrow for less than they should earn, runs them at prices that follow
 * demand, and sells them again when it needs the money for something better.
 */
export const trader = (settings: TraderSettings): Policy<Memory> => ({
  revive: (memory) => recall(memory, FRESH),
  decide: (situation) => {
    const { memory, view } = situation;
    const here = {
      ...situation,
      memory: { ...memory, affairs: learnAffairs(memory.affairs, view) },
    };
    const duties = [
      refuel,
      repay,
      buyBargain(settings.stake),
      bidAtMint(0.3),
      sellForCash(settings.sells_below),
      borrow(LOAN),
      lookUp("listings", 5_000),
    ];
    return attend(here, duties) ?? repriceGoods(here) ?? nap(settings, here.memory);
  },
});

const nap = ({ naps_s }: TraderSettings, memory: Memory) => ({
  ...rest(memory, "nothing on sale is worth its price"),
  sleep: { for_ms: Math.round(naps_s * 1_000), until: [] },
});
