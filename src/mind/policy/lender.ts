import { z } from "zod";
import { recall } from "../memory-codec.ts";
import { type Affairs, attend, NO_AFFAIRS } from "./affairs/affairs.ts";
import { affairsSchema } from "./affairs/affairs-schema.ts";
import { informed } from "./affairs/answers.ts";
import { collect, lend, rescue } from "./affairs/credit.ts";
import { runPump } from "./affairs/fuel.ts";
import { lookUp } from "./affairs/lookup.ts";
import { bidAtMint } from "./affairs/mint-bid.ts";
import { askCustomers } from "./affairs/votes.ts";
import { nap, type Policy, rest } from "./policy.ts";

export const lenderSettings = z
  .strictObject({
    fuel_price: z
      .number()
      .int()
      .min(1)
      .default(10)
      .describe("what it asks at first for a filling of model budget, in scrip"),
    naps_s: z
      .number()
      .min(1)
      .default(5)
      .describe("how long it sleeps between two looks at its books, in seconds"),
  })
  .describe("A bank: lends scrip to those who earn, collects what is due, and sells model budget.");
export type LenderSettings = z.infer<typeof lenderSettings>;

type Memory = { readonly affairs: Affairs };
const memorySchema: z.ZodType<Memory> = z.object({ affairs: affairsSchema });

const FRESH: Memory = { affairs: NO_AFFAIRS };

/**
 * A bank: it lends scrip to those who earn, collects what is due, sells model budget by a pump at a
 * price that its customers vote on, and helps up a frozen debtor whose standing still would cost it
 * more.
 */
export const lender = (settings: LenderSettings): Policy<Memory> => ({
  revive: (memory) => recall(memory, FRESH, memorySchema),
  decide: (situation) => {
    const here = informed(situation);
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
    return attend(here, duties) ?? nap(settings, rest(here.memory, "its books are in order"));
  },
});
