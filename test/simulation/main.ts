/**
 * Long random worlds under an auditor:
 * `npm run simulate -- --seed 7 [--commands 5000] [--minutes 10]`.
 * A failure prints the seed, what went wrong, and the command that repeats it.
 */
import { parseArgs } from "node:util";
import { CHAOS_PHYSICS, chaos } from "./chaos.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    commands: { type: "string", default: "5000" },
    minutes: { type: "string", default: "0" },
  },
});
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
