import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, sim, spawnSim } from "../support/sim.ts";

const folder = emptyFolder();

const AGENT = `id: maker
mind: script
script:
  - write_artifact: { artifact_id: note, artifact_type: note, content: first }
  - write_artifact: { artifact_id: note, content: "second \\u202e\\u001b[31m" }
  - write_artifact:
      artifact_id: double
      code: "function run(a) { return a * 2 }"
      price: 3
  - wait: 1
  - invoke_artifact: { artifact_id: missing }
`;
const BUYER = `id: buyer
mind: script
script:
  - wait: 3
  - invoke_artifact: { artifact_id: double, args: [21] }
  - if_last: succeeded
    do: [ { read_artifact: { artifact_id: note } } ]
`;

const lines = (text: string): readonly string[] => text.trim().split("\n").filter(Boolean);
const parsed = (text: string) => lines(text).map((line) => JSON.parse(line));

beforeAll(() => {
  for (const [name, text] of [
    ["maker", AGENT],
    ["buyer", BUYER],
  ] as const) {
    mkdirSync(join(folder, "agents", name), { recursive: true });
    writeFileSync(join(folder, "agents", name, "agent.yaml"), text);
  }
  const args = ["--clock", "virtual", "--duration", "60", "--name", "told", "--json"];
  const said = sim(folder, "run", ...args);
  expect(JSON.parse(said.out)).toMatchObject({ stopped_by: "idle" });
});

it("sim state and sim report give the time of the last event", () => {
  const [last] = parsed(sim(folder, "events", "told", "--json").out).slice(-1);
  for (const verb of ["state", "report"]) {
    const { at_ms } = JSON.parse(sim(folder, verb, "told", "--json").out);
    expect(at_ms).toBe(last.at_ms);
  }
});

describe("sim events", () => {
  it("prints JSON lines with number, time, kind, principal and body", () => {
    const [first, second] = parsed(sim(folder, "events", "told", "--json").out);
    expect(first).toMatchObject({ seq: 1, at_ms: 0, kind: "run_started", principal: null });
    expect(second).toMatchObject({ seq: 2, kind: "world_created" });
  });

  it("filters by kind and principal, and limits", () => {
    const bought = parsed(
      sim(folder, "events", "told", "--json", "--kind", "artifact_invoked").out,
    );
    expect(bought).toHaveLength(1);
    expect(bought[0]).toMatchObject({ principal: "buyer", price: 3, paid_to: "maker" });
    const own = sim(folder, "events", "told", "--json", "--principal", "maker", "--limit", "2");
    expect(parsed(own.out).map((event) => event.principal)).toEqual(["maker", "maker"]);
  });

  it("refuses an unknown principal and suggests a similar one", () => {
    const near = sim(folder, "events", "told", "--principal", "makr");
    expect(near).toEqual({
      code: 2,
      out: "",
      err: "sim: --principal makr: there is no such principal in this run; did you mean `maker`?\n",
    });
    const far = sim(folder, "events", "told", "--principal", "ghost-at-all", "--json");
    expect(far).toMatchObject({ code: 2, out: "" });
    expect(far.err).toMatch(
      /^sim: --principal ghost-at-all: .*; `sim state told` lists the accounts/,
    );
    expect(sim(folder, "events", "told", "--principal", "maker").err).toBe("");
  });

  it("--after starts after that event", () => {
    const [next] = parsed(sim(folder, "events", "told", "--json", "--after", "5").out);
    expect(next.seq).toBe(6);
  });

  it("--follow prints the events of a running run and ends with it", async () => {
    const args = ["--clock", "wall", "--duration", "2", "--name", "live"];
    const run = spawnSim(folder, "run", ...args, "--json");
    await run.until(/^run live/m);
    const follower = spawnSim(folder, "events", "live", "--follow", "--json");
    const [told, followed] = await Promise.all([run.ended, follower.ended]);
    expect(followed.code).toBe(0);
    const seen = parsed(followed.out);
    expect(seen.map((event) => event.seq)).toEqual(seen.map((_, index) => index + 1));
    expect(seen.length).toBeGreaterThan(20);
    expect(JSON.parse(told.out).last_seq).toBeGreaterThanOrEqual(seen.length);
  });
});

