import { fileURLToPath } from "node:url";
import {
  type Json,
  loadLibrary,
  makeCatalogue,
  type Recipe,
} from "../../../src/mind/library/index.ts";
import { run } from "./engine-runner.ts";

export const SHIPPED_FOLDER = fileURLToPath(new URL("../../../agents/library", import.meta.url));

/** The programs that come with the product. */
export const shipped = makeCatalogue(loadLibrary(SHIPPED_FOLDER));

export function recipe(name: string): Recipe {
  const found = shipped.named(name);
  if (found === undefined) {
    throw new Error(`the library has no program ${name}`);
  }
  return found;
}

/**
 * What a method of a shipped program returns, given as "name" or "name.method"; throws its refusal.
 */
export function answer(program: string, ...args: readonly unknown[]): Json {
  const [name = "", method = "run"] = program.split(".");
  const outcome = run(recipe(name).code, method, JSON.parse(JSON.stringify(args)));
  if (!outcome.ok) {
    throw new Error(outcome.reason);
  }
  return outcome.result;
}

/** Dice that always fall the same way: a linear congruence, good enough to choose samples. */
export function dice(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % bound;
  };
}
