import type { Json, JsonObject } from "../../kernel/index.ts";

/** A small program that the mock model can write. */
export type MockProgram = {
  /** The end of the artifact's id. */
  readonly slug: string;
  readonly about: string;
  readonly code: string;
  /** Names and JSON types of the arguments. */
  readonly parameters: JsonObject;
  readonly example: { readonly args: readonly Json[]; readonly result: Json };
};

type Variant = (k: number) => Omit<MockProgram, "slug" | "parameters">;

type Family = { readonly name: string; readonly parameters: JsonObject; readonly variant: Variant };

const NUMBER = { type: "number" };
const TEXT = { type: "string" };
const LIST = { type: "array" };
const SENTENCE = "a short sentence with several words";
const LETTERS = "abcdefghijkl";

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, at) => at + 1);

/** Each family has one program for each number `k`, so that agents write different programs. */
const FAMILIES: readonly Family[] = [
  {
    name: "times",
    parameters: { x: NUMBER },
    variant: (k) => ({
      about: `Multiplies a number by ${k}.`,
      code: `function run(x) { return x * ${k} }`,
      example: { args: [7], result: 7 * k },
    }),
  },
  {
    name: "markup",
    parameters: { price: NUMBER },
    variant: (k) => ({
      about: `Adds ${k} % to a price and rounds it to cents.`,
      code: `function run(price) { return Math.round(price * ${100 + k}) / 100 }`,
      example: { args: [200], result: 200 + 2 * k },
    }),
  },
  {
    name: "long_words",
    parameters: { text: TEXT },
    variant: (k) => ({
      about: `Counts the words of a text that have more than ${k} letters.`,
      code:
        "function run(text) {\n  const words = String(text).split(/\\s+/)\n" +
        `  return words.filter((word) => word.length > ${k}).length\n}`,
      example: {
        args: [SENTENCE],
        result: SENTENCE.split(" ").filter((word) => word.length > k).length,
      },
    }),
  },
  {
    name: "every",
    parameters: { text: TEXT },
    variant: (k) => ({
      about: `Keeps the first of every ${k} letters of a text.`,
      code:
        "function run(text) {\n" +
        `  return [...String(text)].filter((_, i) => i % ${k} === 0).join("")\n}`,
      example: { args: [LETTERS], result: [...LETTERS].filter((_, i) => i % k === 0).join("") },
    }),
  },
  {
    name: "groups",
    parameters: { items: LIST },
    variant: (k) => ({
      about: `Splits a list into groups of ${k}.`,
      code:
        "function run(items) {\n  const groups = []\n" +
        `  for (let i = 0; i < items.length; i += ${k}) groups.push(items.slice(i, i + ${k}))\n` +
        "  return groups\n}",
      example: {
        args: [[...upTo(6)]],
        result: upTo(Math.ceil(6 / k)).map((n) => upTo(6).slice((n - 1) * k, n * k)),
      },
    }),
  },
  {
    name: "multiples",
    parameters: { limit: NUMBER },
    variant: (k) => ({
      about: `Adds up the multiples of ${k} that are at most a limit, which may be up to 10000.`,
      code:
        "function run(limit) {\n  let total = 0\n" +
        `  for (let n = ${k}; n <= Math.min(limit, 10000); n += ${k}) total += n\n` +
        "  return total\n}",
      example: { args: [20], result: sum(upTo(20).filter((n) => n % k === 0)) },
    }),
  },
  {
    name: "limit",
    parameters: { value: NUMBER },
    variant: (k) => ({
      about: `Limits a number to the range from 0 to ${10 * k}.`,
      code: `function run(value) { return Math.max(0, Math.min(${10 * k}, value)) }`,
      example: { args: [1_000], result: 10 * k },
    }),
  },
  {
    name: "smooth",
    parameters: { numbers: LIST },
    variant: (k) => ({
      about: `Replaces each number of a list by the mean of itself and up to ${k} before it.`,
      code:
        "function run(numbers) {\n  return numbers.map((_, i) => {\n" +
        `    const near = numbers.slice(Math.max(0, i - ${k}), i + 1)\n` +
        "    return near.reduce((a, b) => a + b, 0) / near.length\n  })\n}",
      example: { args: [[4, 4, 4, 4]], result: [4, 4, 4, 4] },
    }),
  },
  {
    name: "digits",
    parameters: { number: NUMBER },
    variant: (k) => ({
      about: `Writes a whole number with at least ${k} digits.`,
      code: `function run(number) { return String(Math.round(number)).padStart(${k}, "0") }`,
      example: { args: [7], result: "7".padStart(k, "0") },
    }),
  },
  {
    name: "power",
    parameters: { x: NUMBER },
    variant: (k) => ({
      about: `Raises a number to the power of ${k}.`,
      code:
        "function run(x) {\n  let result = 1\n" +
        `  for (let i = 0; i < ${k}; i++) result *= x\n  return result\n}`,
      example: { args: [2], result: 2 ** k },
    }),
  },
  {
    name: "countdown",
    parameters: { from: NUMBER },
    variant: (k) => ({
      about: `Counts down from a number, at most 1000, in steps of ${k}.`,
      code:
        "function run(from) {\n  const steps = []\n" +
        `  for (let n = Math.min(from, 1000); n > 0; n -= ${k}) steps.push(n)\n  return steps\n}`,
      example: { args: [20], result: upTo(Math.ceil(20 / k)).map((n) => 20 - (n - 1) * k) },
    }),
  },
  {
    name: "shorten",
    parameters: { text: TEXT },
    variant: (k) => ({
      about: `Shortens a text to its first ${k} words.`,
      code: `function run(text) { return String(text).split(/\\s+/).slice(0, ${k}).join(" ") }`,
      example: { args: [SENTENCE], result: SENTENCE.split(" ").slice(0, k).join(" ") },
    }),
  },
];

