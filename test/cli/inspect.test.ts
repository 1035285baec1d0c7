import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { eventsOf, folderOf } from "../attack/arena.ts";
import { jsonOf, sim, spawnSim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const DOUBLE = "function run(a) { return a * 2 }";
const SCRIPTS = {
  maker: [
    { write_artifact: { artifact_id: "note", artifact_type: "note", content: "first" } },
    { write_artifact: { artifact_id: "note", content: "second \u202e\u001b[31m" } },
    { write_artifact: { artifact_id: "double", code: DOUBLE, price: 3 } },
    { wait: 1 },
    { invoke_artifact: { artifact_id: "missing" } },
  ],
  buyer: [
    { wait: 3 },
    { invoke_artifact: { artifact_id: "double", args: [21] } },
    { if_last: "succeeded", do: [{ read_artifact: { artifact_id: "note" } }] },
  ],
};

const folder = folderOf(SCRIPTS);
const eventsIn = (...flags: readonly string[]) => eventsOf(folder, "told", ...flags);
const json = (...args: readonly string[]) => jsonOf(folder, ...args);

beforeAll(() => {
  const args = ["--clock", "virtual", "--duration", "60", "--name", "told"];
  expect(json("run", ...args)).toMatchObject({ stopped_by: "idle" });
});

it("sim state and sim report give the time of the last event", () => {
  const last = eventsIn().at(-1);
  for (const verb of ["state", "report"]) expect(json(verb, "told").at_ms).toBe(last?.at_ms);
});

describe("sim events", () => {
  it("prints JSON lines with number, time, kind, principal and body", () => {
    const [first, second] = eventsIn();
    expect(first).toMatchObject({ seq: 1, at_ms: 0, kind: "run_started", principal: null });
    expect(second).toMatchObject({ seq: 2, kind: "world_created" });
  });

  it("filters by kind and principal, and limits", () => {
    const bought = eventsIn("--kind", "artifact_invoked");
    expect(bought).toMatchObject([{ principal: "buyer", price: 3, paid_to: "maker" }]);
    const own = eventsIn("--principal", "maker", "--limit", "2");
    expect(own).toMatchObject([{ principal: "maker" }, { principal: "maker" }]);
  });

  it("refuses an unknown principal and suggests a similar one", () => {
    const of = (id: string) => sim(folder, "events", "told", "--principal", id);
    const unknown = "--principal makr: there is no such principal in this run";
    expectRefusal(of("makr"), 2, `${unknown}; did you mean \`maker\`?`);
    const lists = /^sim: --principal ghost: .*; `sim state told` lists the accounts/;
    expectRefusal(of("ghost"), 2, lists);
    expect(of("maker").err).toBe("");
  });

  it("a moment without a unit is an event, which a note says", () => {
    const note = "note: --at 30 is event 30; write 30s for a time\n";
    expect(sim(folder, "state", "told", "--at", "30").err).toContain(note);
    expect(sim(folder, "state", "told", "--at", "event:30").err).not.toContain("note: --at");
  });

  it("--after starts after that event", () => {
    expect(eventsIn("--after", "5")[0]?.seq).toBe(6);
    expect(eventsIn("--after", "event:5")[0]?.seq).toBe(6);
    expect(eventsIn("--after", "2s")[0]?.at_ms).toBeGreaterThan(2_000);
  });

  it("--follow prints the events of a running run and ends with it", async () => {
    const args = ["--clock", "wall", "--duration", "2", "--name", "live"];
    const run = spawnSim(folder, "run", ...args, "--json");
    await run.until(/^run live/m);
    const follower = spawnSim(folder, "events", "live", "--follow", "--json");
    const [told, followed] = await Promise.all([run.ended, follower.ended]);
    expect(followed.code).toBe(0);
    const seen = followed.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(seen.map((event) => event.seq)).toEqual(seen.map((_, index) => index + 1));
    expect(seen.length).toBeGreaterThan(20);
    expect(JSON.parse(told.out).last_seq).toBeGreaterThanOrEqual(seen.length);
  });
});

describe("sim state", () => {
  it("shows accounts, artifacts and agents at the end", () => {
    const state = json("state", "told");
    expect(state.accounts).toMatchObject({
      buyer: { scrip: 97, held: 0 },
      maker: { scrip: 103 },
      genesis_escrow: { scrip: 0 },
    });
    const note = { id: "note", owner: "maker", created_by: "maker", version: 2, price: 0 };
    expect(state.artifacts).toContainEqual(expect.objectContaining(note));
    const double = { id: "double", executable: true, price: 3, deleted: false };
    expect(state.artifacts).toContainEqual(expect.objectContaining(double));
    const finished = { reason: "script_finished" };
    expect(state.agents).toMatchObject([finished, finished]);
  });

  it("--at shows an earlier state", () => {
    const written = eventsIn("--kind", "artifact_written", "--principal", "maker");
    const seq = written.find(({ artifact_id }) => artifact_id === "note")?.seq ?? 0;
    const note = expect.objectContaining({ id: "note" });
    expect(json("state", "told", "--at", String(seq - 1)).artifacts).not.toContainEqual(note);
    const after = json("state", "told", "--at", String(seq));
    expect(after).toMatchObject({ seq, artifacts: expect.arrayContaining([note]) });
  });

  it.each(["1s", "1000ms", "0.02m"])(
    "--at %s shows the state after all events up to then",
    (at) => {
      const untilMs = { "1s": 1_000, "1000ms": 1_000, "0.02m": 1_200 }[at] ?? 0;
      const { seq } = eventsIn().findLast(({ at_ms }) => Number(at_ms) <= untilMs) ?? {};
      expect(json("state", "told", "--at", at).seq).toBe(seq);
      expect(json("verify", "told", "--replay", at).last_seq).toBe(seq);
    },
  );

  it("prints tables as text", () => {
    const { out, code } = sim(folder, "state", "told");
    expect(code).toBe(0);
    expect(out).toContain("program\towner\tprice (scrip)\tversion\tsize (bytes)\ndouble\tmaker\t3");
    expect(out).toContain("\nagent\tstate\t");
    expect(out).toContain("\nmaker\tstopped\t");
  });
});

describe("sim state RUN ARTIFACT", () => {
  it("shows text, versions, customers and revenue", () => {
    expect(json("state", "told", "double")).toMatchObject({
      methods: ["run"],
      invocations: 1,
      revenue: 3,
      customers: [{ id: "buyer", calls: 1, paid: 3 }],
    });
  });

  it("shows an earlier version", () => {
    expect(json("state", "told", "note").versions).toHaveLength(2);
    expect(json("state", "told", "note", "--version", "1").content).toBe("first");
  });

  it("escapes control characters in what agents wrote", () => {
    const { out } = sim(folder, "state", "told", "note");
    expect(out).toContain("second \\u{202e}\\u{1b}[31m");
  });
});

it("sim state counts the actions that called a native artifact", () => {
  const asks = (method: string, ...args: readonly unknown[]) => ({
    invoke_artifact: { artifact_id: "genesis_store", method, args },
  });
  const pays = {
    invoke_artifact: { artifact_id: "genesis_ledger", method: "transfer", args: ["ann", 1] },
  };
  const searches = { read_artifact: { artifact_id: "genesis_store" } };
  const script = [asks("search", "note"), asks("count"), asks("delete", "none"), searches];
  const folder = folderOf({ ann: script, bob: [asks("list"), pays] });
  jsonOf(folder, "run", "--clock", "virtual", "--duration", "60", "--name", "asked");
  const calls = { native_calls: { succeeded: 3, refused: 1 }, invocations: 0 };
  expect(jsonOf(folder, "state", "asked", "genesis_store")).toMatchObject(calls);
  expect(jsonOf(folder, "state", "asked", "genesis_escrow").native_calls).toBe(null);
  const { out } = sim(folder, "state", "asked", "genesis_store");
  expect(out).toMatch(
    /^4 calls by actions, 1 refused, \d reads? \(calls by programs not counted\)$/m,
  );
});

it("sim verify --replay stops after that event", () => {
  const { state_hash } = json("state", "told", "--at", "30");
  expect(json("verify", "told", "--replay", "30")).toMatchObject({ last_seq: 30, state_hash });
});

describe("wrong usage is reported in one line", () => {
  it.each([
    [["state", "nothing"], 2, /there is no run "nothing"/],
    [["events", "told", "--limit", "0"], 2, /--limit.*whole number, 1 or more/],
    [["events", "told", "--limit", "1e3"], 2, /--limit.*whole number, 1 or more/],
    [["events", "told", "--limit", "0x10"], 2, /--limit.*whole number, 1 or more/],
    [["state", "told", "--at", "100000"], 2, /--at event 100000: this run has the events 1 to \d+/],
    [["state", "told", "--at", "9h"], 2, /--at 32400s: this run covers 0 s to [\d.]+ s/],
    [["verify", "told", "--replay", "noon"], 2, /--replay.*a time such as 300s or 5m, or an event/],
    [["state", "told", "--at", "1"], 2, /the world does not exist yet/],
    [["state", "told", "note", "--version", "9"], 2, /note has versions 1 to 2, not 9/],
    [["state", "told", "--version", "1"], 2, /--version needs the id of an artifact/],
    [["state", "told", "note", "--at", "9"], 2, /--version shows an old artifact/],
    [["verify"], 2, /missing required argument 'run'/],
    [["verify", join(import.meta.dirname, "inspect.test.ts")], 2, /is not a checkpoint of cat/],
    [["verify", "told", "--upto", "3"], 2, /unknown option '--upto'/],
    [["run", "--clock", "sundial"], 2, /Allowed choices are auto, wall, virtual/],
    [["run", "--duration", "-1"], 2, /--duration.*above 0/],
    [["run", "--name", "../out"], 2, /is not a valid run id/],
    [["run", "--only", "makr"], 2, /maker/],
  ] as const)("sim %s", (args, code, message) => {
    expectRefusal(sim(folder, ...args), code, message);
  });

  it("reports a folder that cannot be written", () => {
    writeFileSync(join(folder, "file"), "");
    expectRefusal(sim(folder, "run", "--out", "file/runs", "--clock", "virtual"), 3, /file/);
  });
});
