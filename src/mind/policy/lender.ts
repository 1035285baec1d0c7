import { z } from "zod";
import { recall } from "../memory-codec.ts";
import { type Affairs, attend, NO_AFFAIRS } from "./affairs/affairs.ts";
import { learnAffairs } from "./affairs/answers.ts";
import { collect, lend, rescue } from "./affairs/credit.ts";
import { runPump } from "./affairs/fuel.ts";
import { lookUp } from "./affairs/lookup.ts";
import { bidAtMint } from "./affairs/mint-bid.ts";
import { askCustomers } from "./affairs/votes.ts";
import { type Policy, rest } from "./policy.ts";
import { repriceGoods, type Shelf } from "./pricing.ts";

export const lenderSettings = z.strictObject({
  /** What it asks at first for a filling of model budget. */
  fuel_price: z.number().int().min(1).default(10),
  /** How long it sleeps between two looks at its books, in seconds. */
  naps_s: z.number().min(1).default(5),
});
export type LenderSettings = z.infer<typeof lenderSettings>;

type Memory = { readonly affairs: Affairs; readonly shelf: Shelf };
const FRESH: Memory = { affairs: NO_AFFAIRS, shelf: {} };

/**
 * A bank: it lends scrip to those who earn, collects what is due, sells model budget by a pump, and
 * helps up a frozen debtor whose standing still would cost it more.
 */
export const lender = (settings: LenderSettings): Policy<Memory> => ({
  revive: (memory) => recall(memory, FRESH),
  decide: (situation) => {
    const { memory, view } = situation;
    const here = {
      ...situation,
      memory: { ...memory, affairs: learnAffairs(memory.affairs, view) },
    };
    const duties = [
      collect,
      rescue,
      lend,
      runPump(settings.fuel_price),
      bidAtMint(0.2),
      askCustomers,
      lookUp("loans", 8_000),
      lookUp("debts", 20_000),
    ];
    return attend(here, duties) ?? repriceGoods(here) ?? nap(settings, here.memory);
  },
});

const nap = ({ naps_s }: LenderSettings, memory: Memory) => ({
  ...rest(memory, "its books are in order"),
  sleep: { for_ms: Math.round(naps_s * 1_000), until: [] },
});
