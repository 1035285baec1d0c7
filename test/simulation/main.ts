/**
 * Whole worlds with faults, each from one seed:
 * `npm run simulate -- --seed 7 [--runs 100] [--minutes 10]`.
 * With `--commands 5000` worlds of the kernel alone, in which rogues try everything.
 * A failure prints the seed, what went wrong, and the command that repeats it.
 */
import { parseArgs } from "node:util";
import { RANDOM_PHYSICS, runRandomCommands } from "./random-commands.ts";
import { Tally } from "./whole/tally.ts";
import { playWorld } from "./whole/whole-world.ts";

const flags = { seed: "1", runs: "", minutes: "", commands: "" };

const { values } = (() => {
  try {
    const options = Object.entries(flags).map(
      ([name, value]) => [name, { type: "string", default: value }] as const,
    );
    return parseArgs({ options: Object.fromEntries(options) });
  } catch (error) {
    console.error(`simulate: ${error instanceof Error ? error.message : error}`);
    console.error("simulate: it takes --seed N --runs N --minutes N --commands N");
    process.exit(2);
  }
})();

const first = Number(values.seed);
const until = performance.now() + Number(values.minutes || "Infinity") * 60_000;
const runs = Number(values.runs || (values.minutes === "" ? "1" : "Infinity"));
const tally = new Tally();

/** What is thrown where no one waits for it ends the world that is being played. */
let astray = Promise.withResolvers<never>();
process.on("uncaughtException", (error) => astray.reject(error));

/** Returns what there is to say of it. */
const play = async (seed: number): Promise<string> => {
  if (values.commands === "") {
    return tally.add(await Promise.race([playWorld(seed), astray.promise]));
  }
  const commands = Number(values.commands);
  const { succeeded, byKind } = await runRandomCommands(RANDOM_PHYSICS, { seed, commands });
  const events = [...byKind.values()].reduce((sum, count) => sum + count, 0);
  return `${commands} actions, ${succeeded} succeeded, ${events} events`;
};

for (let seed = first; seed < first + runs && performance.now() < until; seed += 1) {
  const beganMs = performance.now();
  astray = Promise.withResolvers();
  astray.promise.catch(() => undefined);
  try {
    const said = await play(seed);
    console.log(`seed ${seed}: ${said}, ${Math.round(performance.now() - beganMs)} ms: PASSED`);
  } catch (error) {
    const commands = values.commands === "" ? "" : ` --commands ${values.commands}`;
    const isFinding = error instanceof Error && error.name === "Finding";
    const told = error instanceof Error && !isFinding ? error.stack : String(error);
    console.log(`seed ${seed}: FAILED: ${told}`);
    console.log(`again: npm run simulate -- --seed ${seed}${commands}`);
    tally.failed += 1;
    process.exitCode = 1;
  }
}
for (const line of tally.lines()) console.log(line);
process.exit();
