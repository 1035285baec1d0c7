import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { platform } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ControlClient, connectToRun, type Launch } from "../../../src/index.ts";
import { RunLock } from "../../../src/world/index.ts";
import { prepareRun, SMALL_WORLD, simulate, withJournal } from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const WALL = ["run.clock=wall", "run.duration_s=36000", SMALL_WORLD];
const VIRTUAL = ["run.duration_s=1000000", SMALL_WORLD];

/** A live run with its control channel. It is stopped after the test. */
const liveRun = async (sets: readonly string[]) => {
  const launch = prepareRun(temporaryFolder(), { sets });
  expect(await launch.openControl()).toBeNull();
  const ended = launch.run();
  onTestFinished(async () => {
    launch.runner.stop("signal");
    await ended;
  });
  return { launch, folder: launch.directory.folder, ended };
};

const connected = async (folder: string): Promise<ControlClient> => {
  const found = await connectToRun(folder);
  if (!found.ok) throw new Error(found.problem);
  onTestFinished(() => found.client.close());
  return found.client;
};

const addressOf = (folder: string): string =>
  JSON.parse(readFileSync(join(folder, "control.json"), "utf8")).address;

const stateOf = ({ runner }: Launch, agent: string) =>
  [...runner.world.state.agents.rows()].find(({ id }) => id === agent)?.state;

describe("the control channel of a live run", () => {
  it.each([
    ["in real time", WALL],
    ["at full speed on the virtual clock", VIRTUAL],
  ])("executes the commands of an operator %s", async (_, sets) => {
    const { launch, folder } = await liveRun(sets);
    const client = await connected(folder);
    const paused = await client.call("operate", { kind: "pause_agent", agent: "ada" });
    expect(paused).toEqual({ ok: true, value: { ok: true, message: "ada is paused" } });
    expect(stateOf(launch, "ada")).toBe("paused");
    const again = await client.call("operate", { kind: "pause_agent", agent: "ada" });
    expect(again).toEqual({ ok: true, value: { ok: false, message: "ada is already paused" } });
    await withJournal(folder, (journal) => {
      const changes = [...journal.events({ kind: "agent_state_changed", principal: "ada" })];
      expect(changes.at(-1)?.body).toContain("an operator has paused it");
    });
  });

  it("tells a client beyond the most connections why it gets no answer", async () => {
    const { folder } = await liveRun(WALL);
    for (let count = 0; count < 128; count += 1) await connected(folder);
    const problem = "a run has at most 128 connections; close one of them";
    const late = await Promise.all(Array.from({ length: 20 }, () => connected(folder)));
    for (const client of late) {
      const asked = client.call("operate", { kind: "pause" });
      expect(await asked).toEqual({ ok: false, reason: "no_answer", problem });
      const again = await client.call("operate", { kind: "pause" });
      expect(again).toEqual({ ok: false, reason: "no_answer", problem });
    }
  });

  it("answers while the run is paused", async () => {
    const { folder } = await liveRun(VIRTUAL);
    const client = await connected(folder);
    await client.call("operate", { kind: "pause" });
    const resumed = await client.call("operate", { kind: "resume" });
    expect(resumed).toMatchObject({ value: { ok: true, message: "the run continues" } });
  });

  it("refuses a message to an unknown agent, and suggests a name", async () => {
    const { folder } = await liveRun(WALL);
    const client = await connected(folder);
    const problem = 'there is no agent "adaa"; did you mean `ada`?';
    const message = { kind: "send_message", agent: "adaa", text: "hello" } as const;
    const answer = await client.call("operate", message);
    expect(answer).toEqual({ ok: true, value: { ok: false, message: problem } });
  });

  it("answers a stop, and then says that the run has ended", async () => {
    const { folder, ended } = await liveRun(WALL);
    const client = await connected(folder);
    expect(await client.call("operate", { kind: "stop" })).toMatchObject({ value: { ok: true } });
    expect(await ended).toMatchObject({ stoppedBy: "signal", problem: null });
    const late = await client.call("operate", { kind: "pause" });
    expect(late).toMatchObject({ ok: false, reason: "not_running" });
  });

  it("leaves no file behind", async () => {
    const { launch, folder, ended } = await liveRun(WALL);
    const socket = addressOf(folder);
    expect(readdirSync(folder)).toContain("control.json");
    launch.runner.stop("signal");
    await ended;
    expect(readdirSync(folder)).not.toContain("control.json");
    expect(existsSync(dirname(socket))).toBe(false);
  });

  it.skipIf(platform() === "win32")("is for the user of the run only", async () => {
    const { folder } = await liveRun(WALL);
    const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    expect(modeOf(join(folder, "control.json"))).toBe("600");
    expect(modeOf(dirname(addressOf(folder)))).toBe("700");
  });

  it("can be missing without harm to the run", async () => {
    const launch = prepareRun(temporaryFolder(), { sets: ["run.duration_s=1", SMALL_WORLD] });
    mkdirSync(join(launch.directory.folder, "control.json"));
    const problem = /^other processes cannot control this run: cannot write .*control\.json/;
    expect(await launch.openControl()).toMatch(problem);
    expect(await launch.run()).toMatchObject({ stoppedBy: "duration", problem: null });
  });

  it("does not change the journal of a run", async () => {
    const setup = { sets: ["run.duration_s=40", "run.seed=3"], runId: "same" };
    const without = await simulate(temporaryFolder(), setup);
    const launch = prepareRun(temporaryFolder(), setup);
    await launch.openControl();
    const client = await connected(launch.directory.folder);
    const running = launch.run();
    const answer = await client.call("operate", { kind: "resume" });
    expect(answer).toEqual({ ok: true, value: { ok: false, message: "the run is not paused" } });
    expect((await running).journalHash).toBe(without.journalHash);
  });
});

