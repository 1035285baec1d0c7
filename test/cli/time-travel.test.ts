import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { writePersonas } from "../support/model-run.ts";
import { emptyFolder, jsonOf, type SimResult, setFlags, sim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const report = z.object({
  run_id: z.string(),
  duration_s: z.number(),
  stopped_by: z.string(),
  state_hash: z.string(),
  checkpoint: z.string().nullable(),
  agents: z.array(z.object({ id: z.string(), state: z.string() })),
});
const reportOf = ({ out, err }: SimResult) => {
  const read = report.safeParse(out.startsWith("{") ? JSON.parse(out) : out);
  if (!read.success) throw new Error(err);
  return read.data;
};

const BEGIN = ["run", "--clock", "virtual", "--duration", "20", "--seed", "5", "--json"];

const folder = emptyFolder();
const inFolder = (...args: readonly string[]): SimResult => sim(folder, ...args);
const json = (...args: readonly string[]) => jsonOf(folder, ...args);
let wholeHash = "";
let halfCheckpoint = "";

beforeAll(() => {
  wholeHash = reportOf(inFolder(...BEGIN, "--name", "whole")).state_hash;
  const half = reportOf(inFolder(...BEGIN, "--name", "half", "--stop-after", "8.5"));
  halfCheckpoint = half.checkpoint ?? "";
});

describe("a run in two parts equals the run in one part", () => {
  it("resumed in its own folder", () => {
    const resumed = reportOf(inFolder("resume", "half", "--json"));
    expect(resumed).toMatchObject({ duration_s: 20, stopped_by: "duration", run_id: "half" });
    expect(resumed.state_hash).toBe(wholeHash);
    expect(inFolder("verify", "half").code).toBe(0);
    expect(inFolder("compare", "whole", "half")).toMatchObject({ code: 0 });
  });

  it("resumed from its checkpoint, in another folder", () => {
    const elsewhere = emptyFolder();
    copyFileSync(halfCheckpoint, join(elsewhere, "half.ckpt"));
    const rest = reportOf(sim(elsewhere, "run", "--from", "half.ckpt", "--name", "rest", "--json"));
    expect(rest).toMatchObject({ duration_s: 20, state_hash: wholeHash });
    expect(sim(elsewhere, "verify", "rest")).toMatchObject({ code: 0 });
    expect(sim(elsewhere, "verify", "rest", "--replay").out).toContain(wholeHash);
    const [line] = jsonOf(elsewhere, "runs");
    expect(line).toMatchObject({ run_id: "rest", parent: "half", status: "finished" });
  });

  it("resumed from a checkpoint of any past event", () => {
    const made = json("checkpoint", "whole", "--at", "400");
    expect(made.state_hash).toBe(json("state", "whole", "--at", String(made.seq)).state_hash);
    const rest = reportOf(inFolder("run", "--from", made.file, "--name", "from-past", "--json"));
    expect(rest.state_hash).toBe(wholeHash);
  });

  it("sim checkpoint writes to the folder of the run's own checkpoints", () => {
    const [at, name] = [setFlags("checkpoint.dir=kept"), "elsewhere"];
    const { checkpoint } = reportOf(inFolder(...BEGIN, "--duration", "2", ...at, "--name", name));
    const { file } = json("checkpoint", name);
    expect(dirname(file)).toBe(join("kept", name));
    expect(checkpoint?.startsWith(join(folder, dirname(file)))).toBe(true);
  });

  it("--duration extends the horizon", () => {
    const name = ["--name", "short"];
    reportOf(inFolder(...BEGIN, ...name, "--duration", "10"));
    const longer = reportOf(inFolder("resume", "short", "--duration", "5", "--json"));
    expect(longer).toMatchObject({ duration_s: 15 });
    expect(inFolder("verify", "short").code).toBe(0);
    const physics = json("events", "short", "--kind", "physics_amended");
    expect(physics).toMatchObject({ physics: { horizon_ms: 15_000 } });
  });
});

describe("sim fork", () => {
  it("tells agents of a new end only if it is later than their horizon", () => {
    const forked = (name: string, flag: string, seconds: string) =>
      reportOf(inFolder("fork", "whole", "--at", "400", "--name", name, flag, seconds, "--json"));
    const amended = (name: string): string =>
      inFolder("events", name, "--kind", "physics_amended", "--json").out;
    const { at_ms: atMs } = json("state", "whole", "--at", "400");
    expect(forked("nearer", "--duration", "1").duration_s).toBe(atMs / 1_000 + 1);
    expect(forked("stopped", "--stop-after", "1").duration_s).toBe(atMs / 1_000 + 1);
    expect([amended("nearer"), amended("stopped")]).toEqual(["", ""]);
    expect(forked("beyond", "--duration", "40").duration_s).toBe(atMs / 1_000 + 40);
    expect(JSON.parse(amended("beyond")).physics.horizon_ms).toBe(atMs + 40_000);
    for (const verb of ["run", "fork", "resume"]) {
      const help = inFolder(verb, "--help").out.replaceAll(/\s+/g, " ");
      expect(help).toContain("agents are told only if this extends their horizon");
      expect(help).toContain("stop after this many simulated seconds");
    }
  });

  it("--set changes the world from the fork on, and sim compare shows it", () => {
    const flags = ["--at", "300", "--set", "mint.slots=5", "--name", "slots"];
    expect(reportOf(inFolder("fork", "whole", ...flags, "--json")).duration_s).toBe(20);
    expect(inFolder("verify", "slots").code).toBe(0);
    const compared = inFolder("compare", "whole", "slots", "--json");
    expect(compared.code).toBe(1);
    expect(JSON.parse(compared.out)).toMatchObject({
      runs: ["whole", "slots"],
      same: false,
      settings: [{ name: "mint.slots", values: ["2", "5"] }],
      divergences: [{ run: "slots", related: true, amended: [0, 1] }],
    });
  });

  it("that differs is compared with both events and the fields that differ", () => {
    const flags = ["--at", "300", "--set", "agent.loop.min_delay_s=0.7", "--name", "slower"];
    reportOf(inFolder("fork", "whole", ...flags, "--json"));
    const [{ events }] = json("compare", "whole", "slower").divergences;
    for (const [at, run] of ["whole", "slower"].entries()) {
      const { seq, body } = events[at];
      const { out } = inFolder("events", run, "--after", String(seq - 1), "--limit", "1", "--json");
      const { at_ms, kind, principal } = events[at];
      expect(JSON.parse(out)).toEqual({ seq, at_ms, kind, principal, ...body });
    }
    const { out } = inFolder("compare", "whole", "slower");
    expect(out).toMatch(/\n {2}whole: \{.+\n {2}slower: \{.+\n {2}they differ in next_at_ms \(/);
  });

  it("with an ineffective change repeats its source, and sim compare reports it", () => {
    const sets = ["--set", "spawn.principals_max=9000", "--name", "wider"];
    reportOf(inFolder("fork", "whole", "--at", "300", ...sets, "--json"));
    const told = inFolder("compare", "whole", "wider");
    expect(told.code).toBe(1);
    expect(told.out).toMatch(/^wider has other physics but the same events as whole \(\d+ /);
    const others = ["--set", "spawn.principals_max=8000", "--name", "narrower"];
    reportOf(inFolder("fork", "whole", "--at", "300", ...others, "--json"));
    const forks = inFolder("compare", "wider", "narrower");
    expect(forks.code).toBe(1);
    expect(forks.out).toMatch(/^narrower has other physics but the same events as wider \(\d+ /);
  });

  it("has help that says which defaults come from the source", () => {
    const { out } = inFolder("fork", "--help");
    expect(out.match(/\(default:[^)]*\sthe\s+source\)/g)).toHaveLength(5);
    expect(inFolder("run", "--help").out).not.toContain("of the source");
  });

  it("keeps the clock of its source despite --config", () => {
    writeFileSync(join(folder, "wall.yaml"), "run: { clock: wall }\n");
    const flags = ["--at", "300", "--config", "wall.yaml", "--duration", "5", "--name", "clock"];
    const forked = json("fork", "whole", ...flags);
    expect(forked).toMatchObject({ clock: "virtual", stopped_by: "duration" });
  });

  it("--agents replaces agents and adds new ones", () => {
    const other = { mind: "policy/zero_intelligence" };
    writePersonas(join(folder, "changed"), { ada: other, newt: other });
    const flags = ["--at", "300", "--agents", "changed", "--name", "people"];
    const forked = reportOf(inFolder("fork", "whole", ...flags, "--json"));
    expect(forked.agents.map(({ id }) => id)).toEqual(expect.arrayContaining(["newt", "zed"]));
    expect(JSON.parse(json("state", "people", "ada").content)).toMatchObject(other);
    expect(inFolder("verify", "people").code).toBe(0);
  });

  it("of a fork verifies and records its parent", () => {
    reportOf(inFolder("fork", "slots", "--duration", "5", "--name", "again", "--json"));
    expect(inFolder("verify", "again").code).toBe(0);
    const again = { run_id: "again", parent: "slots" };
    expect(json("runs")).toContainEqual(expect.objectContaining(again));
  });
});

describe("a request that cannot be fulfilled", () => {
  const fails = (code: number, args: readonly string[], reason: RegExp): void =>
    expectRefusal(inFolder(...args), code, reason);

  it.each([
    [["resume", "whole"], /^sim: runs\/whole has reached its horizon, 20 s; add --d/],
    [["fork", "whole"], /, 20 s; add --duration 300s .* earlier moment with --at 10s\n$/],
    [["resume", "whale"], /^sim: there is no run "whale" in runs; did you mean `whole`/],
    [["fork", "whale"], /^sim: there is no run "whale"/],
    [["checkpoint", "whole", "--at", "999999"], /--at event 999999: this run has the events 1 to/],
    [["fork", "from-past", "--at", "3"], /--at event 3: this run has the events \d+ to \d+/],
    [["fork", "half.ckpt", "--at", "3"], /^sim: --at works only with a run/],
  ])("sim %j", (args, reason) => {
    fails(
      2,
      args.map((arg) => (arg === "half.ckpt" ? halfCheckpoint : arg)),
      reason,
    );
  });

  it.each([
    ["fork", ["fork", "whole", "--name", "never"]],
    ["checkpoint", ["checkpoint", "whole", "-o", "never.ckpt"]],
  ])("a world that is not complete yet: sim %s", (_, args) => {
    const reason = /^sim: --at event \d+: its world is complete only from event \d+ on/;
    for (const at of ["1", "2", "20"]) fails(2, [...args, "--at", at], reason);
  });

  it("the message names the first event with a complete world", () => {
    const { err } = inFolder("fork", "whole", "--at", "1");
    const [, first = ""] =
      /complete only from event (\d+) on; choose that event or a later one/.exec(err) ?? [];
    const born = inFolder("events", "whole", "--kind", "agent_created", "--json").out;
    expect(JSON.parse(born.trim().split("\n").at(-1) ?? "")).toMatchObject({ seq: Number(first) });
    const made = json("checkpoint", "whole", "--at", first, "-o", "opened.ckpt");
    expect(made).toMatchObject({ seq: Number(first), at_ms: 0 });
    const rest = reportOf(inFolder("run", "--from", "opened.ckpt", "--name", "opened", "--json"));
    expect(rest.state_hash).toBe(wholeHash);
  });

  it("an existing checkpoint file is never overwritten", () => {
    writeFileSync(join(folder, "mine.ckpt"), "something else");
    fails(2, ["checkpoint", "whole", "-o", "mine.ckpt"], /cannot write the checkpoint mine\.ckpt/);
    expect(readFileSync(join(folder, "mine.ckpt"), "utf8")).toBe("something else");
  });

  const CHECKPOINT = ["checkpoint", "whole", "-o"];
  it.each([
    ["a folder", [...CHECKPOINT, "runs"], 2, /checkpoint runs: a folder is there; c/],
    ["a pipe", [...CHECKPOINT, "pipe"], 2, /pipe: a pipe or a device is there; choo/],
    ["a lost link", [...CHECKPOINT, "lost"], 2, /lost: a broken link is there; /],
    ["below a file", [...CHECKPOINT, "file/x"], 3, /a part of its path is not a folder/],
    ["from a folder", ["run", "--from", "odd"], 2, /^sim: odd is not the folder of a run, and/],
    ["from a pipe", ["fork", "pipe"], 2, /^sim: pipe is a pipe or a device, and there is no run/],
    ["from a lost link", ["run", "--from", "lost"], 2, /^sim: lost is a broken link, and there/],
    ["from no file", ["run", "--from", "no.ckpt"], 2, /^sim: no\.ckpt does not exist, and there/],
    ["a file for a run", ["resume", "file"], 2, /^sim: file is a file, not a run, and there is/],
    ["a file for runs", ["run", "--out", "file"], 3, /a part of its path is not a folder; choose/],
    ["a lost link for runs", ["run", "--out", "lost"], 3, /it is a broken link/],
    ["a name twice", ["run", "--name", "whole"], 2, /^sim: runs\/whole already exists; choose an/],
  ])("a path of the wrong kind: %s", (_, args, code, said) => {
    if (!existsSync(join(folder, "pipe"))) {
      execFileSync("mkfifo", [join(folder, "pipe")]);
      symlinkSync("nowhere", join(folder, "lost"));
      mkdirSync(join(folder, "odd"));
      writeFileSync(join(folder, "file"), "");
    }
    fails(code, args, said);
  });

  const HEAD_OF_99 = Buffer.from("catallaxy-checkpoint 99");
  it.each<[string, (whole: Buffer) => Uint8Array, RegExp]>([
    ["cut", (whole) => whole.subarray(0, whole.length - 100), /cut\.ckpt/],
    [
      "changed",
      (whole) => whole.map((byte, at) => (at === 500 ? byte ^ 7 : byte)),
      /changed\.ckpt/,
    ],
    ["foreign", () => Buffer.from("SQLite format 3\0 and so on"), /foreign\.ckpt/],
    ["empty", () => Buffer.alloc(0), /empty\.ckpt/],
    ["newer", (whole) => Buffer.concat([HEAD_OF_99, whole.subarray(22)]), /has format 99/],
  ])("a checkpoint that is %s", (name, damage, said) => {
    const file = `${name}.ckpt`;
    writeFileSync(join(folder, file), damage(readFileSync(halfCheckpoint)));
    const runs = readdirSync(join(folder, "runs"));
    fails(2, ["run", "--from", file, "--name", "never"], said);
    expect(readdirSync(join(folder, "runs"))).toEqual(runs);
    // A file of another kind is a wrong argument, and not a check that fails.
    expect(inFolder("verify", file).code).toBe(name === "foreign" ? 2 : 1);
  });

  it("an undamaged checkpoint verifies", () => {
    expect(inFolder("verify", halfCheckpoint)).toMatchObject({ code: 0 });
  });

  it("a folder whose run never started", () => {
    mkdirSync(join(folder, "runs/hollow"), { recursive: true });
    writeFileSync(join(folder, "runs/hollow/run.json"), "{}");
    fails(3, ["resume", "hollow"], /config\.yaml/);
  });
});
