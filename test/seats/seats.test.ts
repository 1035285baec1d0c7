import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentProblem, Launch } from "../../src/run/index.ts";
import { takeSeat } from "../../src/seats/index.ts";
import {
  BUY,
  controlAddress,
  letter,
  liveRun,
  liveSeats,
  NOOP,
  newRun,
  personaFolder,
  resumption,
  SEAT_PERSONAS,
  seatedAt,
  shopSleeps,
  tokenOf,
} from "../support/seats.ts";
import { prepareRun, simulate, withJournal } from "../support/simulation-run.ts";
import { folderWith, temporaryFolder } from "../support/temporary-folder.ts";

const ONE_SEAT = { "ada/agent.yaml": "id: ada\nmind: seat\n" };
const WALL = ["run.clock=wall"];

/** Ada acts for a minute, and bob, who is faster, is to move. */
const busyAda = async () => {
  const agents = personaFolder({
    ...SEAT_PERSONAS,
    "ada/agent.yaml": "id: ada\nmind: seat\nseat: { move_s: 60 }\n",
    "bob/agent.yaml": "id: bob\nmind: seat\nseat: { move_s: 1 }\n",
  });
  const { folder } = await liveSeats({ agents });
  const [ada, bob] = [await seatedAt(folder, "ada"), await seatedAt(folder, "bob")];
  void ada.act(NOOP);
  await bob.act(letter("ada", "hello"));
  return { ada, bob };
};

describe("on the virtual clock", () => {
  /** Plays a short game; `think` is what the player does before each move. */
  const game = async (think: () => Promise<void>) => {
    const agents = personaFolder();
    const { folder, ended, launch } = await liveSeats({ agents, runId: "game" });
    const [ada, bob] = [await seatedAt(folder, "ada"), await seatedAt(folder, "bob")];
    const said: unknown[] = [];
    const playBob = async (): Promise<void> => {
      for (const text of ["hello", "are you there?"]) {
        await bob.look();
        await think();
        said.push(await bob.act(letter("ada", text)));
      }
      await bob.wait("message", 500);
    };
    const playAda = async (): Promise<void> => {
      for (const action of [NOOP, NOOP, BUY, letter("bob", "yes")]) {
        const { to_move: isToMove, at_ms } = await ada.look();
        await think();
        const again = await ada.look();
        expect([isToMove, again.at_ms]).toEqual([true, at_ms]);
        said.push(await ada.act(action));
      }
    };
    await Promise.all([playBob(), playAda()]);
    expect(said).toHaveLength(6);
    expect(said).toEqual(said.map(() => expect.objectContaining({ ok: true })));
    launch.runner.stop("signal");
    await ended;
    return await withJournal(folder, (journal) => {
      const rows = [...journal.events({})].filter(({ kind }) => kind !== "run_stopped");
      const last = rows.findLastIndex(({ kind }) => kind === "action_completed");
      return rows.slice(0, last + 1).map(({ kind, body, principal }) => [kind, principal, body]);
    });
  };

  it("the journal of fast and slow players is the same", async () => {
    const fast = await game(async () => {});
    const slow = await game(async () => {
      for (let at = 0; at < 200; at++) await turn();
    });
    expect(fast.length).toBeGreaterThan(20);
    expect(slow).toEqual(fast);
  });

  it("each move takes move_s, and the clock stands still until then", async () => {
    const { folder } = await liveSeats({ agents: folderWith(ONE_SEAT) });
    const ada = await seatedAt(folder, "ada");
    const { at_ms } = await ada.look();
    expect(await ada.act(NOOP)).toMatchObject({ ok: true, value: { at_ms: at_ms + 5_000 } });
  });

  it("a wait for the own move ends when its seconds of the run have passed", async () => {
    const { ada, bob } = await busyAda();
    const { at_ms } = await bob.look();
    const soon = ada.wait("move", 10);
    // The run takes the requests of a connection in their order, so the wait has begun.
    await ada.client.call("seat_page", { ...ada.seat, page: "toc" });
    void bob.wait("message", 50_000);
    const passed = (to: number) => (ms: number) => ms > at_ms + 10_000 && ms <= to;
    const timeout = { woke: "timeout", at_ms: expect.toSatisfy(passed(at_ms + 61_000)) };
    expect(await soon).toEqual({ ok: true, value: timeout });
    expect(await ada.wait("move", 600)).toMatchObject({ value: { woke: "move" } });
  });

  it("a seat that waits for a message sleeps, and a message wakes it", async () => {
    const { folder } = await liveSeats();
    const [ada, bob] = [await seatedAt(folder, "ada"), await seatedAt(folder, "bob")];
    const waiting = ada.wait("message", 5_000);
    await bob.act(letter("ada", "wake up"));
    void bob.wait("message", 50_000);
    expect(await waiting).toMatchObject({ ok: true, value: { woke: "message" } });
    const { mailbox, at_ms } = await ada.look();
    expect(mailbox.unread).toMatchObject([{ from: "bob", text: "wake up" }]);
    const quiet = await ada.wait("message", 300);
    const value = { woke: "timeout", at_ms: expect.toSatisfy((end) => end >= at_ms + 300_000) };
    expect(quiet).toEqual({ ok: true, value });
    expect((await ada.look()).mailbox).toMatchObject({ unread: [], read: [{ from: "bob" }] });
  });
});

