import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { asId } from "../../../src/kernel/index.ts";
import { packedJson } from "../../../src/world/core/packed-json.ts";
import {
  appendRunEvent,
  Journal,
  replay,
  saveSnapshot,
  stateHash,
  verifyJournal,
} from "../../../src/world/index.ts";
import { NOW, physicsWith } from "../../support/physics.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";
import { type Committed, expectRefused, fileSandbox, TestWorld } from "../../support/test-world.ts";
import { created, freshPath, reopened, SETTINGS, tamper, usable } from "../journal/fixtures.ts";

const PHYSICS = physicsWith({
  sandbox: { wall_timeout_ms: 1_000, gas_max: 2_000_000 },
  genesis: { costs: { genesis_ledger: { transfer: 1 } } },
});
const sandbox = fileSandbox(PHYSICS);

const agentProblem = (content: string): string | null =>
  content === "broken" ? "it is broken" : null;

const SLOW = 'function run() { let s = "a".repeat(2e6); for (;;) { s += "b"; s.charCodeAt(0); } }';
const USAGE = { input_tokens: 5, output_tokens: 6, calls: 1, cost_micros: 7, api_cost_micros: 0 };

/** A small run with all kinds of commands. */
const playRun = async (journal: Journal): Promise<TestWorld> => {
  const v = new TestWorld(sandbox, { physics: PHYSICS, journal, agentProblem });
  appendRunEvent(journal, { atMs: 0, kind: "run_started", body: {} });
  v.agent("alice").agent("bob");
  v.program("alice", "dice", "function run() { return kernel.random() }", { price: 2 });
  v.program("alice", "relay", `function run(id) { return kernel.invoke(id, "run", []) }`);
  v.program("alice", "door", "function check_permission(r) { return { allowed: true, cost: 1 } }");
  v.writes("alice", "note", { content: "x", access: "door" });
  await saveSnapshot(journal, v.state);
  v.must(v.calls("bob", "dice"));
  v.must(v.calls("bob", "relay", ["dice"], { attach: { scrip: 5 } }));
  v.must(v.reads("bob", "note"));
  v.must(v.calls("bob", "genesis_ledger.transfer", ["alice", 7]));
  v.program("alice", "slow", SLOW);
  expectRefused(v.calls("bob", "slow"), "gas_exhausted");
  v.calls("bob", "relay", ["nothing"]);
  v.acts("bob", { steal: 1e300, nothing: -0 });
  v.submit({
    kind: "complete_thought",
    at_ms: NOW,
    agent: asId("bob"),
    action: { write_artifact: { artifact_id: "odd", price: -0, content: "x" } },
    reasoning: "",
    mind: { to: { seen: -0 } },
    usage: USAGE,
    think_ms: 5,
    sleep: null,
    epoch: 0,
  });
  v.atMs = NOW + 5;
  v.must(v.submit({ kind: "execute_decision", at_ms: v.atMs, principal: asId("bob") }));
  await saveSnapshot(journal, v.state);
  v.must(v.acts("bob", { noop: {} }));
  appendRunEvent(journal, { atMs: v.atMs, kind: "run_stopped", body: {} });
  return v;
};

/** The run is played once; each test has a copy of its journal. */
const ORIGINAL = join(sharedFolder(), "original.db");
let ended = "";
beforeAll(async () => {
  const journal = usable(Journal.create(ORIGINAL, SETTINGS));
  ended = stateHash((await playRun(journal)).state);
  journal.close();
});

const copied = (): string => {
  const path = freshPath();
  copyFileSync(ORIGINAL, path);
  return path;
};

const opened = (): Journal => reopened(copied(), SETTINGS);

const failures = (journal: Journal): readonly string[] =>
  verifyJournal(journal, agentProblem)
    .checks.filter(({ ok }) => !ok)
    .map(({ name, detail }) => `${name}: ${detail}`);

