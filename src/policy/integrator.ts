import { z } from "zod";
import type { Json, MarketListing } from "../kernel/index.ts";
import { asJson, checkedOnce } from "../mind/index.ts";
import { consume, consumerMemory, learned, NO_NEEDS } from "./consumption.ts";
import {
  call,
  consumesSetting,
  definePolicy,
  idle,
  type Move,
  possible,
  type Situation,
  setting,
} from "./core/policy.ts";
import { orderCompute } from "./duties/compute.ts";
import { borrow, repay } from "./duties/credit.ts";
import { lookUp, performDuty } from "./duties/duty.ts";
import { NO_DUTIES } from "./duties/duty-memory.ts";
import { buyBargain } from "./duties/escrow.ts";
import { refuel } from "./duties/fuel.ts";
import { bidAtMint } from "./duties/mint.ts";
import { castVote } from "./duties/votes.ts";
import { assemble, canFollow, type Supplier } from "./library/pipeline.ts";
import type { Recipe } from "./library/recipe.ts";
import { reprice, reviewInTurn, reviewPrice, salesSchema } from "./pricing.ts";

const settings = z
  .strictObject({
    fronts_max: setting(
      z.int().min(1).max(20),
      4,
      "how many fronts it offers at a time; a front is a program that calls two others",
    ),
    margin: setting(
      z.number().min(0).max(5),
      0.5,
      "its markup, as a share of what its suppliers charge",
    ),
    working_capital: setting(
      z.int().min(1),
      15,
      "the scrip that it gives a new front, which pays its suppliers with it",
    ),
    consumes: consumesSetting(0.2),
  })
  .describe(
    "Finds and tries two programs of others that fit together, and sells a front that calls both.",
  );
type Settings = z.infer<typeof settings>;

const memory = z.object({
  ...consumerMemory,
  sales: salesSchema,
  /** Whether each tried artifact returned the result that its example promises, by id. */
  tested: checkedOnce(z.record(z.string(), z.boolean())),
  trial: z.object({ artifact: z.string(), expect: z.custom<Json>() }).nullable(),
  reviewedAt: z.number(),
  /** The number of fronts written. Makes each id new, because deleted ids stay reserved. */
  built: z.number(),
});
type Memory = z.infer<typeof memory>;
type Here = Situation<Memory>;

const LOAN = { below: 40, amount: 30, rate_percent_per_day: 1_800 };
const DUTIES = [
  orderCompute,
  refuel,
  repay,
  bidAtMint(0.25),
  buyBargain(0.2),
  borrow(LOAN),
  lookUp("listings", 25_000),
  castVote(40_000),
];
const TESTED_MAX = 40;
const REVIEW_EVERY_MS = 6_000;
/** A front (see `integrator`) gets more scrip if its account can pay for fewer calls than this. */
const RESERVE_CALLS = 2;
const SUPPLIER_PRICE_MAX = 20;
const DISK_RESERVE_BYTES = 3_000;

/** A front is an artifact that pays its suppliers from its own account. */
export const integrator = definePolicy({
  settings,
  memory,
  fresh: {
    needs: NO_NEEDS,
    sales: {},
    tested: {},
    trial: null,
    reviewedAt: 0,
    built: 0,
    duties: NO_DUTIES,
  },
  decide: (situation, chosen) => {
    const before = withTrial(learned(situation));
    const first = possible(before.view, fund(chosen, before)) ?? performDuty(before, DUTIES);
    if (first !== null) return first;
    const books = reviewFront(before);
    const here = { ...before, memory: books.memory };
    return (
      books.move ??
      integrate(chosen, here) ??
      consume(here, chosen.consumes) ??
      idle(here.memory, "no two programs fit")
    );
  },
});

/** Adds the result of a supplier's trial to the memory. */
const withTrial = (here: Here): Here => {
  const { trial } = here.memory;
  if (trial === null) return here;
  const { last } = here.view.agent;
  const passed = last?.ok === true && last.result === JSON.stringify(trial.expect);
  const tested = Object.fromEntries(
    Object.entries({ ...here.memory.tested, [trial.artifact]: passed }).slice(-TESTED_MAX),
  );
  return { ...here, memory: { ...here.memory, trial: null, tested } };
};

/** Returns what a front pays its suppliers for one call. Reads the amount from the description. */
const costOfCall = (front: MarketListing): number =>
  Number(/\bpays (\d+)\b/.exec(front.description)?.[1] ?? 0);

/** A sale at this price earns 1 scrip. */
const lowestPrice = (front: MarketListing): number => costOfCall(front) + 1;

/** Gives scrip to a front that cannot pay its suppliers, unless the front is being given up. */
const fund = (
  { working_capital }: Settings,
  { view, memory: known }: Here,
): Move<Memory> | null => {
  const spare = view.account.scrip - working_capital;
  const short = view.owned.find(
    (front) =>
      front.balance !== null &&
      front.balance < RESERVE_CALLS * costOfCall(front) &&
      reviewPrice(front, known.sales, lowestPrice(front)).kind !== "withdraw",
  );
  if (short === undefined || spare <= 0) return null;
  const args = [short.id, Math.min(working_capital, spare), "working capital"];
  return {
    action: call("genesis_ledger.transfer", args),
    why: `${short.id} needs money to pay its suppliers`,
    memory: known,
  };
};