describe("sim state", () => {
  it("shows accounts, artifacts and agents at the end", () => {
    const state = JSON.parse(sim(folder, "state", "told", "--json").out);
    expect(state.accounts).toMatchObject({
      buyer: { scrip: 97, held: 0 },
      maker: { scrip: 103 },
      genesis_escrow: { scrip: 0 },
    });
    const note = state.artifacts.find((artifact: { id: string }) => artifact.id === "note");
    expect(note).toMatchObject({ owner: "maker", created_by: "maker", version: 2, price: 0 });
    const double = state.artifacts.find((artifact: { id: string }) => artifact.id === "double");
    expect(double).toMatchObject({ executable: true, price: 3, deleted: false });
    expect(state.agents.map((agent: { reason: string }) => agent.reason)).toEqual([
      "script_finished",
      "script_finished",
    ]);
  });

  it("--at shows an earlier state", () => {
    const [write] = parsed(
      sim(folder, "events", "told", "--json", "--kind", "artifact_written", "--principal", "maker")
        .out,
    ).filter((event) => event.artifact_id === "note");
    const before = sim(folder, "state", "told", "--json", "--at", String(write.seq - 1));
    const ids = JSON.parse(before.out).artifacts.map((artifact: { id: string }) => artifact.id);
    expect(ids).not.toContain("note");
    const after = JSON.parse(sim(folder, "state", "told", "--json", "--at", String(write.seq)).out);
    expect(after.seq).toBe(write.seq);
    expect(after.artifacts.map((artifact: { id: string }) => artifact.id)).toContain("note");
  });

  it("prints tables as text", () => {
    const { out, code } = sim(folder, "state", "told");
    expect(code).toBe(0);
    expect(out).toContain(
      "program\towner\tprice (scrip)\tversion\tsize (bytes)\ndouble\tmaker\t3\t",
    );
    expect(out).toContain("\nagent\tstate\t");
    expect(out).toContain("\nmaker\tstopped\t");
  });
});

describe("sim artifact", () => {
  it("shows text, versions, customers and revenue", () => {
    const double = JSON.parse(sim(folder, "artifact", "told", "double", "--json").out);
    expect(double).toMatchObject({
      methods: ["run"],
      invocations: 1,
      revenue: 3,
      customers: [{ id: "buyer", calls: 1, paid: 3 }],
    });
  });

  it("shows an earlier version", () => {
    const note = JSON.parse(sim(folder, "artifact", "told", "note", "--json").out);
    expect(note.versions).toHaveLength(2);
    const first = JSON.parse(
      sim(folder, "artifact", "told", "note", "--version", "1", "--json").out,
    );
    expect(first.content).toBe("first");
  });

  it("escapes control characters in what agents wrote", () => {
    const { out } = sim(folder, "artifact", "told", "note");
    expect(out).toContain("second \\u{202e}\\u{1b}[31m");
  });
});

describe("sim replay", () => {
  it("--to stops after that event", () => {
    const replayed = JSON.parse(sim(folder, "replay", "told", "--to", "30", "--json").out);
    const state = JSON.parse(sim(folder, "state", "told", "--at", "30", "--json").out);
    expect(replayed).toMatchObject({ last_seq: 30, state_hash: state.state_hash });
  });
});

describe("wrong usage is reported in one line", () => {
  it.each([
    [["state", "nothing"], 2, /there is no run "nothing"/],
    [["events", "told", "--limit", "0"], 2, /--limit.*whole number, 1 or more/],
    [["state", "told", "--at", "100000"], 2, /the last event of this run is \d+/],
    [["state", "told", "--at", "1"], 2, /the world does not exist yet/],
    [["artifact", "told", "ghost"], 2, /"ghost" is not an artifact/],
    [["artifact", "told", "note", "--version", "9"], 2, /note has versions 1 to 2, not 9/],
    [["artifact", "told"], 2, /missing required argument 'id'/],
    [["verify"], 2, /missing required argument 'run'/],
    [["replay", "told", "--upto", "3"], 2, /unknown option '--upto'/],
    [["run", "--clock", "sundial"], 2, /Allowed choices are wall, virtual/],
    [["run", "--duration", "-1"], 2, /--duration.*above 0/],
    [["run", "--name", "../out"], 2, /is not a valid run id/],
    [["run", "--only", "makr"], 2, /maker/],
  ] as const)("sim %s", (args, code, message) => {
    const said = sim(folder, ...args);
    expect(said.err).toMatch(message);
    expect(said.err).not.toMatch(/\n\s+at /);
    expect(lines(said.err)).toHaveLength(1);
    expect(said.code).toBe(code);
    expect(said.out).toBe("");
  });

  it("reports a folder that cannot be written", () => {
    writeFileSync(join(folder, "file"), "");
    const said = sim(folder, "run", "--out", "file/runs", "--clock", "virtual");
    expect(said.code).toBe(3);
    expect(lines(said.err)).toHaveLength(1);
  });
});
