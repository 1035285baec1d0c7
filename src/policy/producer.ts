import { z } from "zod";
import type { MarketListing } from "../kernel/index.ts";
import { checkedOnce } from "../mind/index.ts";
import { consume, consumerMemory, learned, NO_NEEDS } from "./consumption.ts";
import {
  call,
  consumesSetting,
  definePolicy,
  idle,
  type Move,
  possible,
  richSetting,
  type Situation,
  setting,
} from "./core/policy.ts";
import { haveChild, helpChild } from "./duties/children.ts";
import { orderCompute } from "./duties/compute.ts";
import { borrow, repay } from "./duties/credit.ts";
import { lookUp, performDuty, withDuties } from "./duties/duty.ts";
import { NO_DUTIES } from "./duties/duty-memory.ts";
import { sellForCash, sellOff } from "./duties/escrow.ts";
import { refuel } from "./duties/fuel.ts";
import { bidAtMint, solveTask } from "./duties/mint.ts";
import { castVote } from "./duties/votes.ts";
import { canFollow, compose } from "./library/pipeline.ts";
import type { Recipe } from "./library/recipe.ts";
import { DISK_RESERVE_BYTES, writeProgram } from "./library/recipe-book.ts";
import { ofOwned, recordSales, reprice, reviewPrice, salesSchema } from "./pricing.ts";

/** The folders of a library. The loader of personas checks that the library has them. */
const topics = z.array(z.string().regex(/^[a-z]+$/, { error: "must be a name in lower case" }));

/** The folders of the shipped library. */
export const SHIPPED_TOPICS: readonly string[] = [
  "encoding",
  "numbers",
  "parsing",
  "pricing",
  "search",
  "statistics",
  "tables",
  "text",
  "validation",
];

const TOPICS_NOTE = `The shipped library has ${SHIPPED_TOPICS.join(", ")}`;

const settings = z
  .strictObject({
    topics: setting(
      topics,
      [],
      `the topics (folders of the library) of which it writes programs; []: all. ${TOPICS_NOTE}`,
    ),
    goods_max: setting(z.int().min(1).max(50), 8, "how many programs it offers at a time"),
    markup: setting(
      z.number().min(0.1).max(3),
      0.6,
      "its first price, as a share of the value of an answer",
    ),
    consumes: consumesSetting(0.25),
    rich_at: richSetting,
    child_topics: setting(topics, [], "the topics of the other business; []: all"),
    solves: setting(z.boolean(), false, "whether it also solves tasks"),
  })
  .describe(
    "Writes programs, sells calls at prices that follow demand, and founds more businesses.",
  );
type Settings = z.infer<typeof settings>;

const memory = z.object({
  ...consumerMemory,
  sales: salesSchema,
  /** When the producer last reviewed the price of each good, in ms. */
  reviewedAt: checkedOnce(z.record(z.string(), z.number())),
  wanted: z.array(z.string()),
  /** The number of programs written. Makes each id new, because deleted ids stay reserved. */
  built: z.number(),
  builtAt: z.number(),
  askedAt: z.number(),
  asking: z.enum(["list", "note"]).nullable(),
});
type Memory = z.infer<typeof memory>;
type Here = Situation<Memory>;

const REVIEW_EVERY_MS = 8_000;
const BUILD_EVERY_MS = 6_000;
const ASK_EVERY_MS = 30_000;
const WANTED_MAX = 12;
const LOAN = { below: 20, amount: 40, rate_percent_per_day: 2_000 };

export const producer = definePolicy({
  settings,
  memory,
  fresh: {
    needs: NO_NEEDS,
    sales: {},
    reviewedAt: {},
    wanted: [],
    built: 0,
    builtAt: -1_000_000,
    askedAt: 0,
    asking: null,
    duties: NO_DUTIES,
  },
  decide: (situation, chosen) => {
    const before = upToDate(learned(situation));
    const note = noteToRead(before);
    if (note !== null) return note;
    const asked = { ...before, memory: { ...before.memory, asking: null } };
    const duty = performDuty(asked, dutiesOf(chosen));
    if (duty !== null) return duty;
    // Before its business: a producer with few actions would never finish that, and hoard scrip.
    const purchase = consume(asked, chosen.consumes);
    if (purchase !== null) return purchase;
    const books = reviewGoods(asked);
    const here = { ...asked, memory: books.memory };
    return (
      books.move ??
      build(chosen, here) ??
      possible(here.view, research(here)) ??
      idle(here.memory, "nothing to do")
    );
  },
});

const dutiesOf = ({ rich_at, child_topics: topics, goods_max, solves }: Settings) => [
  orderCompute,
  refuel,
  repay,
  bidAtMint(0.25),
  ...(solves ? [solveTask] : []),
  sellForCash(30),
  borrow(LOAN),
  helpChild,
  castVote(40_000),
  lookUp("board", 45_000),
  haveChild(rich_at, { mind: "policy/producer", policy: { topics, goods_max } }),
];

/** Removes from the memory all goods that are not owned now. Adds goods that customers want. */
const upToDate = (here: Here): Here => {
  const { memory: known, view } = here;
  const sales = ofOwned(known.sales, view.owned);
  const reviewedAt = ofOwned(known.reviewedAt, view.owned);
  return { ...here, memory: { ...known, sales, reviewedAt, wanted: wantedNow(here) } };
};