describe("a look that waits for a move on the virtual clock", () => {
  it("shows nothing if it is cancelled, so its messages still end a wait", async () => {
    const { ada, bob } = await busyAda();
    const cancelling = new AbortController();
    const looking = ada.client.call("seat_look", ada.seat, cancelling.signal);
    await ada.client.call("seat_page", { ...ada.seat, page: "toc" });
    cancelling.abort();
    expect(await looking).toMatchObject({ ok: false, reason: "no_answer" });
    const waiting = ada.wait("message", 10);
    void bob.wait("message", 50_000);
    expect(await waiting).toMatchObject({ ok: true, value: { woke: "message" } });
  });

  it("ends when the run is paused", async () => {
    const { ada } = await busyAda();
    const looking = ada.look();
    await ada.client.call("operate", { kind: "pause" });
    expect(await looking).toMatchObject({ to_move: false });
  });
});

describe("on the wall clock", () => {
  it("a run whose only agent is a seat that waits does not stop", async () => {
    const { folder } = await liveSeats({ agents: folderWith(ONE_SEAT), sets: WALL });
    const ada = await seatedAt(folder, "ada");
    await ada.wait("move", 60);
    expect(await ada.look()).toMatchObject({ id: "ada", clock: "wall", to_move: true });
    expect(await ada.act(NOOP)).toMatchObject({ ok: true, value: { success: true } });
    expect(await ada.wait("message", 0)).toMatchObject({ value: { woke: "timeout" } });
  });

  it("a move reads the messages that a look has shown, and no others", async () => {
    const { folder } = await liveSeats({ sets: WALL });
    const [ada, bob] = [await seatedAt(folder, "ada"), await seatedAt(folder, "bob")];
    await ada.wait("move", 60);
    await bob.act(letter("ada", "one"));
    expect(await ada.wait("message", 60)).toMatchObject({ value: { woke: "message" } });
    await ada.look();
    await bob.act(letter("ada", "two"));
    await ada.act(NOOP);
    const { mailbox } = await ada.look();
    expect(mailbox).toMatchObject({ read: [{ text: "one" }], unread: [{ text: "two" }] });
  });

  it("a seat without a client does nothing after absent_after_s", async () => {
    const agents = folderWith({
      "ada/agent.yaml": "id: ada\nmind: seat\nseat: { absent_after_s: 0 }\n",
    });
    const { launch } = await liveSeats({ agents, sets: WALL });
    const done = () => [...launch.runner.world.state.agents.rows()][0]?.counters.succeeded;
    await expect.poll(done).toBeGreaterThan(1);
  });

  it("a seat that is taken is not absent, also without a request", async () => {
    const absent = "mind: seat\nseat: { absent_after_s: 0 }\n";
    const agents = folderWith({
      "ada/agent.yaml": `id: ada\n${absent}`,
      "bob/agent.yaml": `id: bob\n${absent}`,
    });
    const { folder, launch } = await liveSeats({ agents, sets: WALL });
    const taken = await takeSeat(folder, "ada");
    if (!taken.ok) throw new Error(taken.problem);
    onTestFinished(() => taken.seat.close());
    const succeeded = (agent: string): number =>
      [...launch.runner.world.state.agents.rows()].find(({ id }) => id === agent)?.counters
        .succeeded ?? 0;
    const [ada, bob] = [succeeded("ada"), succeeded("bob")];
    await expect.poll(() => succeeded("bob")).toBeGreaterThan(bob + 3);
    expect(succeeded("ada")).toBeLessThanOrEqual(ada + 1);
  });

  it("the world refuses a seat what it refuses any agent, and the price is charged", async () => {
    const { folder, launch } = await liveSeats({ sets: WALL });
    await shopSleeps(launch);
    const ada = await seatedAt(folder, "ada");
    const refused = await ada.act({
      invoke_artifact: { artifact_id: "genesis_ledger", method: "transfer", args: ["bob", 1e6] },
    });
    expect(refused).toMatchObject({
      ok: true,
      value: { success: false, code: "insufficient_funds" },
    });
    const before = (await ada.look()).balances.scrip;
    const bought = await ada.act(BUY);
    expect(bought).toMatchObject({ value: { success: true, result: 42, cost: { scrip: 3 } } });
    expect((await ada.look()).balances.scrip).toBe(before - 3);
    const unreadable = await ada.act({ sell: {} });
    expect(unreadable).toMatchObject({ ok: false, reason: "refused" });
    const half = { ...ada.seat, action: NOOP, reasoning: "\ud800" };
    expect(await ada.client.call("seat_act", half)).toMatchObject({ ok: false, reason: "invalid" });
  });

  it("a second move is refused, and a cancelled move is never made", async () => {
    const { folder } = await liveSeats({ sets: WALL });
    const ada = await seatedAt(folder, "ada");
    const sleep = { for_s: 3_000, until: [] };
    await ada.client.call("seat_act", { ...ada.seat, action: { noop: {} }, sleep });
    const cancelling = new AbortController();
    const first = ada.act(letter("bob", "never"), cancelling.signal);
    const second = await ada.act(NOOP);
    const problem = "ada has a move in flight; wait until it has ended";
    expect(second).toEqual({ ok: false, reason: "refused", problem });
    cancelling.abort();
    expect(await first).toMatchObject({ ok: false, reason: "no_answer" });
    const vanishing = await seatedAt(folder, "ada");
    void vanishing.act(letter("bob", "never"));
    await vanishing.wait("message", 0);
    vanishing.client.close();
    const bob = await seatedAt(folder, "bob");
    await bob.act(letter("ada", "wake up"));
    await ada.wait("move", 60);
    expect(await ada.act(NOOP)).toMatchObject({ ok: true });
    const { unread } = (await bob.look()).mailbox;
    expect(unread).toEqual([]);
  });

  it("a paused or stopped seat cannot move, and learns why", async () => {
    const { folder } = await liveSeats({ sets: WALL });
    const ada = await seatedAt(folder, "ada");
    await ada.wait("move", 60);
    await ada.client.call("operate", { kind: "pause_agent", agent: "ada" });
    const problem = "ada is paused: an operator has paused it";
    expect(await ada.act(NOOP)).toEqual({ ok: false, reason: "refused", problem });
    expect(await ada.wait("move", 60)).toMatchObject({ value: { woke: "no_move" } });
    await ada.client.call("operate", { kind: "resume_agent", agent: "ada" });
    expect(await ada.wait("move", 60)).toMatchObject({ value: { woke: "move" } });
    expect(await ada.act(NOOP)).toMatchObject({ ok: true });
  });
});

