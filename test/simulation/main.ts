/**
 * Long random worlds under an auditor:
 * `npm run simulate -- --seed 7 [--commands 5000] [--minutes 10]`.
 * A failure prints the seed, what went wrong, and the command that repeats it.
 */
import { parseArgs } from "node:util";
import { CHAOS_PHYSICS, chaos } from "./chaos.ts";

const flags = { seed: "1", commands: "5000", minutes: "0" };

const { values } = (() => {
  try {
    const options = Object.entries(flags).map(
      ([name, value]) => [name, { type: "string", default: value }] as const,
    );
    return parseArgs({ options: Object.fromEntries(options) });
  } catch (error) {
    console.error(`simulate: ${error instanceof Error ? error.message : error}`);
    console.error("simulate: it takes --seed N --commands N --minutes N");
    process.exit(2);
  }
})();
const commands = Number(values.commands);
const until = performance.now() + Number(values.minutes) * 60_000;

let seed = Number(values.seed);
do {
  try {
    const { succeeded, byKind } = await chaos(CHAOS_PHYSICS, { seed, commands });
    const events = [...byKind.values()].reduce((sum, count) => sum + count, 0);
    console.log(
      `seed ${seed}: ${commands} actions, ${succeeded} succeeded, ${events} events: PASSED`,
    );
  } catch (error) {
    console.log(`seed ${seed}: FAILED: ${error instanceof Error ? error.message : error}`);
    console.log(`again: npm run simulate -- --seed ${seed} --commands ${commands}`);
    process.exitCode = 1;
    break;
  }
  seed += 1;
} while (performance.now() < until);