const SMALLEST = 2;
const LARGEST = 9;

export const PROGRAMS: readonly MockProgram[] = FAMILIES.flatMap(({ name, parameters, variant }) =>
  upTo(LARGEST)
    .filter((k) => k >= SMALLEST)
    .map((k) => ({ slug: `${name}_${k}`, parameters, ...variant(k) })),
);

type TaskProgram = MockProgram & { readonly about: string; readonly task: RegExp };

/** Programs that pass the tests of some shipped tasks. `task` matches the task's description. */
export const TASK_PROGRAMS: readonly TaskProgram[] = [
  {
    task: /Roman numerals/,
    slug: "roman",
    about: "Writes a whole number from 1 to 3999 in Roman numerals.",
    parameters: { number: NUMBER },
    code: `function run(number) {
  const values = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1]
  const signs = ["M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"]
  let text = ""
  values.forEach((value, i) => {
    for (; number >= value; number -= value) text += signs[i]
  })
  return text
}`,
    example: { args: [1994], result: "MCMXCIV" },
  },
  {
    task: /prime numbers up to/,
    slug: "primes",
    about: "Lists the prime numbers up to a number.",
    parameters: { limit: NUMBER },
    code: `function run(limit) {
  const primes = []
  for (let n = 2; n <= Math.min(limit, 5000); n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  }
  return primes
}`,
    example: { args: [10], result: [2, 3, 5, 7] },
  },
  {
    task: /Gini coefficient/,
    slug: "gini",
    about: "Computes the Gini coefficient of a list of amounts.",
    parameters: { amounts: LIST },
    code: `function run(amounts) {
  const sorted = [...amounts].sort((a, b) => a - b)
  const n = sorted.length
  const total = sorted.reduce((a, b) => a + b, 0)
  if (total === 0) return 0
  return sorted.reduce((sum, x, i) => sum + (2 * (i + 1) - n - 1) * x, 0) / (n * total)
}`,
    example: { args: [[0, 0, 0, 100]], result: 0.75 },
  },
];