describe("a seat whose actions are reviewed", () => {
  const reviewed = async () => {
    const ada = "id: ada\nmind: seat\nreview: actions\n";
    const agents = personaFolder({ ...SEAT_PERSONAS, "ada/agent.yaml": ada });
    const { folder } = await liveSeats({ agents, sets: WALL });
    const seated = await seatedAt(folder, "ada");
    const acting = seated.act(letter("bob", "hello"));
    await expect.poll(async () => (await seated.look()).state).toBe("in_review");
    return { folder, acting, ...seated };
  };

  it("gets the outcome of its move when a reviewer has accepted it", async () => {
    const { folder, acting, client } = await reviewed();
    await client.call("operate", { kind: "accept_proposal", proposal: 1 });
    expect(await acting).toMatchObject({ ok: true, value: { success: true } });
    const bob = await seatedAt(folder, "bob");
    expect((await bob.look()).mailbox.unread).toMatchObject([{ text: "hello" }]);
  });

  it("gets the feedback of a reviewer as the outcome, and can move again", async () => {
    const { acting, act, client } = await reviewed();
    await client.call("operate", { kind: "give_feedback", proposal: 1, text: "Be polite." });
    const message = "not done: a reviewer answered: Be polite.";
    const value = { success: false, code: null, message, target: "genesis_messenger" };
    expect(await acting).toMatchObject({ ok: true, value });
    expect(await act(NOOP)).toMatchObject({ ok: true, value: { success: true } });
  });

  it("learns that its move was not made if it is paused meanwhile", async () => {
    const { acting, client } = await reviewed();
    await client.call("operate", { kind: "pause_agent", agent: "ada" });
    const problem = "the move was not made: an operator has paused it";
    expect(await acting).toEqual({ ok: false, reason: "refused", problem });
  });
});

