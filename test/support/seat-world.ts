import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { SELLS_DOUBLER } from "./seats.ts";
import { type RunningSim, startSim } from "./sim.ts";
import { filled, temporaryFolder } from "./temporary-folder.ts";

/** A shop with a program for sale that writes to ada, a customer of ada, and two seats. */
const FILES = {
  "agents/shop/agent.yaml": `id: shop
mind: script
script:
${SELLS_DOUBLER}  - invoke_artifact:
      { artifact_id: genesis_messenger, method: send, args: [ada, "What do you sell?"] }
  - wait: 1000000
  - noop: {}
`,
  "agents/customer/agent.yaml": `id: customer
mind: script
script_loop: true
script:
  - invoke_artifact: { artifact_id: ada_next, args: [1] }
  - wait: 20
`,
  "agents/ada/agent.yaml": "id: ada\nmind: seat\nvalues: { shop_doubler: 8 }\n",
  "agents/bob/agent.yaml": "id: bob\nmind: seat\nseat: { absent: noop, absent_after_s: 0 }\n",
  "next.js": "function run(n) { return n + 1 }\n",
};

/** A run of this world in the folder `cwd`. `clock` gives its flags. The caller stops it. */
export const seatWorldIn = async (cwd: string, ...clock: readonly string[]) => {
  filled(cwd, FILES);
  const quiet = ["--set", "resources.windows.actions=100000"];
  const run = startSim(cwd, "run", "--name", "live", ...clock, "--duration", "36000", ...quiet);
  await run.until(/run live in/);
  return { cwd, run };
};

/** A run of this world until the end of the test. */
export const seatWorld = async (...clock: readonly string[]) => {
  const world = await seatWorldIn(temporaryFolder(), ...clock);
  onTestFinished(async () => void (await stopped(world.run)));
  return world;
};

export const tokenIn = (cwd: string, agent: string): string =>
  JSON.parse(readFileSync(join(cwd, "runs/live/seats.json"), "utf8"))[agent];

/** Stops a run as Ctrl-C does. */
export const stopped = async (run: RunningSim): Promise<number | null> => {
  run.kill("SIGINT");
  return (await run.ended).code;
};
