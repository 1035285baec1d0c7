/**
 * Whole worlds with faults, each from one seed:
 * `npm run simulate -- --seed 7 [--runs 100] [--minutes 10]`.
 * With `--commands 5000` the kernel alone, with random commands.
 * A failure prints the seed, the error, and the command that repeats it.
 */
import { parseArgs } from "node:util";
import { RANDOM_PHYSICS, runRandomCommands } from "./random-commands.ts";
import { Summary } from "./whole/summary.ts";
import { simulateWorld } from "./whole/whole-world.ts";

const flags = { seed: "1", runs: "", minutes: "", commands: "" };

const { values } = (() => {
  try {
    const options = Object.entries(flags).map(
      ([name, value]) => [name, { type: "string", default: value }] as const,
    );
    return parseArgs({ options: Object.fromEntries(options) });
  } catch (error) {
    console.error(`simulate: ${error instanceof Error ? error.message : error}`);
    console.error("simulate: the flags are --seed N --runs N --minutes N --commands N");
    process.exit(2);
  }
})();

const first = Number(values.seed);
const until = performance.now() + Number(values.minutes || "Infinity") * 60_000;
const runs = Number(values.runs || (values.minutes === "" ? "1" : "Infinity"));
const summary = new Summary();

/** Rejects with an error thrown outside the awaited promises, which fails the current world. */
let uncaught = Promise.withResolvers<never>();
process.on("uncaughtException", (error) => uncaught.reject(error));

/** Returns the line that is printed for this world. */
const simulate = async (seed: number): Promise<string> => {
  if (values.commands === "") {
    return summary.add(await Promise.race([simulateWorld(seed), uncaught.promise]));
  }
  const commands = Number(values.commands);
  const { succeeded, byKind } = await runRandomCommands(RANDOM_PHYSICS, { seed, commands });
  const events = [...byKind.values()].reduce((sum, count) => sum + count, 0);
  return `${commands} actions, ${succeeded} succeeded, ${events} events`;
};

for (let seed = first; seed < first + runs && performance.now() < until; seed += 1) {
  const startMs = performance.now();
  uncaught = Promise.withResolvers();
  uncaught.promise.catch(() => undefined);
  try {
    const line = await simulate(seed);
    console.log(`seed ${seed}: ${line}, ${Math.round(performance.now() - startMs)} ms: PASSED`);
  } catch (error) {
    const commands = values.commands === "" ? "" : ` --commands ${values.commands}`;
    const isFinding = error instanceof Error && error.name === "Finding";
    const text = error instanceof Error && !isFinding ? error.stack : String(error);
    console.log(`seed ${seed}: FAILED: ${text}`);
    console.log(`again: npm run simulate -- --seed ${seed}${commands}`);
    summary.failed += 1;
    process.exitCode = 1;
  }
}
for (const line of summary.lines()) console.log(line);
process.exit();