describe("the journal of an honest run", () => {
  it("passes every check, and leads to the final state of the run", () => {
    const journal = opened();
    const verdict = verifyJournal(journal, agentProblem);
    expect(verdict.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(verdict).toMatchObject({ ok: true, stateHash: ended });
    expect(verdict.checks.map(({ name }) => name)).toEqual([
      ...["chain", "snapshots", "replay"],
      ...[1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14].map((n) => `invariant-${n}`),
      ...["rerun", "invariant-9"],
    ]);
    expect([...journal.transactions()].some(({ timedOut }) => timedOut)).toBe(true);
  });

  it("8: replays to the same state hash at its end and at every snapshot", () => {
    const journal = opened();
    const replayed = replay(journal);
    expect(stateHash(replayed.state)).toBe(ended);
    expect(replayed.seq).toBe(journal.head().seq);
    for (const { seq, stateHash: kept } of journal.snapshots()) {
      const part = replay(journal, { upTo: seq });
      expect(stateHash(part.state)).toBe(kept);
      expect(part.seq).toBe(seq);
    }
  });
});

const tampered = (sql: string): Journal => {
  const path = copied();
  tamper(path, sql);
  return reopened(path);
};

describe("a changed journal", () => {
  it.each<readonly [string, string, RegExp]>([
    [
      "the body of an event",
      "UPDATE events SET body = replace(body, '\"amount\":7', '\"amount\":8') WHERE body LIKE '%\"amount\":7%'",
      /^chain: event \d+: .*hashes do not agree/,
    ],
    [
      "the principal of an event",
      "UPDATE events SET principal = 'alice' WHERE seq = (SELECT max(seq) FROM events WHERE principal = 'bob')",
      /^chain: event \d+/,
    ],
    ["the time", "UPDATE events SET at_ms = at_ms + 1 WHERE seq = 60", /^chain: event 60/],
    [
      "a command",
      "UPDATE events SET command = replace(command, 'noop', 'noup') WHERE command LIKE '%noop%'",
      /^chain: event \d+: event \d+ or its command/,
    ],
    [
      "the timed_out mark",
      `UPDATE events SET timed_out = 1
       WHERE seq = (SELECT max(seq) FROM events WHERE seq <= 60 AND timed_out = 0)`,
      /^chain: event/,
    ],
    ["a hash", "UPDATE events SET hash = 'x' WHERE seq = 50", /^chain: event 50/],
    [
      "a snapshot",
      "UPDATE snapshots SET state_hash = replace(state_hash, 'a', 'b')",
      /^snapshots: the snapshot at event \d+/,
    ],
    ["a removed event", "DELETE FROM events WHERE seq = 60", /^chain: event 60: .* is missing/],
  ])("fails at the changed event: %s", (_, sql, words) => {
    const [first = ""] = failures(tampered(sql));
    expect(first).toMatch(words);
  });
});

/** The journal of the same run with changed transactions and correct hashes. */
const rewrittenJournal = (change: (all: Committed[]) => readonly Committed[]): Journal => {
  const original = opened();
  const rows = [...original.events()];
  const all = [...original.transactions()].map(({ command, timedOut, firstSeq, lastSeq }) => ({
    command,
    timedOut,
    events: rows
      .filter(({ seq }) => seq >= firstSeq && seq <= lastSeq)
      .map(({ atMs, kind, principal, body }) => ({ atMs, kind, principal, body })),
  }));
  const forged = created();
  for (const transaction of change(all)) forged.append(transaction);
  forged.flush();
  expect(forged.verifyChain()).toMatchObject({ ok: true });
  return forged;
};

type Row = Committed["events"][number];
const bobs = ({ command }: Committed): boolean => command.includes('"bob"');

/** Changes the events of the transactions that `where` picks. */
const withEvents =
  (where: (each: Committed) => boolean, change: (events: readonly Row[]) => readonly Row[]) =>
  (all: readonly Committed[]): readonly Committed[] =>
    all.map((each) => (where(each) ? { ...each, events: change(each.events) } : each));

/** Replaces text in the bodies of the events of the transactions that `where` picks. */
const withBodies = (where: (each: Committed) => boolean, from: string | RegExp, to: string) =>
  withEvents(where, (events) =>
    events.map((row) => ({ ...row, body: row.body.replace(from, to) })),
  );

const paying = (each: Committed): boolean =>
  /genesis_ledger","method":"transfer"/.test(each.command);
const minted = (amount: number): Row => ({
  atMs: NOW,
  kind: "scrip_minted",
  principal: "bob",
  body: JSON.stringify({ to: "bob", amount, reason: "because" }),
});

describe("a forged journal with correct hashes", () => {
  it.each<readonly [string, (all: Committed[]) => readonly Committed[], RegExp]>([
    [
      "an amount",
      withBodies(paying, '"amount":7', '"amount":9'),
      /^rerun: event \d+ \(scrip_transferred\): its command now causes/,
    ],
    [
      "a command",
      (all) => all.map((each) => ({ ...each, command: each.command.replace('e",7]', 'e",8]') })),
      /^rerun: event \d+ \(scrip_transferred\)/,
    ],
    [
      "random draws",
      withBodies(bobs, '"draws":1', '"draws":2'),
      /^rerun: event \d+ \(random_drawn\)/,
    ],
    ["an amount of gas", withBodies(bobs, /"gas":(\d+)/, '"gas":1$1'), /^rerun: event/],
    [
      "an added event",
      withEvents(paying, (events) => [...events, minted(5)]),
      /^rerun: event \d+ \(scrip_minted\): its command now causes nothing/,
    ],
    [
      "a missing event",
      withEvents(paying, (events) => events.slice(0, -1)),
      /^rerun: event \d+: its command now causes action_completed as well/,
    ],
    [
      "a missing transaction",
      (all) => all.filter(({ command }) => !/"artifact_id":"relay","code"/.test(command)),
      /^rerun: event/,
    ],
    [
      "a principal",
      withEvents(paying, (events) => events.map((row) => ({ ...row, principal: "alice" }))),
      /^invariant-9: event \d+: alice did not ask/,
    ],
    [
      "a removed principal",
      withEvents(paying, (events) =>
        events.map((row) => (row.kind === "scrip_transferred" ? { ...row, principal: null } : row)),
      ),
      /^rerun: event \d+ \(scrip_transferred\)/,
    ],
  ])("fails with the check and the event: %s", (_, change, words) => {
    expect(failures(rewrittenJournal(change)).join("\n")).toMatch(new RegExp(words, "m"));
  });

  it("fails if a transaction marked timed_out changes anything", () => {
    const minting = withEvents(
      (each) => each.timedOut,
      (events) => [minted(5), ...events],
    );
    const forged = rewrittenJournal(minting);
    expect(failures(forged).join("\n")).toMatch(/^rerun: event \d+: .*scrip_minted/m);
    const cover = rewrittenJournal((all) =>
      all.map((each) => (paying(each) ? { ...each, timedOut: true } : each)),
    );
    expect(failures(cover).join("\n")).toMatch(/^rerun: event \d+/m);
  });

  it("fails if its events cannot be applied, without an exception", () => {
    const body = '{"from":"bob","amount":9999}';
    const impossible: Row = { ...minted(0), kind: "scrip_burned", body };
    const before = (where: (each: Committed) => boolean, row: Row): string =>
      failures(rewrittenJournal(withEvents(where, (events) => [row, ...events]))).join("\n");
    const timedOut = before((each) => each.timedOut, impossible);
    expect(timedOut).toMatch(/^replay: event \d+: no balance of bob may be negative/m);
    expect(before(paying, { ...minted(0), kind: "gift" })).toMatch(/^replay: event \d+: /m);
  });

  it("fails under the number of an invariant that it breaks", () => {
    const writing = ({ command }: Committed) => command.includes('"artifact_id":"note","content"');
    const forged = rewrittenJournal(withBodies(writing, /"size_bytes":(\d+)/, '"size_bytes":1$1'));
    expect(failures(forged).join("\n")).toMatch(/^invariant-4: event \d+: note has \d+ bytes/m);
  });
});

describe("a forged snapshot", () => {
  const withRicherSnapshot = (honestHash: boolean): readonly string[] => {
    const journal = opened();
    const kept = journal.latestSnapshot();
    if (kept === null) throw new Error("no snapshot");
    const body = kept.body.replace(/"scrip":\d+/, '"scrip":1000000');
    expect(body).not.toBe(kept.body);
    const packed = packedJson(body);
    const state = honestHash ? { ...packed, sha256: packedJson(kept.body).sha256 } : packed;
    journal.saveSnapshot({ seq: kept.seq, state });
    return failures(journal);
  };

  it("with its own hash fails at its event", () => {
    expect(withRicherSnapshot(false)[0]).toMatch(/^replay: event \d+: the snapshot differs/);
  });

  it("with the hash of the real state fails at its event", () => {
    const [first] = withRicherSnapshot(true);
    expect(first).toMatch(/^snapshots: the snapshot at event \d+ was changed/);
  });

  it("fails even if a valid one of the same event follows it", async () => {
    const journal = opened();
    const { seq } = journal.head();
    journal.saveSnapshot({ seq, state: packedJson("{}") });
    await saveSnapshot(journal, replay(journal).state);
    expect(failures(journal)[0]).toMatch(/^replay: event \d+: the snapshot/);
  });
});

describe("a journal that is empty or foreign", () => {
  it("passes if it is empty", () => {
    const verdict = verifyJournal(created(), agentProblem);
    expect(verdict).toMatchObject({ ok: true, events: 0, stateHash: "" });
  });

  it("fails if it does not begin with create_world", () => {
    const journal = created();
    journal.append({ command: '{"kind":"noop"}', timedOut: false, events: [minted(1)] });
    journal.flush();
    const found = failures(journal).join("\n");
    expect(found).toMatch(/^replay: event 1: /m);
    expect(found).toMatch(/^rerun: event 1: .*begins with create_world/m);
  });
});