/** Returns the known wanted goods, and goods that the note just read or the board text names. */
const wantedNow = ({ memory: known, view, recipeBook }: Here): string[] => {
  const { last } = view.agent;
  const read = known.asking === "note" && last?.ok === true ? (last.result ?? "") : "";
  const named = `${read} ${known.duties.boardText}`.match(/[a-z][a-z0-9_]+/g) ?? [];
  const goods = named.filter((name) => recipeBook.recipeNamed(name) !== undefined);
  return [...new Set([...known.wanted, ...goods])].slice(-WANTED_MAX);
};

type Books = { readonly memory: Memory; readonly move: Move<Memory> | null };

/** Reviews the goods that are due. Stops at the first good that needs an action. */
const reviewGoods = (here: Here): Books => {
  const { view } = here;
  let known = here.memory;
  for (const good of view.owned) {
    const since = view.now - (known.reviewedAt[good.id] ?? good.created_at);
    if (since < REVIEW_EVERY_MS || good.methods.length === 0) continue;
    const verdict = reviewPrice(good, known.sales);
    known = {
      ...known,
      sales: recordSales(known.sales, good),
      reviewedAt: { ...known.reviewedAt, [good.id]: view.now },
    };
    if (verdict.kind === "withdraw") {
      const move = possible(view, withdraw({ ...here, memory: known }, good));
      if (move !== null) return { memory: known, move };
    }
    if (verdict.kind === "reprice") {
      return { memory: known, move: reprice({ view, memory: known }, good, verdict.price) };
    }
  }
  return { memory: known, move: null };
};

/** Offers an unsold good in the escrow. Deletes the good if it cannot be offered. */
const withdraw = (here: Here, good: MarketListing): Move<Memory> | null => {
  const { view, memory: known } = here;
  if (view.mint.own.some(({ artifact }) => artifact === good.id)) return null;
  const sale = possible(view, sellOff({ ...here, memory: known.duties }, good));
  if (sale !== null) return withDuties(known, sale);
  return {
    action: call("genesis_store.delete", [good.id]),
    why: `${good.id} does not sell, not even for ${good.price}`,
    memory: known,
  };
};

const build = ({ topics, goods_max, markup }: Settings, here: Here): Move<Memory> | null => {
  const { view, memory: known, dice } = here;
  const full = view.owned.length >= goods_max || view.diskLeft < DISK_RESERVE_BYTES;
  if (full || view.now - known.builtAt < BUILD_EVERY_MS) return null;
  const recipe = dice.weighted(candidates(topics, here), appealIn(here));
  if (recipe === undefined) return null;
  const id = `${view.id}_${recipe.name}_${known.built + 1}`;
  const price = Math.max(1, Math.round(recipe.worth * markup));
  return {
    action: writeProgram(recipe, { id, price }),
    why: `${recipe.title} can be sold for about ${price}`,
    memory: { ...known, built: known.built + 1, builtAt: view.now },
  };
};

/** Returns goods to write: goods of the chosen topics, wanted goods and perhaps a chain of two. */
const candidates = (topics: Settings["topics"], here: Here): readonly Recipe[] => {
  const { recipeBook, view, dice } = here;
  const mine = (good: Recipe): boolean =>
    topics.length === 0 ||
    topics.some((topic) => topic === good.topic) ||
    here.memory.wanted.includes(good.name);
  const goods = recipeBook.goods.filter(mine);
  const first = dice.choose(goods);
  const next = recipeBook.recipes.filter((good) => first && canFollow(first, good));
  const second = dice.choose(next);
  const chain = first && second && dice.chance(0.3) ? [compose(first, second)] : [];
  const made = new Set(view.owned.map(({ id }) => id.replace(/_\d+$/, "")));
  return [...goods, ...chain].filter((good) => !made.has(`${view.id}_${good.name}`));
};

/** Returns a function that rates a good higher if it is wanted, and lower for each competitor. */
const appealIn = ({ view, recipeBook, memory: { wanted } }: Here): ((good: Recipe) => number) => {
  const rivals = Map.groupBy(view.market, (listing) => recipeBook.recognise(listing)?.name);
  return ({ name, worth }) =>
    (worth * (wanted.includes(name) ? 4 : 1)) / (1 + 3 * (rivals.get(name)?.length ?? 0));
};

/** Asks, at most once in each period, for notes about what customers want. */
const research = ({ view, memory: known }: Here): Move<Memory> | null => {
  if (view.now - known.askedAt < ASK_EVERY_MS) return null;
  return {
    action: call("genesis_store.list_by_type", ["wanted", 5]),
    why: "what do customers look for and not find?",
    memory: { ...known, asking: "list", askedAt: view.now },
  };
};

const noteToRead = ({ view, memory: known, dice }: Here): Move<Memory> | null => {
  const { last } = view.agent;
  if (known.asking !== "list" || last?.ok !== true || last.result === null) return null;
  const ids = [...last.result.matchAll(/"id":"([^"]+)"/g)].map((match) => match[1] ?? "");
  const note = dice.choose(ids);
  if (note === undefined) return null;
  return {
    action: { read_artifact: { artifact_id: note, max_price: 2 } },
    why: `${note} may say what sells`,
    memory: { ...known, asking: "note" },
  };
};
