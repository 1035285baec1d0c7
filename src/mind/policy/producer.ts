import { z } from "zod";
import type { Offering } from "../../kernel/index.ts";
import { canFollow, compose, type Recipe } from "../library/index.ts";
import { lasting, recall } from "../memory-codec.ts";
import { type Affairs, attend, call, NO_AFFAIRS } from "./affairs/affairs.ts";
import { affairsSchema } from "./affairs/affairs-schema.ts";
import { learnAffairs } from "./affairs/answers.ts";
import { borrow, repay } from "./affairs/credit.ts";
import { sellForCash, sellOff } from "./affairs/escrow.ts";
import { refuel } from "./affairs/fuel.ts";
import { lookUp } from "./affairs/lookup.ts";
import { bidAtMint } from "./affairs/mint-bid.ts";
import { haveChild, helpChild } from "./affairs/offspring.ts";
import { solveTask } from "./affairs/tasks.ts";
import { castVote } from "./affairs/votes.ts";
import { type Needs, NO_NEEDS, needsSchema, settleErrand, shop } from "./errand.ts";
import { DISK_RESERVE, writeGood } from "./good.ts";
import { type Move, type Policy, possible, rest, type Situation } from "./policy.ts";
import { judge, looked, type Shelf, shelfSchema, tidied } from "./pricing.ts";

/** The folders of the library. */
export const TOPICS = [
  "encoding",
  "numbers",
  "parsing",
  "pricing",
  "search",
  "statistics",
  "tables",
  "text",
  "validation",
] as const;

export const producerSettings = z
  .strictObject({
    topics: z
      .array(z.enum(TOPICS))
      .default([])
      .describe(
        "what it writes programs for, by folders of agents/library; all where none is named",
      ),
    goods_max: z
      .number()
      .int()
      .min(1)
      .max(50)
      .default(8)
      .describe("how many programs it offers at a time"),
    markup: z
      .number()
      .min(0.1)
      .max(3)
      .default(0.6)
      .describe("what it asks at first, as a part of what an answer is worth"),
    consumes: z
      .number()
      .min(0)
      .max(1)
      .default(0.25)
      .describe("how much of its time it spends as a customer"),
    rich_at: z
      .number()
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe("scrip above which it founds a second business; null: never"),
    child_topics: z
      .array(z.enum(TOPICS))
      .default([])
      .describe("what the second business writes programs for; all where none is named"),
    solves: z
      .boolean()
      .default(false)
      .describe("whether it takes on tasks when it has nothing else to write"),
  })
  .describe("Writes programs, sells calls at prices that follow demand, founds a second business.");
export type ProducerSettings = z.infer<typeof producerSettings>;

type Memory = {
  readonly needs: Needs;
  readonly shelf: Shelf;
  /** When it last looked at each book; goods are looked at one an iteration, oldest first. */
  readonly lookedAt: { readonly [artifact: string]: number };
  readonly wanted: readonly string[];
  /** How many it has written; it numbers its goods, because an id once deleted is never free. */
  readonly built: number;
  readonly builtAt: number;
  readonly askedAt: number;
  readonly asking: "list" | "note" | null;
  readonly affairs: Affairs;
};

const memorySchema: z.ZodType<Memory> = z.object({
  needs: needsSchema,
  shelf: shelfSchema,
  lookedAt: lasting(z.record(z.string(), z.number())),
  wanted: z.array(z.string()),
  built: z.number(),
  builtAt: z.number(),
  askedAt: z.number(),
  asking: z.enum(["list", "note"]).nullable(),
  affairs: affairsSchema,
});

const FRESH: Memory = {
  needs: NO_NEEDS,
  shelf: {},
  lookedAt: {},
  wanted: [],
  built: 0,
  builtAt: -1_000_000,
  askedAt: 0,
  asking: null,
  affairs: NO_AFFAIRS,
};

const LOOK_EVERY_MS = 8_000;
const BUILD_EVERY_MS = 6_000;
const ASK_EVERY_MS = 30_000;

