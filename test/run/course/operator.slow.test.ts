import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { agentProblem, type Launch, type Operator } from "../../../src/run/index.ts";
import { stateHash as hashOf, restore, verifyJournal } from "../../../src/world/index.ts";
import { PROMPT_MODEL_SETS, promptModel } from "../../support/prompt-model.ts";
import {
  AGENTS_LLM,
  prepareRun,
  type RunSetup,
  simulate,
  withJournal,
} from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const SHORT: RunSetup = { sets: ["run.duration_s=20", "run.seed=4"] };

/** A run that is paused before it begins, and its end. */
const paused = async (run: RunSetup) => {
  const launch = prepareRun(temporaryFolder(), run);
  const operator = launch.runner.operate();
  return { launch, operator, message: await said(operator, "pause"), ended: launch.run() };
};

/** Lets the process continue until something holds; where it never does, says what. */
const until = async (what: string, holds: () => boolean): Promise<void> => {
  for (let turns = 0; !holds(); turns += 1) {
    if (turns > 1_000_000) throw new Error(`this did not happen: ${what}`);
    await turn();
  }
};

const step = async (operator: Operator): Promise<void> => {
  await operator.execute({ kind: "step" });
  await until("the step to end", () => operator.pace === "paused");
};

const actionsOf = ({ runner }: Launch): number =>
  runner.journal.countOf(["action_completed", "action_refused"]);

const said = async (operator: Operator, kind: "pause" | "resume" | "step"): Promise<string> =>
  (await operator.execute({ kind })).message;

/** Pauses a run again and again, sometimes after steps, while it continues. */
const interrupted = async (run: RunSetup): Promise<Awaited<ReturnType<Launch["run"]>>> => {
  const { launch, operator, ended } = await paused(run);
  const { runner } = launch;
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  for (let stop = 0; !isOver; stop += 1) {
    const atMs = runner.clock.now();
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(runner.clock.now()).toBe(atMs);
    if (stop % 2 === 0) {
      await operator.execute({ kind: "step" });
      await until("the step to end", () => operator.pace !== "stepping" || isOver);
    }
    await operator.execute({ kind: "resume" });
    for (let turns = 0; turns < 3; turns += 1) await turn();
    await operator.execute({ kind: "pause" });
  }
  return await ended;
};

it.each([
  ["of offline minds", SHORT],
  [
    "on language models",
    {
      agents: AGENTS_LLM,
      order: { fetch: promptModel },
      sets: [
        "run.duration_s=6",
        ...PROMPT_MODEL_SETS,
        "memory.embedder=hashed",
        "virtual.think_ms.llm=[300,1500]",
      ],
    } satisfies RunSetup,
  ],
])("pausing and stepping does not change a virtual run %s", async (_, run) => {
  const whole = await simulate(temporaryFolder(), run);
  const paused = await interrupted(run);
  const { stateHash, journalHash, stoppedBy } = whole;
  expect(paused).toMatchObject({ stateHash, journalHash, stoppedBy, problem: null });
});

it("a step ends with one action and pauses the run", async () => {
  const { launch, operator, message, ended } = await paused(SHORT);
  expect(message).toBe("paused at 0 s");
  for (const actions of [1, 2, 3]) {
    await step(operator);
    await launch.runner.journal.durable();
    expect(actionsOf(launch)).toBe(actions);
  }
  expect(await said(operator, "resume")).toBe("the run continues");
  expect((await ended).stoppedBy).toBe("duration");
  expect(await said(operator, "pause")).toBe("the run has ended");
});

it("a paused run on the wall clock stands still and can be stopped", async () => {
  const launch = prepareRun(temporaryFolder(), { sets: ["run.clock=wall", "run.duration_s=3600"] });
  const { runner } = launch;
  const operator = runner.operate();
  const ended = launch.run();
  await until("someone to act", () => actionsOf(launch) > 0);
  await operator.execute({ kind: "pause" });
  await runner.journal.durable();
  const place = () => ({ atMs: runner.clock.now(), head: runner.journal.head() });
  const before = place();
  const since = performance.now();
  await until("real time to pass", () => performance.now() - since > 300);
  expect(place()).toEqual(before);
  runner.stop("signal");
  expect(await ended).toMatchObject({ stoppedBy: "signal", problem: null });
  await withJournal(launch.directory.folder, (journal) => {
    expect(verifyJournal(journal, agentProblem).ok).toBe(true);
  });
});

it("the operator ends a paused run", async () => {
  const { operator, ended } = await paused(SHORT);
  await operator.execute({ kind: "stop" });
  expect(await ended).toMatchObject({ stoppedBy: "signal", problem: null });
  expect(operator.pace).toBe("over");
});

it("a paused agent does nothing until it is resumed, and the run verifies", async () => {
  const { launch, operator, ended } = await paused(SHORT);
  const { runner } = launch;
  for (let steps = 0; steps < 20; steps += 1) await step(operator);
  const [agent] = [...runner.world.state.agents.rows()].filter(({ due }) => due !== null);
  const id = agent?.id ?? "";
  const order = (kind: "pause_agent" | "resume_agent") => operator.execute({ kind, agent: id });
  expect((await order("pause_agent")).message).toBe(`${id} is paused`);
  expect((await order("pause_agent")).message).toBe(`${id} is already paused`);
  for (let steps = 0; steps < 60; steps += 1) await step(operator);
  await runner.journal.durable();
  const pausedSeq = runner.journal.head().seq;
  expect((await order("resume_agent")).message).toBe(`${id} is resumed`);
  expect((await order("resume_agent")).ok).toBe(false);
  await operator.execute({ kind: "resume" });
  const { stateHash } = await ended;
  await withJournal(launch.directory.folder, (journal) => {
    const own = [...journal.events({ principal: id })];
    const paused = own.findIndex(({ body }) => body.includes("an operator has paused it"));
    expect(own[paused + 1]?.body).toContain("an operator has resumed it");
    expect(own[paused + 1]?.seq).toBe(pausedSeq + 1);
    expect(own.slice(paused + 2).some(({ kind }) => kind === "thought_completed")).toBe(true);
    expect(hashOf(restore(journal).state)).toBe(stateHash);
    expect(verifyJournal(journal, agentProblem)).toMatchObject({ ok: true, stateHash });
  });
});

it("a world in which an operator paused all agents is not idle", async () => {
  const { launch, operator, ended } = await paused({ sets: ["run.duration_s=5"] });
  for (const { id } of launch.runner.world.state.agents.rows()) {
    await operator.execute({ kind: "pause_agent", agent: id });
  }
  await operator.execute({ kind: "resume" });
  expect(await ended).toMatchObject({ stoppedBy: "duration", atMs: 5_000 });
});

it("a paused run saves a checkpoint and refuses an unknown agent", async () => {
  const { launch, operator, ended } = await paused(SHORT);
  const { seq } = launch.runner.journal.head();
  const kept = await operator.execute({ kind: "checkpoint" });
  const message = `saved the state after event ${seq} in the journal`;
  expect(kept).toEqual({ ok: true, message });
  expect(launch.runner.journal.latestSnapshot()?.seq).toBe(seq);
  const stranger = await operator.execute({ kind: "pause_agent", agent: "ghost" });
  expect(stranger.message).toMatch(/^there is no agent "ghost"; there are ada, /);
  expect(stranger.ok).toBe(false);
  await operator.execute({ kind: "stop" });
  await ended;
});
