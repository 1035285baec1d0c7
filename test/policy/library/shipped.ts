import { fileURLToPath } from "node:url";
import { type Json, must } from "../../../src/kernel/index.ts";
import { loadLibrary, recipeBookOf } from "../../../src/policy/index.ts";
import { run } from "./engine-runner.ts";

export const SHIPPED_FOLDER = fileURLToPath(new URL("../../../agents/library", import.meta.url));

export type Recipe = ReturnType<typeof loadLibrary>[number];

/** The programs that come with the product. */
export const shipped = loadLibrary(SHIPPED_FOLDER);

/** The programs with their variants. */
export const everything = recipeBookOf(shipped).goods;

export const variantsOf = (program: Recipe): readonly Recipe[] =>
  recipeBookOf([program]).goods.slice(1);

export const parametersOf = ({ interface: { methods } }: Recipe): readonly string[] =>
  Object.keys(methods[0]?.input_schema.properties ?? {});

export const recipe = (name: string): Recipe =>
  must(
    shipped.find((each) => each.name === name),
    `the library has a program ${name}`,
  );

/** The result of a shipped program, named "name" or "name.method"; throws its refusal. */
export function answer(program: string, ...args: readonly unknown[]): Json {
  const [name = "", method = "run"] = program.split(".");
  const outcome = run(recipe(name).code, method, JSON.parse(JSON.stringify(args)));
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.result;
}

/** A linear congruential generator, good enough to choose samples. */
export function dice(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % bound;
  };
}