/**
 * Writes programs of its topics, the wanted and unserved ones first, varies and chains them, prices
 * them by demand, withdraws what nobody buys, and spends part of its income on others' programs.
 */
export const producer = (settings: ProducerSettings): Policy<Memory> => ({
  revive: (memory) => recall(memory, FRESH, memorySchema),
  decide: (situation) => decide(settings, learn(situation)),
});

type Here = Situation<Memory>;

const learn = (here: Here): Here => {
  const { memory, view } = here;
  const needs = settleErrand(memory.needs, here);
  const shelf = tidied(memory.shelf, view.owned);
  const lookedAt = tidied(memory.lookedAt, view.owned);
  const affairs = learnAffairs(memory.affairs, view);
  const wanted = wantedNow(here, affairs.heard);
  return { ...here, memory: { ...memory, needs, shelf, lookedAt, wanted, affairs } };
};

/** The goods that a note just read, or the board, says somebody looks for. */
const wantedNow = ({ memory, view, knowHow }: Here, heard: string): readonly string[] => {
  const { last } = view.agent;
  const read = memory.asking === "note" && last?.ok === true ? (last.result ?? "") : "";
  const named = `${read} ${heard}`.match(/[a-z][a-z0-9_]+/g) ?? [];
  const goods = named.filter((name) => knowHow.catalogue.named(name) !== undefined);
  return [...new Set([...memory.wanted, ...goods])].slice(-12);
};

const decide = (settings: ProducerSettings, before: Here): Move<Memory> => {
  const note = noteToRead(before);
  if (note !== null) return note;
  // Whatever it was told has been read by now.
  const told = { ...before, memory: { ...before.memory, asking: null } };
  const chore = attend(told, dutiesOf(settings));
  if (chore !== null) return chore;
  const books = bookkeeping(told);
  const here = { ...told, memory: books.memory };
  return (
    books.move ??
    build(settings, here) ??
    possible(here.view, research(here)) ??
    consume(settings, here) ??
    rest(here.memory, "nothing to do")
  );
};

const LOAN = { below: 20, amount: 40, rate_percent_per_day: 2_000 };

const dutiesOf = ({ rich_at, child_topics: topics, goods_max, solves }: ProducerSettings) => [
  refuel,
  repay,
  bidAtMint(0.25),
  ...(solves ? [solveTask] : []),
  sellForCash(30),
  borrow(LOAN),
  helpChild,
  castVote(40_000),
  lookUp("board", 45_000),
  haveChild({ rich_at, config: { mind: "policy/producer", policy: { topics, goods_max } } }),
];

type Books = { readonly memory: Memory; readonly move: Move<Memory> | null };

/** Looks at the goods not looked at for a while, up to the first that needs something done. */
const bookkeeping = (here: Here): Books => {
  const { view, memory } = here;
  let known = memory;
  for (const good of view.owned) {
    const since = view.now - (known.lookedAt[good.id] ?? good.created_at);
    if (since < LOOK_EVERY_MS || good.methods.length === 0) continue;
    const verdict = judge(good, known.shelf);
    known = {
      ...known,
      shelf: looked(known.shelf, good),
      lookedAt: { ...known.lookedAt, [good.id]: view.now },
    };
    if (verdict.kind === "withdraw") {
      const move = possible(view, withdraw(here, good, known));
      if (move !== null) return { memory: known, move };
    }
    if (verdict.kind === "reprice") {
      return { memory: known, move: possible(view, reprice(good, verdict.price, known)) };
    }
  }
  return { memory: known, move: null };
};

/** What nobody buys is put on sale, and deleted if nobody wants to own it either. */
const withdraw = (here: Here, good: Offering, memory: Memory): Move<Memory> | null => {
  if (here.view.mint.own.some(({ artifact }) => artifact === good.id)) return null;
  const chore = possible(here.view, sellOff({ ...here, memory: memory.affairs }, good));
  if (chore !== null) {
    const { affairs, ...move } = chore;
    return { ...move, memory: { ...memory, affairs } };
  }
  return {
    action: call("genesis_store.delete", [good.id]),
    why: `nobody buys ${good.id}, not even for ${good.price}`,
    memory,
  };
};

