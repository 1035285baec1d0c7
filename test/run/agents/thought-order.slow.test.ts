import { describe, expect, it } from "vitest";
import {
  AGENTS,
  type Fetch,
  faulty,
  ONE_BY_ONE,
  runOf,
  runWithPauses,
  shuffled,
} from "../../support/parallel-model-run.ts";
import { promptModel } from "../../support/prompt-model.ts";
import {
  checkpointAt,
  prepareRun,
  resumeRun,
  simulate,
  withJournal,
} from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("thoughts in simulated time", () => {
  const seed = 1;
  const seeded = `run.seed=${seed}`;
  let made: ReturnType<typeof simulate> | undefined;
  /** The run without parallel thoughts, made once. */
  const serialRun = (): ReturnType<typeof simulate> => {
    made ??= simulate(temporaryFolder(), runOf(promptModel, seeded, ONE_BY_ONE));
    return made;
  };

  it("run in parallel, and the order of the answers changes nothing", async () => {
    const serial = await serialRun();
    const server = shuffled(seed);
    const parallel = await simulate(temporaryFolder(), runOf(server.fetch, seeded));
    expect(server.most).toBeGreaterThan(4);
    expect(parallel.journalHash).toBe(serial.journalHash);
  });

  it("fail in the same way in any order", async () => {
    const serial = await simulate(temporaryFolder(), runOf(faulty, seeded, ONE_BY_ONE));
    const parallel = await simulate(temporaryFolder(), runOf(shuffled(seed, faulty).fetch, seeded));
    expect(parallel.journalHash).toBe(serial.journalHash);
    const failed = await withJournal(parallel.folder, (journal) => [
      ...journal.events({ kind: "thought_failed" }),
    ]);
    expect(failed.length).toBeGreaterThan(2);
  });

  it("reach the model budget of the run at the same thought in any order", async () => {
    const cap = "budget.max_api_cost_usd=0.03";
    const serial = await simulate(temporaryFolder(), runOf(promptModel, seeded, ONE_BY_ONE, cap));
    expect(serial.stoppedBy).toBe("max_cost");
    const parallel = await simulate(temporaryFolder(), runOf(shuffled(seed).fetch, seeded, cap));
    expect(parallel.stoppedBy).toBe("max_cost");
    expect(parallel.journalHash).toBe(serial.journalHash);
  });

  it("wait while a person pauses the run", async () => {
    const serial = await serialRun();
    const { pauses, result } = await runWithPauses(runOf(shuffled(seed).fetch, seeded));
    expect(pauses).toBeGreaterThan(3);
    expect(result.journalHash).toBe(serial.journalHash);
  });
});

it("a run that is split between any two events ends in the same state", async () => {
  const run = runOf(faulty);
  const whole = await simulate(temporaryFolder(), run);
  const cuts = await withJournal(whole.folder, (journal) =>
    [...journal.events({ kind: "thought_started" })].map(({ seq }) => seq),
  );
  const from = await checkpointAt(whole.folder, cuts[20] ?? 0);
  expect(from.thoughts.length).toBeGreaterThan(1);
  const setup = { ...runOf(shuffled(20, faulty).fetch), agents: null, from };
  const rest = await simulate(temporaryFolder(), setup);
  expect(rest.stateHash).toBe(whole.stateHash);
});

it("a stopped run resumes its thoughts with the answers that it has recorded", async () => {
  let asked = 0;
  const counting: Fetch = (url, init) => {
    asked += 1;
    return promptModel(url, init);
  };
  const inOne = await simulate(temporaryFolder(), runOf(counting));
  const once = asked;
  asked = 0;
  const launch = prepareRun(temporaryFolder(), runOf(counting));
  let seen = 0;
  launch.runner.follow((rows) => {
    seen += rows.filter(({ kind }) => kind === "thought_completed").length;
    // After the answers of this turn are recorded.
    if (seen >= 12) setImmediate(() => setTimeout(() => launch.runner.stop("signal")));
  });
  await launch.run();
  const resumed = await resumeRun(launch.directory.folder, { ...runOf(counting), agents: null });
  expect(resumed.stateHash).toBe(inOne.stateHash);
  expect(asked).toBeLessThanOrEqual(once + AGENTS.length);
});
