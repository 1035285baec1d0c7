import { expect, it } from "vitest";
import { Dice } from "../../../src/kernel/core/dice.ts";
import {
  faulty,
  ONE_BY_ONE,
  runOf,
  runWithPauses,
  shuffled,
} from "../../support/parallel-model-run.ts";
import { promptModel } from "../../support/prompt-model.ts";
import { checkpointAt, SMALL_WORLD, simulate, withJournal } from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Even seeds have a faulty model, and multiples of 5 a limit of cost. */
const SEEDS = [1, 2, 5, 10];

it.each(SEEDS)("parallel thoughts give the journal of serial thoughts, seed %s", async (seed) => {
  const sets = [`run.seed=${seed}`, "run.duration_s=12"];
  const model = seed % 2 === 0 ? faulty : promptModel;
  const cap = seed % 5 === 0 ? ["budget.max_api_cost_usd=0.04"] : [];
  const setup = (fetch: typeof model, ...more: readonly string[]) =>
    runOf(fetch, ...sets, ...cap, ...more);
  const serial = await simulate(temporaryFolder(), setup(model, ONE_BY_ONE));
  const parallel = await simulate(temporaryFolder(), setup(shuffled(seed, model).fetch));
  expect(parallel.journalHash).toBe(serial.journalHash);
  const { pauses, result: paused } = await runWithPauses(setup(shuffled(-seed, model).fetch));
  expect(pauses).toBeGreaterThan(3);
  expect(paused.journalHash).toBe(serial.journalHash);
  expect(parallel.stoppedBy).toBe(cap.length > 0 ? "max_cost" : "duration");
});

it.each([1, 2])(
  "a run that is split at three random events ends in the same state, seed %s",
  async (seed) => {
    const dice = Dice.of(seed, "cuts");
    const sets = [`run.seed=${seed}`, "run.duration_s=10", SMALL_WORLD];
    const whole = await simulate(temporaryFolder(), runOf(faulty, ...sets));
    const firstSeq = await withJournal(whole.folder, (journal) => {
      const created = [...journal.events({ kind: "agent_created" })];
      return created.at(-1)?.seq ?? 1;
    });
    for (let cut = 0; cut < 3; cut += 1) {
      const from = await checkpointAt(
        whole.folder,
        firstSeq + dice.pick(whole.lastSeq - 2 - firstSeq),
      );
      const setup = { ...runOf(shuffled(cut, faulty).fetch, ...sets), agents: null, from };
      const rest = await simulate(temporaryFolder(), setup);
      const at = `cut at ${from.seq}: `;
      expect(at + rest.stateHash).toBe(at + whole.stateHash);
    }
  },
);
