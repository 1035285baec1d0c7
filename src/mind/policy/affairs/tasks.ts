import type { Json } from "../../../kernel/index.ts";
import { mainMethod, type Recipe } from "../../library/index.ts";
import { plain } from "../../memory-codec.ts";
import { DISK_RESERVE, writeGood } from "../good.ts";
import { call, type Duty, type Here } from "./affairs.ts";

type Task = Here["view"]["tasks"][number];

/** How often it tries one task before it leaves it to others. */
const TRIES_MAX = 3;
/** Words no longer than this say nothing about what a program does. */
const COMMON_CHARS_MAX = 3;

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set((text.toLowerCase().match(/[a-z]+/g) ?? []).filter((w) => w.length > COMMON_CHARS_MAX));

/** How much of what the recipe says of itself is asked for, from 0 to 1. */
const likeness = (asked: ReadonlySet<string>, recipe: Recipe): number => {
  const said = wordsOf(`${recipe.title} ${recipe.description}`);
  let shared = 0;
  for (const word of said) if (asked.has(word)) shared += 1;
  return said.size === 0 ? 0 : shared / said.size;
};

/** Whether the recipe takes as many arguments as the task's first public test gives. */
const fits = (task: Task, recipe: Recipe): boolean => {
  const [test] = task.public_tests;
  const { input_schema } = mainMethod(recipe);
  const count = test?.args.length ?? 0;
  const most = Object.keys(input_schema.properties).length;
  return count >= input_schema.required.length && count <= most;
};

const LIKENESS_MIN = 0.3;

/** The program most like what a task asks for, of those not tried yet. */
const answerTo = (task: Task, { knowHow, memory }: Here): Recipe | undefined => {
  const tried = memory.tried[task.id] ?? [];
  if (tried.length >= TRIES_MAX) return undefined;
  const asked = wordsOf(task.description);
  const ranked = knowHow.catalogue.recipes
    .filter((recipe) => !tried.includes(recipe.name) && fits(task, recipe))
    .map((recipe) => ({ recipe, score: likeness(asked, recipe) }))
    .filter(({ score }) => score >= LIKENESS_MIN)
    .sort((a, b) => b.score - a.score);
  return ranked[0]?.recipe;
};

/** Solves the best paid task it knows an answer to: writes the program, then submits it. */
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
      return { action, why, affairs: memory };
    }
    const tried = [...(memory.tried[task.id] ?? []), recipe.name];
    return {
      action: call("genesis_mint.solve", [task.id, good.id]),
      why: `${good.id} should pass the tests of ${task.id} for ${task.reward}`,
      affairs: { ...memory, tried: { ...memory.tried, [task.id]: tried } },
    };
  }
  return null;
};

const writing = ({ view }: Here, recipe: Recipe): Json | null => {
  if (view.diskLeft < DISK_RESERVE + recipe.code.length) return null;
  const id = `${view.id}_${recipe.name}_${Math.floor(view.now / 1_000)}`;
  return writeGood(recipe, { id, price: Math.max(1, Math.round(recipe.worth / 2)) });
};

const POST_EVERY_MS = 60_000;

/**
 * Offers a reward for a good that was looked for in vain: one example shows what is wanted, the
 * others are the hidden tests.
 */
export const postTask =
  (missed: readonly string[], rewardShare: number): Duty =>
  ({ view, memory, knowHow }) => {
    const due = view.now - memory.postedAt >= POST_EVERY_MS;
    const name = missed.find((good) => !memory.posted.includes(good));
    const recipe = name === undefined ? undefined : knowHow.catalogue.named(name);
    if (!due || recipe === undefined) return null;
    const reward = Math.floor(Math.min(recipe.worth * 3, view.account.scrip * rewardShare));
    const [shown, ...hidden] = mainMethod(recipe).examples;
    if (reward < recipe.worth || shown === undefined) return null;
    const args = [`${recipe.title}. ${recipe.description}`, plain([shown]), plain(hidden)];
    return {
      action: call("genesis_mint.post_task", args, { attach: { scrip: reward } }),
      why: `nobody sells ${recipe.title}; ${reward} scrip for whoever writes it`,
      affairs: { ...memory, postedAt: view.now, posted: [...memory.posted, recipe.name] },
    };
  };
