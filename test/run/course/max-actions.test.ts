import { join } from "node:path";
import { expect, it } from "vitest";
import { runFigures } from "../../../src/figures/index.ts";
import { asId } from "../../../src/kernel/index.ts";
import { Launch } from "../../../src/run/index.ts";
import { writePersonas } from "../../support/model-run.ts";
import {
  checkpointAt,
  prepareRun,
  resumeRun,
  resumption,
  simulate,
  withJournal,
} from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const IDLER = { mind: "script", script: [{ noop: {} }], script_loop: true };

const idlers = (): string => {
  const folder = join(temporaryFolder(), "agents");
  writePersonas(folder, { ann: IDLER, bob: IDLER });
  return folder;
};

const upTo = (max: number): readonly string[] => ["run.duration_s=60", `run.max_actions=${max}`];

const actionsOf = (folder: string): Promise<number> =>
  withJournal(folder, (journal) => runFigures(journal).activity.actions.total);

/** A run in which the escrow, which has no loop, has acted three times before all others. */
const begun = async (max: number): Promise<string> => {
  const launch = prepareRun(temporaryFolder(), { agents: idlers(), sets: upTo(max) });
  const { world } = launch.runner;
  const principal = asId("genesis_escrow");
  for (const action of [{ noop: {} }, { steal: {} }, { noop: {} }]) {
    world.submit({ kind: "take_action", at_ms: 0, principal, action });
  }
  expect(await launch.run()).toMatchObject({ stoppedBy: "max_actions" });
  return launch.directory.folder;
};

it("a run stops at its number of actions, of any actor and over all its parts", async () => {
  const folder = await begun(20);
  expect(await actionsOf(folder)).toBe(20);
  expect(await resumeRun(folder, { sets: upTo(31) })).toMatchObject({ stoppedBy: "max_actions" });
  expect(await actionsOf(folder)).toBe(31);
});

it.each([20, 7])("a run with 20 actions is not resumed with --max-actions %d", async (max) => {
  const folder = await begun(20);
  const refused = Launch.resume(resumption(folder, { sets: upTo(max) }));
  const cure = "set --max-actions above 20; it counts all actions of the run";
  const problems = [expect.stringContaining(`taken 20 actions; ${cure}`)];
  expect(refused).toMatchObject({ ok: false, isUsersMistake: true, problems });
  expect(await actionsOf(folder)).toBe(20);
});

it("a fork counts only its own actions", async () => {
  const folder = await begun(20);
  const { seq } = await withJournal(folder, (journal) => journal.head());
  const from = await checkpointAt(folder, seq);
  const forked = await simulate(temporaryFolder(), { agents: null, sets: upTo(7), from });
  expect(forked).toMatchObject({ stoppedBy: "max_actions" });
  expect(await actionsOf(forked.folder)).toBe(7);
});
