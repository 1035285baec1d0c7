import { z } from "zod";
import { jsonIn, type View } from "../../kernel/index.ts";
import { checkedOnce } from "../../mind/index.ts";
import type { Frozen } from "../../model/index.ts";
import type { Situation } from "../core/policy.ts";

/** An artifact on sale through the escrow. */
const listing = z.object({
  artifact: z.string(),
  seller: z.string(),
  price: z.number(),
  buyer: z.string().nullable(),
  description: z.string(),
  revenue: z.number(),
  created_at: z.number(),
  expires_at_ms: z.number(),
});
export type EscrowListing = z.infer<typeof listing>;

const loan = z.object({
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
const pump = z.object({ id: z.string(), price: z.number(), description: z.string() });

const proposal = z.object({
  proposal_id: z.string(),
  by: z.string(),
  votes: z.array(z.object({ option: z.string() })),
});

/** What an agent can look up in the standard library, with one action for each lookup. */
const LOOKUPS = [
  "listings",
  "loans",
  "debts",
  "debtor",
  "fuel",
  "ballots",
  "proposal",
  "ballot",
  "board",
] as const;
export type Lookup = (typeof LOOKUPS)[number];

const names = checkedOnce(z.array(z.string()));

const shape = z.object({
  asked: z.enum(LOOKUPS).nullable(),
  askedAt: checkedOnce(z.partialRecord(z.enum(LOOKUPS), z.number())),
  listings: checkedOnce(z.array(listing)),
  /** Where the next page of listings starts, or null for the first page. */
  page: z.number().nullable(),
  loans: checkedOnce(z.array(loan)),
  debts: checkedOnce(z.array(loan)),
  /** The model budget that a debtor had when the agent last looked. */
  debtor: z.object({ id: z.string(), micros: z.number() }).nullable(),
  pumps: checkedOnce(z.array(pump)),
  /** Open proposals. `voted` holds the ids of proposals that the agent has voted on. */
  ballots: checkedOnce(z.array(proposal)),
  voted: names,
  /** The agent's own proposal. `passed` is null until the result of the vote is known. */
  ballot: z
    .object({ proposal_id: z.string(), ends_ms: z.number(), passed: z.boolean().nullable() })
    .nullable(),
  /** The messages last read from the board. `boardReadTo` is the number of the last message. */
  boardText: z.string(),
  boardReadTo: z.number(),
  /** The revenue that each artifact had when the agent last used the artifact in a mint bid. */
  bids: checkedOnce(z.record(z.string(), z.number())),
  /** The names of the programs tried for each task. */
  tried: checkedOnce(z.record(z.string(), names)),
  offered: names,
  /** The micro-dollars of model budget put into the agent's pump so far. */
  filled: z.number(),
  /** True if the last action buys model budget. A failed purchase is repeated at `dryUntilMs`. */
  refuelling: z.boolean(),
  dryUntilMs: z.number(),
  hasGranted: z.boolean(),
  borrowedAt: z.number(),
  postedAt: z.number(),
  posted: names,
  children: z.number(),
  childAt: z.number(),
  /** All scrip that the agent gained between two thoughts, and what it had at the last thought. */
  earned: z.number(),
  wealth: z.number().nullable(),
  /** The time of the first thought, in ms. */
  firstAt: z.number().nullable(),
  /** The most thoughts per ms so far, which is how fast the agent thinks if it has budget. */
  pace: z.number(),
  /** When the agent last set its standing order for model budget, in ms. */
  orderedAt: z.number(),
});

export type DutyMemory = Frozen<z.infer<typeof shape>>;
export const dutyMemory: z.ZodType<DutyMemory> = checkedOnce<DutyMemory>(shape);

export const NO_DUTIES: DutyMemory = {
  asked: null,
  askedAt: {},
  listings: [],
  page: null,
  loans: [],
  debts: [],
  debtor: null,
  pumps: [],
  ballots: [],
  voted: [],
  ballot: null,
  boardText: "",
  boardReadTo: 0,
  bids: {},
  tried: {},
  offered: [],
  filled: 0,
  refuelling: false,
  dryUntilMs: 0,
  hasGranted: false,
  borrowedAt: -1_000_000,
  postedAt: 0,
  posted: [],
  children: 0,
  childAt: -1_000_000,
  earned: 0,
  wealth: null,
  firstAt: null,
  pace: 0,
  orderedAt: -1_000_000,
};

const DRY_MS = 90_000;

export const informed = <Memory extends { readonly duties: DutyMemory }>(
  situation: Situation<Memory>,
): Situation<Memory> => {
  const { memory, view } = situation;
  const duties = withAnswer(withEarnings(memory.duties, view), view);
  return { ...situation, memory: { ...memory, duties } };
};

/** The first part of a life says little about the pace of an agent. */
const PACE_FROM_MS = 20_000;

const withEarnings = (before: DutyMemory, { account, agent, now }: View): DutyMemory => {
  const wealth = account.scrip + account.held;
  const gain = Math.max(0, wealth - (before.wealth ?? wealth));
  const firstAt = before.firstAt ?? now;
  const age = now - firstAt;
  const pace = age < PACE_FROM_MS ? 0 : agent.counters.thoughts / age;
  return {
    ...before,
    earned: before.earned + gain,
    wealth,
    firstAt,
    pace: Math.max(before.pace, pace),
  };
};

/** Stores the answer to the last question. An answer of an unknown shape counts as empty. */
const withAnswer = (before: DutyMemory, view: View): DutyMemory => {
  const { last } = view.agent;
  const duties = { ...before, refuelling: false };
  if (before.refuelling && last?.ok === false) {
    return { ...duties, pumps: [], dryUntilMs: view.now + DRY_MS };
  }
  const { asked } = duties;
  if (asked === null) return duties;
  const known = { ...duties, asked: null };
  if (last?.ok !== true || last.result === null || last.cut) return known;
  return { ...known, ...ANSWERS[asked](jsonIn(last.result), known) };
};

type ReadAnswer = (answer: unknown, known: DutyMemory) => Partial<DutyMemory>;

const listings = z.object({ listings: z.array(listing), next: z.number().nullable() });
const loans = z.object({ debts: z.array(loan) });
const debts = z.array(loan);
const budget = z.object({ id: z.string(), llm_budget_micros: z.number() });
const pumps = z.array(pump);
const ballots = z.object({ proposals: z.array(proposal) });
const made = z.object({ proposal_id: z.string(), deadline_ms: z.number() });
const result = z.object({ passed: z.boolean() });
const messages = z.object({ messages: z.array(z.object({ id: z.number(), text: z.string() })) });

/** Functions that convert the answer to each question into changes of the memory. */
const ANSWERS: { readonly [L in Lookup]: ReadAnswer } = {
  listings: (answer) => {
    const { data } = listings.safeParse(answer);
    return { listings: data?.listings ?? [], page: data?.next ?? null };
  },
  loans: (answer) => ({ loans: loans.safeParse(answer).data?.debts ?? [] }),
  debts: (answer) => ({ debts: debts.safeParse(answer).data ?? [] }),
  debtor: (answer) => {
    const { data } = budget.safeParse(answer);
    return { debtor: data === undefined ? null : { id: data.id, micros: data.llm_budget_micros } };
  },
  fuel: (answer) => ({ pumps: pumps.safeParse(answer).data ?? [] }),
  ballots: (answer) => ({ ballots: ballots.safeParse(answer).data?.proposals ?? [] }),
  proposal: (answer) => {
    const { data } = made.safeParse(answer);
    if (data === undefined) return {};
    const { proposal_id, deadline_ms: ends_ms } = data;
    return { ballot: { proposal_id, ends_ms, passed: null } };
  },
  ballot: (answer, { ballot }) => {
    const passed = result.safeParse(answer).data?.passed ?? false;
    return ballot === null ? {} : { ballot: { ...ballot, passed } };
  },
  board: (answer, { boardReadTo }) => {
    const read = messages.safeParse(answer).data?.messages ?? [];
    const boardText = read.map(({ text }) => text).join(" ");
    return { boardText, boardReadTo: read.at(-1)?.id ?? boardReadTo };
  },
};
