/**
 * Kills real runs at random moments and resumes them: `npm run kills -- [--seed 1] [--kills 200]`.
 * A failure prints the seed, the error, and the command that repeats it.
 */
import { parseArgs } from "node:util";
import { killAndResume } from "./kills.ts";

/** After this number of kills a new run starts. */
const KILLS_PER_RUN = 10;

const { values } = parseArgs({
  options: { seed: { type: "string", default: "1" }, kills: { type: "string", default: "200" } },
});
const [first, kills] = [Number(values.seed), Number(values.kills)];

let [done, events] = [0, 0];
for (let seed = first; done < kills; seed += 1) {
  try {
    const killed = await killAndResume({ seed, kills: Math.min(KILLS_PER_RUN, kills - done) });
    done += killed.kills;
    events += killed.events;
    console.log(`seed ${seed}: ${killed.kills} kills, ${killed.events} events, nothing lost`);
  } catch (error) {
    console.log(`seed ${seed}: FAILED: ${error instanceof Error ? error.message : error}`);
    console.log(`again: npm run kills -- --seed ${seed} --kills ${KILLS_PER_RUN}`);
    process.exitCode = 1;
    break;
  }
}
console.log(`${done} kills, ${events} events`);
