import { z } from "zod";
import type { Json, Offering } from "../../kernel/index.ts";
import { assemble, canFollow, type Recipe } from "../library/index.ts";
import { lasting, plain, recall } from "../memory-codec.ts";
import { type Affairs, attend, NO_AFFAIRS } from "./affairs/affairs.ts";
import { affairsSchema } from "./affairs/affairs-schema.ts";
import { learnAffairs } from "./affairs/answers.ts";
import { borrow, repay } from "./affairs/credit.ts";
import { buyBargain } from "./affairs/escrow.ts";
import { refuel } from "./affairs/fuel.ts";
import { lookUp } from "./affairs/lookup.ts";
import { bidAtMint } from "./affairs/mint-bid.ts";
import { castVote } from "./affairs/votes.ts";
import { type Needs, NO_NEEDS, needsSchema, settleErrand, shop } from "./errand.ts";
import { type Move, type Policy, possible, rest, type Situation } from "./policy.ts";
import { judge, looked, type Shelf, shelfSchema, tidied } from "./pricing.ts";

export const integratorSettings = z
  .strictObject({
    fronts_max: z
      .number()
      .int()
      .min(1)
      .max(20)
      .default(4)
      .describe("how many programs that call two others it offers at a time"),
    margin: z
      .number()
      .min(0)
      .max(5)
      .default(0.5)
      .describe("what it adds to what its suppliers ask, as a part of it"),
    working_capital: z
      .number()
      .int()
      .min(1)
      .default(15)
      .describe("scrip it gives a new front to pay its suppliers with"),
    consumes: z
      .number()
      .min(0)
      .max(1)
      .default(0.2)
      .describe("how much of its time it spends as a customer"),
  })
  .describe("Finds programs of others that fit, tries them, and sells a front that calls both.");
export type IntegratorSettings = z.infer<typeof integratorSettings>;

type Memory = {
  readonly needs: Needs;
  readonly shelf: Shelf;
  /** Suppliers it has paid to try, and whether they gave the answer their example promised. */
  readonly tested: { readonly [artifact: string]: boolean };
  readonly trial: { readonly artifact: string; readonly expect: Json } | null;
  readonly lookedAt: number;
  readonly affairs: Affairs;
};

const memorySchema: z.ZodType<Memory> = z.object({
  needs: needsSchema,
  shelf: shelfSchema,
  tested: lasting(z.record(z.string(), z.boolean())),
  trial: z.object({ artifact: z.string(), expect: z.custom<Json>() }).nullable(),
  lookedAt: z.number(),
  affairs: affairsSchema,
});

const FRESH: Memory = {
  needs: NO_NEEDS,
  shelf: {},
  tested: {},
  trial: null,
  lookedAt: 0,
  affairs: NO_AFFAIRS,
};
const LOAN = { below: 40, amount: 30, rate_percent_per_day: 1_800 };
/** What it does beside its trade. */
const DUTIES = [
  refuel,
  repay,
  bidAtMint(0.25),
  buyBargain(0.2),
  borrow(LOAN),
  lookUp("listings", 25_000),
  castVote(40_000),
];
const TESTED_MAX = 40;
const LOOK_EVERY_MS = 6_000;
/** A front with less than this many calls' worth of money is topped up. */
const RESERVE_CALLS = 2;

/**
 * Finds programs of others whose kinds fit, pays to try them, and sells a front that calls both: an
 * artifact with standing that pays its suppliers from its own account, at a price that covers them.
 */
export const integrator = (settings: IntegratorSettings): Policy<Memory> => ({
  revive: (memory) => recall(memory, FRESH, memorySchema),
  decide: (situation) => {
    const before = learn(situation);
    const first = possible(before.view, fund(settings, before)) ?? attend(before, DUTIES);
    if (first !== null) return first;
    const books = manage(before);
    const here = { ...before, memory: books.memory };
    return (
      books.move ??
      integrate(settings, here) ??
      consume(settings, here) ??
      rest(here.memory, "no two programs fit")
    );
  },
});

type Here = Situation<Memory>;

const learn = (here: Here): Here => {
  const { memory, view } = here;
  const needs = settleErrand(memory.needs, here);
  const shelf = tidied(memory.shelf, view.owned);
  const affairs = learnAffairs(memory.affairs, view);
  const { trial } = memory;
  if (trial === null) return { ...here, memory: { ...memory, needs, shelf, affairs } };
  const { last } = view.agent;
  const passed = last?.ok === true && last.result === JSON.stringify(trial.expect);
  const tested = Object.entries({ ...memory.tested, [trial.artifact]: passed }).slice(-TESTED_MAX);
  const learned = { needs, shelf, affairs, trial: null, tested: Object.fromEntries(tested) };
  return { ...here, memory: { ...memory, ...learned } };
};

/** What a front pays its suppliers for one call, as its description says. */
const costOfCall = (front: Offering): number =>
  Number(/\bpays (\d+)\b/.exec(front.description)?.[1] ?? 0);

const fund = (settings: IntegratorSettings, { view, memory }: Here): Move<Memory> | null => {
  const spare = view.account.scrip - settings.working_capital;
  const short = view.owned.find(
    (front) => front.balance !== null && front.balance < RESERVE_CALLS * costOfCall(front),
  );
  if (short === undefined || spare <= 0) return null;
  const args = [short.id, Math.min(settings.working_capital, spare), "working capital"];
  return {
    action: { invoke_artifact: { artifact_id: "genesis_ledger", method: "transfer", args } },
    why: `${short.id} needs money to pay its suppliers`,
    memory,
  };
};

