import { cpSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { asId, waitingProposals } from "../../../src/kernel/index.ts";
import { agentProblem, Launch, type SimulationRunner } from "../../../src/run/index.ts";
import { isRunEvent, verifyJournal } from "../../../src/world/index.ts";
import {
  acting,
  inTurn,
  type Personas,
  runModels,
  writePersonas,
} from "../../support/model-run.ts";
import { accepts, review, says } from "../../support/reviewer.ts";
import {
  prepareRun,
  type RunSetup,
  resumption,
  SMALL_WORLD,
  withJournal,
} from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const write = (artifact_id: string, content: string) => ({
  write_artifact: { artifact_id, content },
});

/** An agent that writes two notes with its name. */
const writer = (id: string, more: object = {}) => ({
  mind: "script",
  script: [write(`${id}_1`, "first"), write(`${id}_2`, "second")],
  ...more,
});

const WRITERS: Personas = { ann: writer("ann"), bea: writer("bea"), cyd: writer("cyd") };

const SETS = [SMALL_WORLD, "run.duration_s=30", "agents.defaults.review=actions", "mint.tasks=[]"];

const setupOf = (agents: Personas, sets: readonly string[] = []): RunSetup => {
  const folder = temporaryFolder();
  writePersonas(folder, agents);
  return { agents: folder, sets: [...SETS, ...sets] };
};

const prepared = (agents: Personas, sets: readonly string[] = []): Launch =>
  prepareRun(temporaryFolder(), setupOf(agents, sets));

const resumed = (folder: string, sets: readonly string[] = []): Launch => {
  const launched = Launch.resume(resumption(folder, { agents: null, sets: [...SETS, ...sets] }));
  if (!launched.ok) throw new Error(launched.problems.join("\n"));
  return launched.launch;
};

/** Resolves when this many events of a kind are in the journal. */
const happened = (runner: SimulationRunner, kind: string, count: number): Promise<void> =>
  new Promise((resolve) => {
    let seen = 0;
    runner.follow((rows) => {
      seen += rows.filter((row) => row.kind === kind).length;
      if (seen >= count) resolve();
    });
  });

/** The events of a run, without notes about the run itself. */
const eventsOf = ({ directory }: Launch): Promise<readonly string[]> =>
  withJournal(directory.folder, (journal) =>
    [...journal.events()]
      .filter(({ kind }) => !isRunEvent(kind))
      .map(({ atMs, kind, principal, body }) => `${atMs} ${kind} ${principal} ${body}`),
  );

const kindsOf = async (launch: Launch, kinds: readonly string[]): Promise<readonly string[]> =>
  (await eventsOf(launch)).filter((event) => kinds.includes(event.split(" ")[1] ?? ""));

const textOf = ({ runner }: Launch, id: string): string | undefined =>
  runner.world.state.artifacts.get(asId(id))?.content;

const isValid = ({ directory }: Launch): Promise<boolean> =>
  withJournal(directory.folder, (journal) => verifyJournal(journal, agentProblem).ok);

describe("a run on the virtual clock", () => {
  /** Accepts every proposal after the event loop has turned this many times. */
  const reviewedAfter = async (turns: number) => {
    const launch = prepared({ ...WRITERS, dan: { mind: "policy/explorer", review: "off" } });
    const { runner } = launch;
    const operator = runner.operate();
    runner.follow(async (rows) => {
      if (!rows.some(({ kind }) => kind === "action_proposed")) return;
      // A follower can hear of events before their transaction has ended.
      await null;
      const before = runner.clock.now();
      for (let n = 0; n < turns; n += 1) await turn();
      const [first, ...others] = waitingProposals(runner.world.state);
      expect([runner.clock.now(), runner.clock.held, others]).toEqual([before, true, []]);
      await operator.execute({ kind: "accept_proposal", proposal: first?.number ?? 0 });
    });
    const result = await launch.run();
    return { launch, result };
  };

  it("waits for a reviewer, however slow the reviewer is", async () => {
    const fast = await reviewedAfter(0);
    const slow = await reviewedAfter(20);
    expect(fast.result).toMatchObject({ stoppedBy: "duration", problem: null });
    expect(slow.result).toMatchObject({
      stateHash: fast.result.stateHash,
      journalHash: fast.result.journalHash,
    });
    expect(textOf(slow.launch, "cyd_2")).toBe("second");
    expect(await isValid(slow.launch)).toBe(true);
  });

  it("continues if the agent that waits is paused", async () => {
    const launch = prepared({ ann: writer("ann"), dan: writer("dan", { review: "off" }) });
    const { runner } = launch;
    const operator = runner.operate();
    void happened(runner, "action_proposed", 1).then(async () => {
      await operator.execute({ kind: "pause_agent", agent: "ann" });
      const late = await operator.execute({ kind: "accept_proposal", proposal: 1 });
      expect(late.message).toMatch(/^proposal 1 is no longer open/);
    });
    expect((await launch.run()).stoppedBy).toBe("duration");
    expect([textOf(launch, "ann_1"), textOf(launch, "dan_2")]).toEqual([undefined, "second"]);
  });

  it("stays paused after a decision if an operator has paused it", async () => {
    const launch = prepared({ ann: writer("ann") });
    const { runner } = launch;
    const operator = runner.operate();
    void happened(runner, "action_proposed", 1).then(async () => {
      await operator.execute({ kind: "pause" });
      await operator.execute({ kind: "accept_proposal", proposal: 1 });
      expect(runner.clock.held).toBe(true);
      const stepped = await operator.execute({ kind: "resume" });
      expect(stepped).toEqual({ ok: true, message: "the run continues" });
      review(runner, []);
    });
    await launch.run();
    expect(textOf(launch, "ann_2")).toBe("second");
  });

  it("stops without an operator, and continues when it is resumed with one", async () => {
    const launch = prepared({ ann: writer("ann") });
    expect(await launch.run()).toMatchObject({ stoppedBy: "review", problem: null });
    const again = resumed(launch.directory.folder);
    const [waiting] = waitingProposals(again.runner.world.state);
    expect(waiting).toMatchObject({ agent: "ann", number: 1 });
    review(again.runner, []);
    const said = await again.runner
      .operate()
      .execute({ kind: "give_feedback", proposal: 1, text: "Only the second." });
    expect(said.message).toBe("ann: the action is not executed, and the agent gets the text");
    await again.run();
    expect([textOf(again, "ann_1"), textOf(again, "ann_2")]).toEqual([undefined, "second"]);
  });
});

describe("a run of language models that stops at each proposal", () => {
  const THINKERS: Personas = { ann: { mind: "llm" }, bea: { mind: "tools" }, cyd: { mind: "llm" } };
  const MODEL = [
    ...["llm.default_model=mock", "virtual.think_ms.llm=[300,1500]", "run.duration_s=8"],
    ...["memory.embedder=hashed"],
  ];
  /** One in three proposals gets feedback. */
  const answers = (count: number) =>
    Array.from({ length: count }, (_, n) => (n % 3 === 2 ? says("Try another.") : accepts));

  it("ends as if it had been reviewed while it ran", async () => {
    const setup = setupOf(THINKERS, MODEL);
    const whole = prepareRun(temporaryFolder(), setup);
    review(whole.runner, answers(100));
    const end = await whole.run();
    let part = prepareRun(temporaryFolder(), setup);
    let result = await part.run();
    for (const [n, answer] of answers(100).entries()) {
      if (result.stoppedBy === "duration") break;
      part = resumed(part.directory.folder, MODEL);
      const { runner } = part;
      const operator = runner.operate();
      void happened(runner, "action_proposed", 1).then(() => runner.stop("signal"));
      await operator.execute(answer({ proposal: n + 1, action: null, cost: 0, agent: null }));
      result = await part.run();
    }
    expect(result).toMatchObject({ stoppedBy: "duration", stateHash: end.stateHash });
    expect(await eventsOf(part)).toEqual(await eventsOf(whole));
    expect(part.runner.world.state.world.get("world")?.proposalsMade).toBeGreaterThan(5);
  });
});

describe("without an answer", () => {
  const DECISIONS = ["proposal_decided", "action_completed"];

  it.each([
    ["accept", "virtual"],
    ["refuse", "virtual"],
    ["accept", "wall"],
    ["refuse", "wall"],
  ])("the default `%s` decides on the %s clock", async (fallback, clock) => {
    const sets = [`agents.defaults.review_default=${fallback}`, `run.clock=${clock}`];
    const quick = ["agents.defaults.review_timeout_s=0.001", "run.duration_s=3600"];
    const launch = prepared({ ann: writer("ann") }, [...sets, ...quick]);
    expect(await launch.run()).toMatchObject({ stoppedBy: "idle", problem: null });
    const events = await kindsOf(launch, DECISIONS);
    const decided = events.filter((event) => event.includes(" proposal_decided "));
    expect(decided).toHaveLength(2);
    for (const event of decided) expect(event).toContain('"decided_by":"default"');
    expect(textOf(launch, "ann_2")).toBe(fallback === "accept" ? "second" : undefined);
    expect(events.length).toBe(fallback === "accept" ? 4 : 2);
  });

  it("a persona can have another default than the run", async () => {
    const launch = prepared({ ann: writer("ann", { review_default: "accept" }) });
    expect((await launch.run()).stoppedBy).toBe("idle");
    expect(textOf(launch, "ann_2")).toBe("second");
  });
});

describe("a run that stops while three proposals wait", () => {
  /** The folder of a run on the wall clock in which the first actions of three agents wait. */
  const waiting = async (): Promise<string> => {
    const launch = prepared(WRITERS, ["run.clock=wall"]);
    launch.runner.operate();
    void happened(launch.runner, "action_proposed", 3).then(() => launch.runner.stop("signal"));
    expect(await launch.run()).toMatchObject({ stoppedBy: "signal", problem: null });
    return launch.directory.folder;
  };

  const decided = async (folder: string): Promise<Launch> => {
    const launch = resumed(folder);
    expect(waitingProposals(launch.runner.world.state)).toHaveLength(3);
    const operator = launch.runner.operate();
    await operator.execute({ kind: "accept_proposal", proposal: 2 });
    await operator.execute({ kind: "give_feedback", proposal: 1, text: "Not this one." });
    await operator.execute({ kind: "edit_proposal", proposal: 3, action: write("note", "edited") });
    review(launch.runner, [says("no")]);
    return launch;
  };

  it("ends as if it had never stopped", async () => {
    const folder = await waiting();
    const other = join(temporaryFolder(), "run");
    cpSync(folder, other, { recursive: true });
    const whole = await decided(folder);
    const end = await whole.run();
    const stopped = resumed(other);
    stopped.runner.operate();
    const ended = stopped.run();
    stopped.runner.stop("signal");
    await ended;
    const parts = await decided(other);
    expect((await parts.run()).stateHash).toBe(end.stateHash);
    expect(await eventsOf(parts)).toEqual(await eventsOf(whole));
    expect(textOf(parts, "note")).toBe("edited");
    expect(await isValid(parts)).toBe(true);
  });
});

it("a mind without tools has the whole feedback in its next prompt", async () => {
  const text = `Sell it first. ${"Really. ".repeat(60)}`;
  const ran = await runModels({
    agents: { ann: { mind: "llm", review: { match: [{ artifact: "poem" }] } } },
    script: inTurn({ ann: [acting(write("poem", "roses"))] }),
    meanwhile: (runner) => void review(runner, [says(text)]),
  });
  const [, prompt = ""] = ran.promptsOf("ann");
  expect(prompt).toContain("write_artifact(poem) -> NOT DONE\n");
  expect(prompt).toContain(`not done: a reviewer answered: ${text.trim()}`);
  expect(ran.replayedHash).toBe(ran.result.stateHash);
});

it("an agent cannot name a review in the configuration that it writes", () => {
  const problem = agentProblem('{"mind":"policy/worker","review":"off"}');
  expect(problem).toMatch(/review/);
});
