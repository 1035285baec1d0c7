import type { Json, MarketListing, View } from "../../kernel/index.ts";
import { asJson } from "../../mind/index.ts";
import { call } from "../core/policy.ts";
import { mainMethod, type Recipe } from "../library/recipe.ts";
import { DISK_RESERVE_BYTES, writeProgram } from "../library/recipe-book.ts";
import type { Duty, DutySituation } from "./duty.ts";

const EXPECTED_PRIZE = 8;
/** The agent bids with an artifact again after the artifact has earned this much more scrip. */
const NEW_REVENUE_MIN = 12;

const usualPrize = ({ view }: DutySituation): number => {
  const prizes = view.mint.results.map(({ minted }) => minted);
  if (prizes.length === 0) return EXPECTED_PRIZE;
  return prizes.reduce((sum, prize) => sum + prize, 0) / prizes.length;
};

/** Bids at the mint with the program whose revenue grew most since its last bid. */
export const bidAtMint =
  (purseShare: number): Duty =>
  (here) => {
    const { view, memory, dice } = here;
    if (!view.mint.open || view.mint.own.length > 0) return null;
    const growth = ({ id, revenue }: MarketListing): number => revenue - (memory.bids[id] ?? 0);
    const [best] = view.owned
      .filter(
        (good) =>
          good.methods.length > 0 && good.calls_by_others > 0 && growth(good) >= NEW_REVENUE_MIN,
      )
      .sort((a, b) => growth(b) - growth(a));
    if (best === undefined) return null;
    const worth = usualPrize(here) * (0.4 + 0.5 * dice.next());
    const scrip = Math.floor(Math.min(worth, view.account.scrip * purseShare));
    if (scrip < view.mint.minimum_bid) return null;
    return {
      action: call("genesis_mint.bid", [best.id], { attach: { scrip } }),
      why: `${best.id} has earned ${best.revenue}; the mint may pay for that`,
      memory: { ...memory, bids: { ...memory.bids, [best.id]: best.revenue } },
    };
  };

type Task = View["tasks"][number];

const TRIES_MAX = 3;
/** Words of at most this length do not help to identify a program. */
const COMMON_CHARS_MAX = 3;

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set((text.toLowerCase().match(/[a-z]+/g) ?? []).filter((w) => w.length > COMMON_CHARS_MAX));

/** Returns the share of the recipe's words that the task uses, from 0 to 1. */
const similarity = (asked: ReadonlySet<string>, recipe: Recipe): number => {
  const said = wordsOf(`${recipe.title} ${recipe.description}`);
  let shared = 0;
  for (const word of said) if (asked.has(word)) shared += 1;
  return said.size === 0 ? 0 : shared / said.size;
};

/** Returns whether the recipe accepts the number of arguments in the first public test. */
const fits = (task: Task, recipe: Recipe): boolean => {
  const [test] = task.public_tests;
  const { input_schema } = mainMethod(recipe);
  const count = test?.args.length ?? 0;
  const most = Object.keys(input_schema.properties).length;
  return count >= input_schema.required.length && count <= most;
};

const SIMILARITY_MIN = 0.3;

/** Returns the program most similar to the task. Skips programs that were tried before. */
const answerTo = (task: Task, { recipeBook, memory }: DutySituation): Recipe | undefined => {
  const tried = memory.tried[task.id] ?? [];
  if (tried.length >= TRIES_MAX) return undefined;
  const asked = wordsOf(task.description);
  const ranked = recipeBook.recipes
    .filter((recipe) => !tried.includes(recipe.name) && fits(task, recipe))
    .map((recipe) => ({ recipe, score: similarity(asked, recipe) }))
    .filter(({ score }) => score >= SIMILARITY_MIN)
    .sort((a, b) => b.score - a.score);
  return ranked[0]?.recipe;
};

/** Solves the best-paid task that a recipe fits. Writes the program if the agent has none yet. */
export const solveTask: Duty = (here) => {
  const { view, memory } = here;
  const open = [...view.tasks].sort((a, b) => b.reward - a.reward);
  for (const task of open) {
    const recipe = answerTo(task, here);
    if (recipe === undefined) continue;
    const good = view.owned.find(({ description }) => description === recipe.description);
    if (good === undefined) {
      const action = writing(here, recipe);
      if (action === null) return null;
      const why = `${recipe.title} should solve ${task.id}, which pays ${task.reward}`;
      return { action, why, memory };
    }
    const tried = [...(memory.tried[task.id] ?? []), recipe.name];
    return {
      action: call("genesis_mint.solve", [task.id, good.id]),
      why: `${good.id} should pass the tests of ${task.id} for ${task.reward}`,
      memory: { ...memory, tried: { ...memory.tried, [task.id]: tried } },
    };
  }
  return null;
};

const writing = ({ view }: DutySituation, recipe: Recipe): Json | null => {
  if (view.diskLeft < DISK_RESERVE_BYTES + recipe.code.length) return null;
  const id = `${view.id}_${recipe.name}_${Math.floor(view.now / 1_000)}`;
  return writeProgram(recipe, { id, price: Math.max(1, Math.round(recipe.worth / 2)) });
};

const POST_EVERY_MS = 60_000;

/** Posts a task for a program that the agent could not find. The task has one public test. */
export const postTask =
  (missed: readonly string[], rewardShare: number): Duty =>
  ({ view, memory, recipeBook }) => {
    const due = view.now - memory.postedAt >= POST_EVERY_MS;
    const name = missed.find((good) => !memory.posted.includes(good));
    const recipe = name === undefined ? undefined : recipeBook.recipeNamed(name);
    if (!due || recipe === undefined) return null;
    const reward = Math.floor(Math.min(recipe.worth * 3, view.account.scrip * rewardShare));
    const [shown, ...hidden] = mainMethod(recipe).examples;
    if (reward < recipe.worth || shown === undefined) return null;
    const args = [`${recipe.title}. ${recipe.description}`, asJson([shown]), asJson(hidden)];
    return {
      action: call("genesis_mint.post_task", args, { attach: { scrip: reward } }),
      why: `${recipe.title} is not on sale; ${reward} scrip for a program`,
      memory: { ...memory, postedAt: view.now, posted: [...memory.posted, recipe.name] },
    };
  };
