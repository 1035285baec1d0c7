import { join } from "node:path";
import { Dice } from "../../src/kernel/core/dice.ts";
import { agentProblem } from "../../src/run/index.ts";
import { Journal, verifyJournal } from "../../src/world/index.ts";
import { emptyFolder, sim, spawnSim, startSim } from "../support/sim.ts";

/** How often the run of a seed is killed. */
export type Killing = { readonly seed: number; readonly kills: number };

export type Killed = { readonly kills: number; readonly events: number };

/** Settings under which agents do a lot in little time, so that a kill interrupts work. */
const BUSY = [
  "virtual.think_ms.policy=[1,20]",
  "agent.loop.min_delay_s=0.005",
  "resources.windows.actions=100000",
  "resources.windows.cpu_gas=100000000",
  "resources.stock.llm_budget_usd=1000",
  "mint.first_auction_s=1",
  "mint.period_s=2",
  "mint.bidding_window_s=1",
  "checkpoint.every_s=1",
].flatMap((setting) => ["--set", setting]);

/** Maximum number of new events before a kill. */
const EVENTS_BEFORE_KILL_MAX = 400;
const RUN = ["run", "--clock", "wall", "--duration", "100000", "--name", "victim", ...BUSY];

/**
 * Kills and resumes a run on the wall clock. After each kill every event that a follower printed
 * must be in the journal unchanged, and the resumed run must continue from it. At the end the
 * journal must verify. Throws if any of this fails.
 */
export const killAndResume = async ({ seed, kills }: Killing): Promise<Killed> => {
  const folder = emptyFolder();
  const dice = Dice.of(seed, "kills");
  let args: readonly string[] = [...RUN, "--seed", String(seed)];
  let known = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    const seq = known + 1 + dice.pick(EVENTS_BEFORE_KILL_MAX + 1);
    known = checkJournal(folder, await runUntilKilled(folder, args, seq), known);
    args = ["resume", "victim"];
  }
  const last = sim(folder, "resume", "victim", "--stop-after", "0.2", "--json");
  if (last.code !== 0) throw new Error(`the last resume ended with ${last.code}: ${last.err}`);
  return { kills, events: verified(folder) };
};

/** Starts the process, follows the events until event `seq` is printed, and kills the process. */
type Words = readonly string[];

const runUntilKilled = async (folder: string, args: Words, seq: number): Promise<Words> => {
  const run = spawnSim(folder, ...args, "--json");
  await run.until(/run victim in/);
  const follower = startSim(folder, "events", "victim", "--follow", "--json");
  const outcome = await Promise.race([
    follower.until(new RegExp(`"seq":${seq}\\b`)).then(() => null),
    run.ended.then(({ err }) => `the run ended by itself: ${err}`),
    follower.ended.then(({ err, code }) => `the follower ended by itself with ${code}: ${err}`),
  ]);
  if (outcome !== null) {
    run.kill("SIGKILL");
    throw new Error(outcome);
  }
  run.kill("SIGKILL");
  await run.ended;
  // The follower prints all committed events and ends when no process writes the run.
  const { out, code, err } = await follower.ended;
  if (code !== 0) throw new Error(`the follower ended with ${code}: ${err}`);
  return out.split("\n").filter((line) => line !== "");
};

/** Compares the printed events with the journal. Returns the last event of the journal. */
const checkJournal = (folder: string, printed: readonly string[], known: number): number => {
  const journal = opened(folder);
  const rows = [...journal.events()].map(({ seq, atMs, kind, principal, body }) => ({
    ...{ seq, at_ms: atMs, kind, principal },
    ...JSON.parse(body),
  }));
  journal.close();
  for (const [i, line] of printed.entries()) {
    if (JSON.stringify(rows[i]) !== line) throw new Error(`event ${i + 1} was printed as ${line}`);
  }
  if (rows.length <= known) throw new Error(`it did not continue from event ${known}`);
  return rows.length;
};

const verified = (folder: string): number => {
  const journal = opened(folder);
  const { ok, checks, events } = verifyJournal(journal, agentProblem);
  journal.close();
  const failed = checks.filter((check) => !check.ok);
  if (!ok) throw new Error(failed.map(({ name, detail }) => `${name}: ${detail}`).join("; "));
  return events;
};

const opened = (folder: string): Journal => {
  const found = Journal.open(join(folder, "runs/victim/journal.db"), { readOnly: true });
  if (!found.ok) throw new Error(found.problem);
  return found.journal;
};