describe("a client", () => {
  /** A folder that this process has locked, as for a run. */
  const lockedFolder = (): string => {
    const folder = temporaryFolder();
    const taken = RunLock.take(folder);
    if (taken.ok) onTestFinished(() => taken.lock.release());
    return folder;
  };

  const nameSocket = (folder: string, address: string): void =>
    writeFileSync(join(folder, "control.json"), JSON.stringify({ address }));

  it("is told at once that a run is not running, even if a killed run left its file", async () => {
    const folder = temporaryFolder();
    nameSocket(folder, join(folder, "none.sock"));
    const problem = expect.stringMatching(/ is not running; `sim resume .*` continues it$/);
    expect(await connectToRun(folder)).toEqual({ ok: false, reason: "not_running", problem });
  });

  it("is told that a run has no control channel", async () => {
    const problem = expect.stringMatching(/^process \d+ on .* runs .*, but has no control/);
    expect(await connectToRun(lockedFolder())).toEqual({ ok: false, reason: "no_answer", problem });
  });

  it("is told that the socket of a run is missing", async () => {
    const folder = lockedFolder();
    nameSocket(folder, join(folder, "none.sock"));
    const problem = expect.stringMatching(/but cannot be reached from here: ENOENT$/);
    expect(await connectToRun(folder)).toEqual({ ok: false, reason: "no_answer", problem });
  });

  it.skipIf(platform() === "win32")("stops waiting for an answer", async () => {
    const folder = lockedFolder();
    const address = join(folder, "deaf.sock");
    const deaf = createServer();
    await new Promise<void>((listening) => deaf.listen(address, listening));
    onTestFinished(() => void deaf.close());
    nameSocket(folder, address);
    const client = await connected(folder);
    const answer = client.call("operate", { kind: "pause" }, AbortSignal.timeout(1));
    expect(await answer).toMatchObject({ ok: false, reason: "no_answer" });
    const aborted = client.call("operate", { kind: "pause" }, AbortSignal.abort());
    expect(await aborted).toMatchObject({ ok: false, reason: "no_answer" });
  });
});
