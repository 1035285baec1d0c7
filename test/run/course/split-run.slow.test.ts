import { expect, it } from "vitest";
import { Dice } from "../../../src/kernel/core/dice.ts";
import type { Journal } from "../../../src/world/index.ts";
import { PROMPT_MODEL_SETS, promptModel } from "../../support/prompt-model.ts";
import {
  AGENTS_LLM,
  checkpointAt,
  type RunSetup,
  simulate,
  withJournal,
} from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const CUTS_PER_RUN = 5;
/** A run ends with two notes about its end; no run continues from there. */
const END_NOTES = 2;

/** Splits a run at random events and compares the end of each second part with the whole run. */
const expectEqualEnds = async (run: RunSetup, seed: number): Promise<ReadonlySet<string>> => {
  const dice = Dice.of(seed, "cuts");
  const whole = await simulate(temporaryFolder(), run);
  const { first, kinds } = await withJournal(whole.folder, (journal) => ({
    first: endOfOpening(journal),
    kinds: new Set([...journal.events()].map(({ kind }) => kind)),
  }));
  for (let cut = 0; cut < CUTS_PER_RUN; cut += 1) {
    const seq = first + dice.pick(whole.lastSeq - END_NOTES - first + 1);
    const from = await checkpointAt(whole.folder, seq);
    const rest = await simulate(temporaryFolder(), { ...run, agents: null, from });
    expect(`cut at ${from.seq}: ${rest.stateHash}`).toBe(`cut at ${from.seq}: ${whole.stateHash}`);
  }
  return kinds;
};

/** The last event of the first commit, in which the world is created. */
const endOfOpening = (journal: Journal): number => {
  const created = [...journal.events({ kind: "agent_created" })].filter(({ atMs }) => atMs === 0);
  return created.at(-1)?.seq ?? 1;
};

it.each([1, 2])("a run of seed %s in two parts equals the run in one part", async (seed) => {
  await expectEqualEnds({ sets: [`run.seed=${seed}`, "run.duration_s=40"] }, seed);
});

it.each(["memory.embedder=hashed", "memory.backend=artifact"])(
  "a run on language models and workflows in two parts equals the run in one part: %s",
  async (memory) => {
    const sets = [
      "run.duration_s=12",
      ...PROMPT_MODEL_SETS,
      "virtual.think_ms.llm=[300,1500]",
      "agent.working_memory.enabled=true",
      memory,
    ];
    const run = { agents: AGENTS_LLM, sets, order: { fetch: promptModel } };
    expect([...(await expectEqualEnds(run, 1))]).toEqual(
      expect.arrayContaining([
        "memory_recorded",
        "memory_written",
        "agent_state_changed",
        "action_refused",
      ]),
    );
  },
);
