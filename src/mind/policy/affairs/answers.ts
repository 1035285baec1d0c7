import { z } from "zod";
import { jsonIn, type View } from "../../../kernel/index.ts";
import type { Situation } from "../policy.ts";
import type { Affairs } from "./affairs.ts";

/** An artifact on sale through the escrow. */
export const listing = z.object({
  artifact: z.string(),
  seller: z.string(),
  price: z.number(),
  buyer: z.string().nullable(),
  description: z.string(),
  revenue: z.number(),
  created_at: z.number(),
  expires_at_ms: z.number(),
});
export type Listing = z.infer<typeof listing>;

/** A loan as `genesis_debt_contract` tells of it. */
export const loan = z.object({
  debt_id: z.string(),
  debtor: z.string(),
  creditor: z.string().nullable(),
  status: z.string(),
  amount: z.number(),
  owed: z.number(),
  due_at_ms: z.number().nullable(),
  rate_percent_per_day: z.number(),
});
export type Loan = z.infer<typeof loan>;

/** A program that sells model budget. */
export const pump = z.object({ id: z.string(), price: z.number(), description: z.string() });
export type Pump = z.infer<typeof pump>;

/** A question put to the vote. */
export const proposal = z.object({
  proposal_id: z.string(),
  by: z.string(),
  votes: z.array(z.object({ option: z.string() })),
});
export type Proposal = z.infer<typeof proposal>;

const made = z.object({ proposal_id: z.string(), deadline_ms: z.number() });
const result = z.object({ passed: z.boolean() });
const ballots = z.object({ proposals: z.array(proposal) });
const board = z.object({ messages: z.array(z.object({ id: z.number(), text: z.string() })) });

const listings = z.object({ listings: z.array(listing), next: z.number().nullable() });
const loans = z.object({ debts: z.array(loan) });
const debts = z.array(loan);
const pumps = z.array(pump);

/** How long an empty pump is left alone. */
const DRY_MS = 90_000;

/** What is not of the shape expected tells nothing. */
const read = <Shape>(schema: z.ZodType<Shape>, answer: unknown): Shape | null =>
  schema.safeParse(answer).data ?? null;

/** The situation of a policy that has read what it asked. */
export const informed = <Memory extends { readonly affairs: Affairs }>(
  situation: Situation<Memory>,
): Situation<Memory> => {
  const { memory, view } = situation;
  const affairs = learnAffairs(memory.affairs, view);
  return { ...situation, memory: { ...memory, affairs } };
};

/** Reads the answer to what was asked, if it came whole; an answer is read once. */
export const learnAffairs = (before: Affairs, view: View): Affairs => {
  const { last } = view.agent;
  const affairs = { ...before, fuelling: false };
  if (before.fuelling && last?.ok === false) {
    return { ...affairs, pumps: [], dryUntilMs: view.now + DRY_MS };
  }
  const { asked } = affairs;
  if (asked === null) return affairs;
  const known = { ...affairs, asked: null };
  if (last?.ok !== true || last.result === null || last.cut) return known;
  const answer = jsonIn(last.result);
  switch (asked) {
    case "listings": {
      const page = read(listings, answer);
      return { ...known, listings: page?.listings ?? [], page: page?.next ?? null };
    }
    case "loans":
      return { ...known, loans: read(loans, answer)?.debts ?? [] };
    case "debts":
      return { ...known, debts: read(debts, answer) ?? [] };
    case "fuel":
      return { ...known, pumps: read(pumps, answer) ?? [] };
    case "ballots":
      return { ...known, ballots: read(ballots, answer)?.proposals ?? [] };
    case "proposal": {
      const own = read(made, answer);
      if (own === null) return known;
      const { proposal_id, deadline_ms: ends_ms } = own;
      return { ...known, ballot: { proposal_id, ends_ms, passed: null } };
    }
    case "ballot": {
      const passed = read(result, answer)?.passed ?? false;
      const { ballot } = known;
      return ballot === null ? known : { ...known, ballot: { ...ballot, passed } };
    }
    case "board": {
      const messages = read(board, answer)?.messages ?? [];
      const heardUpTo = messages.at(-1)?.id ?? known.heardUpTo;
      return { ...known, heard: messages.map(({ text }) => text).join(" "), heardUpTo };
    }
  }
};
