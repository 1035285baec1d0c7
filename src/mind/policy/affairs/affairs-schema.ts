import { z } from "zod";
import { lasting } from "../../memory-codec.ts";
import { type Affairs, LOOKUPS } from "./affairs.ts";
import { listing, loan, proposal, pump } from "./answers.ts";

const names = lasting(z.array(z.string()));

/** What a policy remembers of its affairs, as it comes back from a journal or a checkpoint. */
export const affairsSchema: z.ZodType<Affairs> = lasting(
  z.object({
    asked: z.enum(LOOKUPS).nullable(),
    askedAt: lasting(z.partialRecord(z.enum(LOOKUPS), z.number())),
    listings: lasting(z.array(listing)),
    page: z.number().nullable(),
    loans: lasting(z.array(loan)),
    debts: lasting(z.array(loan)),
    pumps: lasting(z.array(pump)),
    ballots: lasting(z.array(proposal)),
    voted: names,
    ballot: z
      .object({ proposal_id: z.string(), ends_ms: z.number(), passed: z.boolean().nullable() })
      .nullable(),
    heard: z.string(),
    heardUpTo: z.number(),
    bids: lasting(z.record(z.string(), z.number())),
    tried: lasting(z.record(z.string(), names)),
    offered: names,
    filled: z.number(),
    fuelling: z.boolean(),
    dryUntilMs: z.number(),
    hasGranted: z.boolean(),
    borrowedAt: z.number(),
    postedAt: z.number(),
    posted: names,
    children: z.number(),
  }),
);
