import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Launch } from "../../../src/run/index.ts";
import { JournalFailure } from "../../../src/world/index.ts";
import { withDiskLimit } from "../../support/disk-limit.ts";
import {
  newRun,
  prepareRun,
  resumeRun,
  resumption,
  simulate,
} from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const SETS = ["run.duration_s=5"];

it("a run that does not fit on the disk leaves no files", async () => {
  const order = { ...newRun(temporaryFolder(), { sets: SETS }), runId: "first" };
  const refused = withDiskLimit(40_000, () => Launch.start(order));
  expect(refused).toMatchObject({ ok: false, isUsersMistake: false });
  expect(refused.ok ? [] : refused.problems.join()).toMatch("the disk is full");
  expect(existsSync(join(order.out, "first"))).toBe(false);
  const launched = Launch.start(order);
  expect(launched.ok && (await launched.launch.run()).problem).toBeNull();
});

it("a run cannot be resumed on a full disk, and can be when there is space", async () => {
  const { folder } = await simulate(temporaryFolder(), { sets: SETS });
  const more = { sets: SETS, order: { additionalS: 5 } };
  const resumed = withDiskLimit(0, () => Launch.resume(resumption(folder, more)));
  // The last page of the file may hold a little more, and then the run begins.
  const said = resumed.ok ? (await resumed.launch.run()).problem : resumed.problems.join();
  expect(said).toMatch("the disk is full");
  expect((await resumeRun(folder, more)).problem).toBeNull();
});

it("a run whose last state cannot be saved ends as failed", async () => {
  const launch = prepareRun(temporaryFolder(), { sets: SETS });
  const { runner, directory } = launch;
  runner.journal.saveSnapshot = () => {
    throw new JournalFailure("no room");
  };
  expect(await launch.run()).toMatchObject({ stoppedBy: "error", problem: "no room" });
  expect(readFileSync(join(directory.folder, "run.json"), "utf8")).toMatch('"status": "failed"');
});

it("a warning that cannot be written does not end the run", async () => {
  const { folder } = await simulate(temporaryFolder(), { sets: SETS });
  writeFileSync(join(folder, "memory.db"), "this is not an index".repeat(500));
  const resumed = Launch.resume(resumption(folder, { sets: SETS, order: { additionalS: 5 } }));
  if (!resumed.ok) throw new Error(resumed.problems.join());
  const { journal } = resumed.launch.runner;
  const { append } = journal;
  const unwritten: string[] = [];
  journal.append = (transaction) => {
    const [first] = transaction.events;
    if (first?.kind !== "warning_raised") return append.call(journal, transaction);
    unwritten.push(first.body);
    throw new JournalFailure("no room");
  };
  expect((await resumed.launch.run()).problem).toBeNull();
  expect(unwritten).toHaveLength(1);
});