it("a run does not wait for a review because a client has taken a seat", async () => {
  const agents = folderWith({ "ada/agent.yaml": "id: ada\nmind: seat\nreview: actions\n" });
  const { folder, ended } = await liveSeats({ agents });
  const ada = await seatedAt(folder, "ada");
  await ada.look();
  const acting = ada.act(letter("operator", "hello"));
  expect(await ended).toMatchObject({ stoppedBy: "review" });
  expect(await acting).toMatchObject({ ok: false, reason: "not_running" });
});

it("a move that is nested too deeply is refused, and the run continues", async () => {
  const { folder } = await liveSeats({ sets: WALL });
  const ada = await seatedAt(folder, "ada");
  const socket = connect(controlAddress(folder));
  onTestFinished(() => void socket.destroy());
  const deep = `${"[".repeat(90_000)}${"]".repeat(90_000)}`;
  const action = `{"invoke_artifact":{"artifact_id":"shop_doubler","args":${deep}}}`;
  const params = JSON.stringify(ada.seat).replace("}", `,"action":${action}}`);
  socket.write(`{"jsonrpc":"2.0","id":1,"method":"seat_act","params":${params}}\n`);
  const [answer] = await once(socket, "data");
  expect(JSON.parse(String(answer))).toMatchObject({ id: 1, error: { code: 1 } });
  expect(await ada.act(NOOP)).toMatchObject({ ok: true });
});

describe("a token", () => {
  it("is for one seat, and a wrong one changes nothing", async () => {
    const { folder, launch } = await liveSeats({ sets: WALL });
    const ada = await seatedAt(folder, "ada");
    await ada.wait("move", 60);
    const bob = await seatedAt(folder, "bob");
    await bob.wait("move", 60);
    await shopSleeps(launch);
    const before = launch.runner.journal.head();
    const action = { noop: {} };
    for (const token of ["x", tokenOf(folder, "bob"), `${tokenOf(folder, "ada")} `]) {
      const seat = { agent: "ada", token };
      const problem = "this is not the token of the seat of ada";
      const refused = { ok: false, reason: "refused", problem };
      expect(await ada.client.call("seat_look", seat)).toEqual(refused);
      expect(await ada.client.call("seat_act", { ...seat, action })).toEqual(refused);
      expect(await ada.client.call("seat_page", { ...seat, page: "toc" })).toEqual(refused);
      const wait = { ...seat, until: "move", timeout_s: 9 } as const;
      expect(await ada.client.call("seat_wait", wait)).toEqual(refused);
    }
    const shop = { agent: "shop", token: tokenOf(folder, "ada") };
    expect(await ada.client.call("seat_look", shop)).toMatchObject({
      ok: false,
      problem: 'there is no seat "shop"; there are ada, bob',
    });
    expect(launch.runner.journal.head()).toEqual(before);
  });

  it("that is wrong is refused when the seat is taken", async () => {
    const { folder } = await liveSeats({ sets: WALL });
    writeFileSync(join(folder, "seats.json"), JSON.stringify({ ada: "x" }));
    const problem = "this is not the token of the seat of ada";
    expect(await takeSeat(folder, "ada")).toEqual({ ok: false, reason: "refused", problem });
  });

  it("is not replaced if its file is damaged", async () => {
    const sets = ["run.duration_s=10"];
    const launch = prepareRun(temporaryFolder(), { agents: personaFolder(), sets });
    const { folder } = launch.directory;
    const file = join(folder, "seats.json");
    writeFileSync(file, '{"ada": ');
    const problem = expect.stringContaining("is not a map of tokens; remove it");
    expect(await launch.openControl()).toEqual(problem);
    expect(await takeSeat(folder, "ada")).toEqual({ ok: false, reason: "refused", problem });
    await launch.run();
    expect(readFileSync(file, "utf8")).toBe('{"ada": ');
  });

  it("is kept in a file that only the user of the run can read", async () => {
    const { folder } = await liveSeats();
    expect((statSync(join(folder, "seats.json")).mode & 0o777).toString(8)).toBe("600");
    expect(tokenOf(folder, "ada")).toHaveLength(32);
    expect(tokenOf(folder, "ada")).not.toBe(tokenOf(folder, "bob"));
  });
});