type Books = { readonly memory: Memory; readonly move: Move<Memory> | null };

/** Prices follow demand, never below cost; a dead front gives its money back. */
const manage = ({ view, memory }: Here): Books => {
  const turn = Math.floor(view.now / LOOK_EVERY_MS) % Math.max(1, view.owned.length);
  const front = view.owned[turn];
  if (front === undefined || view.now - memory.lookedAt < LOOK_EVERY_MS) {
    return { memory, move: null };
  }
  const verdict = judge(front, memory.shelf);
  const next = { ...memory, lookedAt: view.now, shelf: looked(memory.shelf, front) };
  if (verdict.kind === "withdraw") return { memory: next, move: possible(view, wind(front, next)) };
  const price = verdict.kind === "reprice" ? Math.max(verdict.price, costOfCall(front) + 1) : null;
  const stays = price === null || price === front.price;
  return { memory: next, move: stays ? null : possible(view, reprice(front, price, next)) };
};

const reprice = (front: Offering, price: number, memory: Memory): Move<Memory> => ({
  action: {
    invoke_artifact: {
      artifact_id: "genesis_store",
      method: "set_price",
      args: [front.id, price],
    },
  },
  why: `${front.id} goes from ${front.price} to ${price}`,
  memory,
});

const wind = (front: Offering, memory: Memory): Move<Memory> => {
  const empty = front.balance === null || front.balance === 0;
  const action = empty
    ? { artifact_id: "genesis_store", method: "delete", args: [front.id] }
    : { artifact_id: front.id, method: "withdraw", args: [] };
  return { action: { invoke_artifact: action }, why: `${front.id} is given up`, memory };
};

type Link = { readonly offering: Offering; readonly recipe: Recipe };

const links = ({ view, knowHow, memory }: Here): readonly Link[] =>
  view.market.flatMap((offering) => {
    const recipe = knowHow.recognise(offering);
    const spoiled = memory.tested[offering.id] === false || offering.price > 20;
    return recipe === undefined || spoiled ? [] : [{ offering, recipe }];
  });

const integrate = (settings: IntegratorSettings, here: Here): Move<Memory> | null => {
  const { view, dice, memory } = here;
  if (view.owned.length >= settings.fronts_max || view.diskLeft < 3_000) return null;
  const known = links(here);
  const first = dice.choose(known);
  if (first === undefined) return null;
  const fitting = known.filter(
    (next) => canFollow(first.recipe, next.recipe) && next.offering.owner !== view.id,
  );
  const second = dice.choose(fitting);
  if (second === undefined) return null;
  const untested = [first, second].find(({ offering }) => memory.tested[offering.id] === undefined);
  return untested === undefined ? found(settings, here, [first, second]) : tryOut(here, untested);
};

const tryOut = ({ view, dice, memory }: Here, { offering }: Link): Move<Memory> | null => {
  const example = dice.choose(offering.interface?.methods[0]?.examples ?? []);
  if (example === undefined || offering.price > view.account.scrip) return null;
  const { args, result } = example;
  return {
    action: {
      invoke_artifact: { artifact_id: offering.id, args, max_price: offering.price },
    },
    why: `does ${offering.id} do what its example says?`,
    memory: { ...memory, trial: { artifact: offering.id, expect: result } },
  };
};

const found = (
  settings: IntegratorSettings,
  { view, memory }: Here,
  chain: readonly [Link, Link],
): Move<Memory> | null => {
  const cost = chain.reduce((sum, { offering }) => sum + offering.price, 0);
  const suppliers = chain.map(({ offering, recipe }) => ({
    artifactId: offering.id,
    recipe,
    maxPriceScrip: offering.price,
    purseScrip: 0,
  }));
  const { recipe } = assemble(suppliers);
  const id = `${view.id}_${recipe.name}`.slice(0, 100);
  if (view.owned.some((front) => front.id === id)) return null;
  const price = Math.max(cost + 1, Math.round(cost * (1 + settings.margin)));
  if (price > recipe.worth * 1.5) return null;
  const titles = chain.map((link) => link.recipe.title).join(", then ");
  const description = `${titles}. It pays ${cost} to its suppliers.`;
  return {
    action: {
      write_artifact: {
        artifact_id: id,
        artifact_type: "program",
        content: description,
        code: `${recipe.code}\n\n${WITHDRAW(view.id)}`,
        price,
        has_standing: true,
        depends_on: chain.map(({ offering }) => offering.id),
        interface: interfaceOf(recipe, description),
      },
    },
    why: `${description} sold for ${price}`,
    memory,
  };
};

/** The owner takes the front's money out. */
const WITHDRAW = (owner: string): string => `function withdraw() {
  if (caller !== ${JSON.stringify(owner)}) kernel.fail("not_owner", "only the founder withdraws");
  const all = kernel.balance();
  if (all > 0) kernel.pay(caller, all);
  return all;
}`;

const interfaceOf = (recipe: Recipe, description: string): Json => ({
  description,
  methods: [
    ...recipe.interface.methods.map(plain),
    {
      name: "withdraw",
      description: "Pays all that the front holds to its founder, and to nobody else.",
      input_schema: { type: "object", properties: {} },
    },
  ],
});

const consume = (settings: IntegratorSettings, here: Here): Move<Memory> | null =>
  here.dice.chance(settings.consumes) ? shop(here) : null;