type Books = { readonly memory: Memory; readonly move: Move<Memory> | null };

/** Fits a front's price to its sales. Gives up a front that does not sell at its lowest price. */
const reviewFront = (here: Here): Books => {
  const { view } = here;
  const reviewing = { everyMs: REVIEW_EVERY_MS, lowestPrice };
  const { memory: after, good: front, verdict } = reviewInTurn(here, view.owned, reviewing);
  if (front === undefined || verdict.kind === "keep") return { memory: after, move: null };
  if (verdict.kind === "withdraw") {
    return { memory: after, move: possible(view, giveUp(front, after)) };
  }
  return { memory: after, move: reprice({ view, memory: after }, front, verdict.price) };
};

const giveUp = (front: MarketListing, known: Memory): Move<Memory> => {
  const isEmpty = front.balance === null || front.balance === 0;
  const action = isEmpty ? call("genesis_store.delete", [front.id]) : call(`${front.id}.withdraw`);
  return { action, why: `${front.id} is given up`, memory: known };
};

type Link = { readonly listing: MarketListing; readonly recipe: Recipe };

const links = ({ view, recipeBook, memory: { tested } }: Here): readonly Link[] =>
  view.market.flatMap((listing) => {
    const recipe = recipeBook.recognise(listing);
    const unfit = tested[listing.id] === false || listing.price > SUPPLIER_PRICE_MAX;
    return recipe === undefined || unfit ? [] : [{ listing, recipe }];
  });

const integrate = (chosen: Settings, here: Here): Move<Memory> | null => {
  const { view, dice } = here;
  const isFull = view.owned.length >= chosen.fronts_max || view.diskLeft < DISK_RESERVE_BYTES;
  if (isFull) return null;
  const known = links(here);
  const first = dice.choose(known);
  if (first === undefined) return null;
  const fitting = known.filter(
    (next) => canFollow(first.recipe, next.recipe) && next.listing.owner !== view.id,
  );
  const second = dice.choose(fitting);
  if (second === undefined) return null;
  const untested = [first, second].find(
    ({ listing }) => here.memory.tested[listing.id] === undefined,
  );
  return untested === undefined
    ? sellFront(chosen, here, [first, second])
    : trySupplier(here, untested);
};

const trySupplier = (
  { view, dice, memory: known }: Here,
  { listing }: Link,
): Move<Memory> | null => {
  const example = dice.choose(listing.interface?.methods[0]?.examples ?? []);
  if (example === undefined || listing.price > view.account.scrip) return null;
  const { args, result } = example;
  return {
    action: { invoke_artifact: { artifact_id: listing.id, args, max_price: listing.price } },
    why: `does ${listing.id} do what its example says?`,
    memory: { ...known, trial: { artifact: listing.id, expect: result } },
  };
};

const sellFront = (
  { margin }: Settings,
  { view, memory: known }: Here,
  chain: readonly [Link, Link],
): Move<Memory> | null => {
  const cost = chain.reduce((sum, { listing }) => sum + listing.price, 0);
  const recipe = assemble(supplierOf(chain[0]), supplierOf(chain[1]));
  const name = `${view.id}_${recipe.name}`.slice(0, 100);
  if (view.owned.some((front) => front.id.replace(/_\d+$/, "") === name)) return null;
  const id = `${name}_${known.built + 1}`;
  const price = Math.max(cost + 1, Math.round(cost * (1 + margin)));
  if (price > recipe.worth * 1.5) return null;
  const titles = chain.map((link) => link.recipe.title).join(", then ");
  const description = `${titles}. It pays ${cost} to its suppliers.`;
  return {
    action: {
      write_artifact: {
        artifact_id: id,
        artifact_type: "program",
        content: description,
        code: `${recipe.code}\n\n${withdrawal(view.id)}`,
        price,
        has_standing: true,
        depends_on: chain.map(({ listing }) => listing.id),
        interface: interfaceOf(recipe, description),
      },
    },
    why: `${description} sold for ${price}`,
    memory: { ...known, built: known.built + 1 },
  };
};

const supplierOf = ({ listing, recipe }: Link): Supplier => ({
  artifactId: listing.id,
  recipe,
  maxPriceScrip: listing.price,
});

const withdrawal = (owner: string): string => `function withdraw() {
  if (caller !== ${JSON.stringify(owner)}) kernel.fail("not_owner", "only its owner withdraws");
  const all = kernel.balance();
  if (all > 0) kernel.pay(caller, all);
  return all;
}`;

const interfaceOf = (recipe: Recipe, description: string): Json => ({
  description,
  methods: [
    ...recipe.interface.methods.map(asJson),
    {
      name: "withdraw",
      description: "Pays its whole balance to its owner. Only the owner may call this.",
      input_schema: { type: "object", properties: {} },
    },
  ],
});