const reprice = (good: Offering, price: number, memory: Memory): Move<Memory> => ({
  action: call("genesis_store.set_price", [good.id, price]),
  why: `${good.id} goes from ${good.price} to ${price}: ${good.calls_by_others} sold so far`,
  memory,
});

const build = (settings: ProducerSettings, here: Here): Move<Memory> | null => {
  const { view, memory, dice } = here;
  const full = view.owned.length >= settings.goods_max || view.diskLeft < DISK_RESERVE;
  if (full || view.now - memory.builtAt < BUILD_EVERY_MS) return null;
  const rivals = rivalsIn(here);
  const recipe = dice.weighted(candidates(settings, here), (good) =>
    appeal(good, { wanted: memory.wanted, rivals: rivals.get(good.name) ?? 0 }),
  );
  if (recipe === undefined) return null;
  const id = `${view.id}_${recipe.name}_${memory.built + 1}`;
  const price = Math.max(1, Math.round(recipe.worth * settings.markup));
  return {
    action: writeGood(recipe, { id, price }),
    why: `${recipe.title} can be sold for about ${price}`,
    memory: { ...memory, built: memory.built + 1, builtAt: view.now },
  };
};

/** Its own topics: the goods as they are and in variants, and chains of two. */
const candidates = (settings: ProducerSettings, here: Here): readonly Recipe[] => {
  const { knowHow, view, dice, memory } = here;
  const { topics } = settings;
  const mine = (good: Recipe): boolean =>
    topics.length === 0 ||
    topics.some((topic) => topic === good.topic) ||
    memory.wanted.includes(good.name);
  const goods = knowHow.goods.filter(mine);
  const first = dice.choose(goods);
  const next = knowHow.catalogue.recipes.filter((good) => first && canFollow(first, good));
  const second = dice.choose(next);
  const chain = first && second && dice.chance(0.3) ? [compose([first, second])] : [];
  const made = new Set(view.owned.map(({ id }) => id.replace(/_\d+$/, "")));
  return [...goods, ...chain].filter((good) => !made.has(`${view.id}_${good.name}`));
};

/** How many on the market offer each good, by its name. */
const rivalsIn = ({ view, knowHow }: Here): ReadonlyMap<string, number> => {
  const rivals = new Map<string, number>();
  for (const offering of view.market) {
    const name = knowHow.recognise(offering)?.name;
    if (name !== undefined) rivals.set(name, (rivals.get(name) ?? 0) + 1);
  }
  return rivals;
};

type Demand = { readonly wanted: readonly string[]; readonly rivals: number };

/** Worth more when wanted, less with each competitor. */
const appeal = (good: Recipe, { wanted, rivals }: Demand): number =>
  (good.worth * (wanted.includes(good.name) ? 4 : 1)) / (1 + 3 * rivals);

/** Now and then it asks what is wanted, and reads one of the notes it finds. */
const research = ({ view, memory }: Here): Move<Memory> | null => {
  if (view.now - memory.askedAt < ASK_EVERY_MS) return null;
  return {
    action: call("genesis_store.list_by_type", ["wanted", 5]),
    why: "what do customers look for in vain?",
    memory: { ...memory, asking: "list", askedAt: view.now },
  };
};

const noteToRead = ({ view, memory, dice }: Here): Move<Memory> | null => {
  const { last } = view.agent;
  if (memory.asking !== "list" || last?.ok !== true || last.result === null) return null;
  const ids = [...last.result.matchAll(/"id":"([^"]+)"/g)].map((match) => match[1] ?? "");
  const note = dice.choose(ids);
  if (note === undefined) return null;
  return {
    action: { read_artifact: { artifact_id: note, max_price: 2 } },
    why: `${note} may say what sells`,
    memory: { ...memory, asking: "note" },
  };
};

const consume = (settings: ProducerSettings, here: Here): Move<Memory> | null => {
  if (!here.dice.chance(settings.consumes)) return null;
  return shop(here);
};