it("a seat reads the handbook", async () => {
  const { folder } = await liveSeats();
  const { client, seat } = await seatedAt(folder, "ada");
  const page = await client.call("seat_page", { ...seat, page: "actions" });
  expect(page).toMatchObject({ ok: true, value: { page: "handbook_actions" } });
  const wrong = await client.call("seat_page", { ...seat, page: "actoins" });
  expect(wrong).toMatchObject({ ok: false, problem: /did you mean `actions`/ });
});

it("a resumed run keeps the seat and its token, and waits for the same move", async () => {
  const agents = folderWith(ONE_SEAT);
  const started = Launch.start(newRun(temporaryFolder(), { agents, runId: "kept" }));
  if (!started.ok) throw new Error(started.problems.join("\n"));
  const { folder, ended, launch } = await liveRun(started.launch);
  const ada = await seatedAt(folder, "ada");
  await ada.look();
  await ada.act(NOOP);
  const { at_ms } = await ada.look();
  launch.runner.stop("signal");
  await ended;
  const resumed = Launch.resume(resumption(folder, { agents }));
  if (!resumed.ok) throw new Error(resumed.problems.join("\n"));
  const second = await liveRun(resumed.launch);
  const again = await seatedAt(folder, "ada");
  expect(again.seat).toEqual(ada.seat);
  expect(await again.look()).toMatchObject({ at_ms, to_move: true, last: { action: "noop" } });
  expect(await again.act(NOOP)).toMatchObject({ ok: true });
  expect(second.launch.runner.world.state.agents.size).toBe(1);
});

it("a run without a control channel does not wait for its seats, and says so", async () => {
  const agents = folderWith(ONE_SEAT);
  const { folder, stoppedBy } = await simulate(temporaryFolder(), {
    agents,
    sets: ["run.duration_s=60"],
  });
  expect(stoppedBy).toBe("duration");
  await withJournal(folder, (journal) => {
    const [warning] = journal.events({ kind: "warning_raised" });
    expect(warning?.body).toContain("this run has no control channel");
  });
});

it("a seat that no client can reach sleeps on after a message", async () => {
  const pen = `id: pen
mind: script
script_loop: false
script:
  - invoke_artifact: { artifact_id: genesis_messenger, method: send, args: [ada, hello] }
  - sleep: { for_s: 100000 }
`;
  const agents = folderWith({ ...ONE_SEAT, "pen/agent.yaml": pen });
  const { folder } = await simulate(temporaryFolder(), { agents, sets: ["run.duration_s=600"] });
  await withJournal(folder, (journal) => {
    const ends = journal.events({ kind: "action_completed", principal: "ada" });
    expect([...ends].length).toBeLessThan(10);
  });
});

it("an agent cannot make itself or its children a seat", () => {
  expect(agentProblem('{"mind":"seat"}')).toMatch(/only the personas of a run can be seats/);
});
