import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCalls } from "../../../src/model/index.ts";
import { agentProblem } from "../../../src/run/agents/agent-minds.ts";
import { JournalFailure } from "../../../src/world/index.ts";
import { verifyJournal } from "../../../src/world/verify/verify-journal.ts";
import { withDiskLimit } from "../../support/disk-limit.ts";
import { runOf, shuffled } from "../../support/parallel-model-run.ts";
import { promptModel } from "../../support/prompt-model.ts";
import {
  type FinishedRun,
  prepareRun,
  resumeRun,
  simulate,
  withJournal,
} from "../../support/simulation-run.ts";
import { sharedFolder, temporaryFolder } from "../../support/temporary-folder.ts";

/** Each recorded call, as the time of its thought and its request. */
const callsIn = (folder: string): Promise<readonly string[]> =>
  withJournal(folder, (journal) =>
    [...readCalls(journal.modelCalls())].map((read) => {
      if (!read.ok) throw new Error(read.problem);
      const { call } = read;
      return `${call.atMs} ${call.request.agent} ${call.request.purpose} ${call.key}`;
    }),
  );

/** How many thoughts the journal has started and not ended. */
const openIn = (folder: string): Promise<number> =>
  withJournal(folder, (journal) => {
    const countOf = (kind: string): number => [...journal.events({ kind })].length;
    const ended = ["thought_completed", "thought_failed", "thought_dropped"].map(countOf);
    return countOf("thought_started") - ended.reduce((sum, each) => sum + each, 0);
  });

const problemsIn = (folder: string): Promise<readonly unknown[]> =>
  withJournal(folder, (journal) =>
    verifyJournal(journal, agentProblem).checks.filter(({ ok }) => !ok),
  );

describe("a journal that fails while models think in parallel", () => {
  const folder = sharedFolder();
  let made: Promise<FinishedRun> | null = null;
  /** The run on a disk with room, which all tests share. */
  const wholeRun = (): Promise<FinishedRun> => {
    made ??= simulate(folder, runOf(promptModel));
    return made;
  };

  /** Ends the broken run, and resumes it on a disk with room. */
  const expectSameEnd = async (launch: ReturnType<typeof prepareRun>): Promise<number> => {
    const ended = await launch.run();
    const { folder } = launch.directory;
    expect(ended).toMatchObject({ stoppedBy: "error" });
    expect(ended.problem).toMatch(/^[^\n]*no room[^\n]*$|^[^\n]*the disk is full[^\n]*$/);
    expect(await problemsIn(folder)).toEqual([]);
    const open = await openIn(folder);
    const whole = await wholeRun();
    const resumed = await resumeRun(folder, { ...runOf(promptModel), agents: null });
    expect(resumed.problem).toBeNull();
    expect(resumed.stateHash).toBe(whole.stateHash);
    expect((await callsIn(folder)).toSorted()).toEqual((await callsIn(whole.folder)).toSorted());
    expect(await problemsIn(folder)).toEqual([]);
    return open;
  };

  it("stops the run with one line, and the run resumes once there is room", async () => {
    const { size } = statSync(join((await wholeRun()).folder, "journal.db"));
    let open = 0;
    for (const share of [0.6, 0.9]) {
      const freeBytes = Math.floor(size * share);
      const run = runOf(shuffled(freeBytes).fetch);
      const launch = withDiskLimit(freeBytes, () => prepareRun(temporaryFolder(), run));
      open += await expectSameEnd(launch);
    }
    expect(open).toBeGreaterThan(0);
  });

  it.each([1, 20])("records call %i in no part", async (nth) => {
    const launch = prepareRun(temporaryFolder(), runOf(shuffled(nth).fetch));
    const { journal } = launch.runner;
    const { noteModelCall } = journal;
    let count = 0;
    journal.noteModelCall = (write) => {
      count += 1;
      if (count < nth) return noteModelCall.call(journal, write);
      throw new JournalFailure("no room");
    };
    expect(await expectSameEnd(launch)).toBeGreaterThan(0);
  });
});
