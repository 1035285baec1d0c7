import { expect, it } from "vitest";
import type { Journal } from "../../../src/world/index.ts";
import { Dice } from "../../support/dice.ts";
import { PROMPT_MODEL_SETS, promptModel } from "../../support/prompt-model.ts";
import {
  AGENTS_LLM,
  cutAt,
  passingFolder,
  runWhole,
  withJournal,
} from "../../support/whole-run.ts";

const SEEDS = [1, 2, 3, 4, 5] as const;
const CUTS_PER_SEED = 10;
/** A run ends with notes of its end, which where it cannot be resumed. */
const END_NOTES = 2;

it.each(SEEDS)(
  "a run of seed %s is the same when it is cut anywhere and continues elsewhere",
  async (seed) => {
    const dice = new Dice(seed);
    const sets = [`run.seed=${seed}`, "run.duration_s=100"];
    const whole = await runWhole(passingFolder(), { sets });
    const first = await withJournal(whole.folder, endOfOpening);
    for (let cut = 0; cut < CUTS_PER_SEED; cut += 1) {
      const from = await cutAt(whole.folder, first + dice.upTo(whole.lastSeq - END_NOTES - first));
      const rest = await runWhole(passingFolder(), { agents: null, sets, from });
      expect(`cut at ${from.seq}: ${rest.stateHash}`).toBe(
        `cut at ${from.seq}: ${whole.stateHash}`,
      );
    }
  },
);

const ON_MODELS = [
  "run.duration_s=12",
  ...PROMPT_MODEL_SETS,
  "virtual.think_ms.llm=[300,1500]",
  "agent.working_memory.enabled=true",
];

it.each(["hashed in an index", "in artifacts"])(
  "so is one of agents on language models and workflows, with memories %s",
  async (where) => {
    const memory = where === "in artifacts" ? "memory.backend=artifact" : "memory.embedder=hashed";
    const sets = [...ON_MODELS, memory];
    const run = { sets, order: { fetch: promptModel } };
    const whole = await runWhole(passingFolder(), { ...run, agents: AGENTS_LLM });
    const done = await withJournal(whole.folder, (journal) => ({
      first: endOfOpening(journal),
      kinds: new Set([...journal.events()].map(({ kind }) => kind)),
    }));
    expect([...done.kinds]).toEqual(
      expect.arrayContaining(["memory_recorded", "memory_kept", "agent_slept", "action_refused"]),
    );
    const dice = new Dice(1);
    for (let cut = 0; cut < CUTS_PER_SEED; cut += 1) {
      const from = await cutAt(
        whole.folder,
        done.first + dice.upTo(whole.lastSeq - END_NOTES - done.first),
      );
      const rest = await runWhole(passingFolder(), { ...run, agents: null, from });
      expect(`cut at ${from.seq}: ${rest.stateHash}`).toBe(
        `cut at ${from.seq}: ${whole.stateHash}`,
      );
    }
  },
);

/** Until then the world is being made, in one commit. */
const endOfOpening = (journal: Journal): number => {
  const born = [...journal.events({ kind: "agent_created" })].filter(({ atMs }) => atMs === 0);
  return born.at(-1)?.seq ?? 1;
};
