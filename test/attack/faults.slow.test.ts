import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { sim } from "../support/sim.ts";
import { expectError, folderOf, note, RUN } from "./arena.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

const folder = folderOf({ ann: [note("b", "x"), { noop: {} }] });

/** A copy of the good run to be damaged; gives the path of its journal. */
const copy = (name: string): string => {
  cpSync(join(folder, "runs", "good"), join(folder, "runs", name), { recursive: true });
  return join(folder, "runs", name, "journal.db");
};

const sql = (path: string, text: string): void => {
  const database = new DatabaseSync(path);
  database.exec(text);
  database.close();
};

beforeAll(() => {
  expect(sim(folder, ...RUN, "--name", "good").code).toBe(0);
});

describe("a journal that is", () => {
  it("not an SQLite file is refused in one line", () => {
    writeFileSync(copy("garbage"), "x".repeat(9000));
    expectError(sim(folder, "verify", "garbage"), 3, /not an SQLite file/);
  });

  it.each([
    ["torn inside", "update events set body = '{' where seq = 20"],
    ["of unknown words", "update events set kind = 'unknown' where seq = 20"],
  ])("%s fails verify, and other verbs report one line", (what, text) => {
    const name = what.replaceAll(" ", "-");
    sql(copy(name), text);
    const verified = sim(folder, "verify", name);
    expect(verified.out).toMatch(/FAILS\tchain\tevent 20/);
    expect(verified.code).toBe(1);
    expectError(sim(folder, "verify", name, "--replay"), 3, /event 20 .*damaged/);
    expectError(sim(folder, "state", name, "--at", "30"), 3, /event 20 .*damaged/);
    // The journal keeps the last state, so no earlier event is read.
    expect(sim(folder, "state", name)).toMatchObject({ code: 0, err: "" });
  });

  it("torn inside is reported by `events --json` after the readable events", () => {
    sql(copy("half-read"), "update events set body = '{' where seq = 20");
    const output = sim(folder, "events", "half-read", "--json");
    expect(output.out.trim().split("\n").length).toBe(19);
    expectError(output, 3, /event 20 of the journal is damaged/);
  });
});

it("lists the runs it can read, and names the run.json it cannot", () => {
  const out = join(folder, "others");
  for (const [name, text] of [
    ["one", "{"],
    ["two", "[]"],
    ["three", '{"run_id": "\\u001b[31mred"}'],
    ["four", ""],
  ] as const) {
    mkdirSync(join(out, name), { recursive: true });
    writeFileSync(join(out, name, "run.json"), text);
  }
  symlinkSync("nowhere", join(out, "dangling"));
  const output = sim(folder, "runs", "--out", out, "--json");
  expect(output.err.match(/^sim: .*run\.json/gm)?.length).toBe(4);
  expect(output.code).toBe(0);
  expect(JSON.parse(output.out)).toEqual([]);
});

describe("an output folder that", () => {
  it("is inside the copied agents is refused and left empty", () => {
    const output = sim(folder, ...RUN, "--out", "agents/ann/runs", "--name", "nested");
    expectError(output, 3, /subdirectory of self/);
    expect(readdirSync(join(folder, "agents", "ann", "runs"))).toEqual([]);
    rmSync(join(folder, "agents", "ann", "runs"), { recursive: true });
  });

  it.each(["/proc/nothing", "agents/ann/agent.yaml", "/dev/null"])("is %s is refused", (out) => {
    expectError(sim(folder, ...RUN, "--out", out), 3, /cannot write the run to/);
  });

  it("is full ends the run with one line, and the journal verifies", () => {
    const home = folderOf({ ann: [{ repeat: 5000, do: [note("b", "x".repeat(200))] }] });
    const args = ["run", "--clock", "virtual", "--duration", "5000", "--name", "full", "--json"];
    const limited = `ulimit -f 600; exec "$0" "$@"`;
    const ended = spawnSync("bash", ["-c", limited, process.execPath, MAIN, ...args], {
      cwd: home,
      encoding: "utf8",
    });
    expect(ended.status).toBe(3);
    expect(ended.stderr.split("\n").filter((line) => line.startsWith("sim:")).length).toBe(1);
    expect(ended.stderr).not.toMatch(/bug in catallaxy|\n {4}at /);
    expect(sim(home, "verify", "full").code).toBe(0);
  });
});

describe("a disk that fills up while models think in parallel", () => {
  it("ends the run with one line and exit code 3, and the run resumes to the same state", () => {
    const home = folderOf({});
    for (const id of ["ann", "bob", "cyd", "dan"]) {
      mkdirSync(join(home, "agents", id), { recursive: true });
      writeFileSync(join(home, "agents", id, "agent.yaml"), `id: ${id}\nmind: llm\n`);
    }
    const sets = ["memory.embedder=hashed", "virtual.think_ms.llm=[1000, 5000]"];
    const flags = sets.flatMap((each) => ["--set", each]);
    const run = ["run", "--clock", "virtual", "--duration", "120", "--model", "mock", ...flags];
    const limited = `ulimit -f 900; exec "$0" "$@"`;
    const words = [MAIN, ...run, "--name", "full", "--json"];
    const ended = spawnSync("bash", ["-c", limited, process.execPath, ...words], {
      cwd: home,
      encoding: "utf8",
    });
    expect(ended.status).toBe(3);
    expect(ended.stderr.split("\n").filter((line) => line.startsWith("sim:")).length).toBe(1);
    expect(ended.stderr).not.toMatch(/bug in catallaxy|unhandled|\n {4}at /i);
    expect(sim(home, "verify", "full").code).toBe(0);
    const started = sim(home, "events", "full", "--kind", "thought_started", "--json").out;
    expect(started.trim().split("\n").length).toBeGreaterThan(4);
    const resumed = sim(home, "resume", "full", "--json");
    const whole = sim(home, ...run, "--name", "whole", "--json");
    expect(JSON.parse(resumed.out).state_hash).toBe(JSON.parse(whole.out).state_hash);
    expect(sim(home, "verify", "full").code).toBe(0);
  });
});

describe("the reader of the output", () => {
  const through = (line: string): string =>
    execFileSync("bash", ["-c", line, process.execPath, MAIN], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });

  it("may stop reading", () => {
    expect(through(`"$0" "$1" events good | head -1; echo "$\{PIPESTATUS[0]}"`)).toMatch(/\n0\n$/);
  });

  it("may be missing", () => {
    const bare = `env -i "$0" "$1" run --clock virtual --duration 1 --name`;
    expect(through(`${bare} alone <&- >&- 2>&-; echo $?`)).toBe("0\n");
    expect(through(`${bare} full --json 2>/dev/null >/dev/full; echo $?`)).toBe("3\n");
  });
});
