import { type Json, must } from "../../kernel/index.ts";
import type { Kind } from "./front-matter.ts";
import { mainMethod, type Recipe } from "./recipe.ts";

/** Returns an integer from 0 (inclusive) to `bound` (exclusive). */
type Picker = (bound: number) => number;

const INTEGER_MAX = 3000;

/**
 * Returns arguments for a call of `run`. If `run` requires one argument and `POOLS` has its kind,
 * the argument is random. Otherwise the arguments come from a random example, if possible one whose
 * first argument is not empty.
 */
export function sampleArgs(recipe: Recipe, pick: Picker): readonly Json[] {
  const { input_schema, examples } = mainMethod(recipe);
  const make = POOLS[recipe.takes];
  if (make !== undefined && input_schema.required.length === 1) {
    return [make(pick)];
  }
  const full = examples.filter(({ args }) => !isEmpty(args[0]));
  const choices = full.length > 0 ? full : examples;
  return choices[pick(choices.length)]?.args ?? [];
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || ["", "[]", "{}", '""'].includes(JSON.stringify(value));
}

const NAMES = ["ann", "bob", "cyd", "dan", "eve", "flo", "gus", "hal", "ivy", "jon"];
const GOODS = ["bread", "salt", "iron", "wool", "timber", "glass", "tea", "rope", "wheat", "oil"];
const TASKS = ["mine", "smelt", "saw", "forge", "weave", "glue", "paint", "pack", "ship", "sell"];

/** Each sentence has two different numbers, because some programs look for numbers in a text. */
const SENTENCES = [
  "The baker sold 120 loaves before noon and 45 after it.",
  "Prices rose by 3 scrip when the mill stood still for 8 days.",
  "A lender asks 12 scrip for 100, and the borrower asks for more time!",
  "No agent bids above 30 for a tool that earns 4 a day.",
  "Traders who buy at 9.5 and sell at 11 live on the difference.",
  "Why did 7 agents write the same program while 2 wrote nothing?",
  "The auction closed at 64; the second bid was 58.",
  "Café owners “save” 15 scrip a week by sharing 2 ovens.",
  "Rent is 1,250 a month, wages are 3,400 and the rest is profit.",
  "Good programs are short, cheap and read by 5 times as many as the 1 who wrote them.",
];

const POOLS: Readonly<Partial<Record<Kind, (pick: Picker) => Json>>> = {
  text: (pick) => some(SENTENCES, 1 + pick(4), pick).join(" "),
  words: (pick) => times(6 + pick(10), () => one(GOODS, pick)),
  integer: (pick) => 1 + pick(INTEGER_MAX),
  number: (pick) => (1 + pick(100_000)) / 100,
  integers: (pick) => times(2 + pick(4), () => 1 + pick(60)),
  numbers: (pick) => varied(4 + pick(12), pick),
  points: (pick) => varied(4 + pick(8), pick).map((y, x) => [x, y]),
  tally: (pick) =>
    Object.fromEntries(some(NAMES, 3 + pick(4), pick).map((name) => [name, 1 + pick(90)])),
  record: (pick) => ({ name: one(NAMES, pick), item: one(GOODS, pick), price: 1 + pick(40) }),
  table: (pick) =>
    times(3 + pick(5), () => ({
      seller: one(NAMES.slice(0, 4), pick),
      item: one(GOODS, pick),
      units: 1 + pick(20),
      price: 1 + pick(40),
    })),
  graph: acyclicGraph,
  goods: (pick) =>
    some(GOODS, 3 + pick(5), pick).map((name) => ({
      name,
      weight: 1 + pick(9),
      value: 1 + pick(30),
    })),
  bids: (pick) =>
    some(NAMES, 2 + pick(5), pick).map((bidder) => ({ bidder, amount: 1 + pick(60) })),
};

/** Returns a graph without cycles: each edge leads from an earlier to a later task. */
function acyclicGraph(pick: Picker): Json {
  const tasks = some(TASKS, 4 + pick(4), pick);
  return tasks.slice(1).flatMap((task, index) => {
    const before = tasks.slice(0, index + 1);
    return some(before, 1 + pick(2), pick).map((earlier) => [earlier, task, 1 + pick(9)]);
  });
}

/** Returns `count` numbers. The first two differ, so that the variance is not 0. */
function varied(count: number, pick: Picker): readonly number[] {
  const start = 1 + pick(50);
  return [start, start + 1 + pick(40), ...times(count - 2, () => 1 + pick(100))];
}

function times<T>(count: number, make: () => T): readonly T[] {
  return Array.from({ length: count }, make);
}

function one<T>(list: readonly T[], pick: Picker): T {
  return must(list[pick(list.length)], "a pick must be a whole number from 0 to bound - 1");
}

function some<T>(list: readonly T[], count: number, pick: Picker): readonly T[] {
  const left = [...list];
  return times(Math.min(count, list.length), () => {
    const chosen = one(left, pick);
    left.splice(left.indexOf(chosen), 1);
    return chosen;
  });
}
