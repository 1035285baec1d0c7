import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writePersonas } from "../support/model-run.ts";
import { emptyFolder, jsonOf, setFlags, sim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const SCRIPTED = { mind: "script", script: [{ noop: {} }] };
const BEGIN = ["run", "--clock", "virtual", "--duration", "30", "--name", "short"];

/** A folder with one agent, who does one thing. */
const home = (): string => {
  const folder = emptyFolder();
  writePersonas(join(folder, "agents"), { zed: SCRIPTED });
  return folder;
};

describe("an idle run", () => {
  it("ends again at once when it is resumed, and prints a note", () => {
    const folder = home();
    const first = jsonOf(folder, ...BEGIN);
    expect(first).toMatchObject({ stopped_by: "idle" });
    const said = sim(folder, "resume", "short", "--json");
    const { duration_s, state_hash } = first;
    expect(JSON.parse(said.out)).toMatchObject({ stopped_by: "idle", duration_s, state_hash });
    expect(said.err).toMatch(/^note: nothing can happen in this world any more, so the run ended/m);
    expect(sim(folder, "verify", "short").code).toBe(0);
  });

  it("continues with a new agent", () => {
    const folder = home();
    sim(folder, ...BEGIN);
    writePersonas(join(folder, "new"), { newt: SCRIPTED });
    const said = sim(folder, "fork", "short", "--agents", "new", "--name", "more", "--json");
    const { agents, stopped_by } = JSON.parse(said.out);
    expect(stopped_by).toBe("idle");
    expect(agents).toContainEqual(expect.objectContaining({ id: "newt", actions: 1 }));
    expect(said.err).not.toMatch(/nothing can happen/);
  });
});

describe("changed personas", () => {
  const LETTER = { artifact_id: "genesis_messenger", method: "send", args: ["operator", "hi"] };
  const writer = (contacts: readonly string[]) => ({
    mind: "script",
    script_loop: true,
    contacts,
    script: [{ invoke_artifact: LETTER }, { wait: 5 }],
  });

  it("change the agents of a fork, and not those of a resumed run", () => {
    const folder = emptyFolder();
    const write = (contacts: readonly string[]) =>
      writePersonas(join(folder, "agents"), { ann: writer(contacts) });
    const kinds = (run: string): readonly string[] =>
      sim(folder, "events", run, "--json")
        .out.trim()
        .split("\n")
        .map((line) => JSON.parse(line).kind)
        .filter((kind) => kind === "contacts_set" || kind === "message_sent");
    write(["operator"]);
    sim(folder, ...BEGIN);
    const before = kinds("short").length;
    expect(before).toBeGreaterThan(0);
    write(["bob"]);
    sim(folder, "resume", "short", "--duration", "30");
    expect(kinds("short").length).toBeGreaterThan(before);
    const fork = (from: string, name: string) =>
      sim(folder, "fork", from, "--agents", "agents", "--duration", "30", "--name", name).code;
    expect(fork("short", "forked")).toBe(0);
    expect(kinds("forked")).toEqual(["contacts_set"]);
    expect(fork("forked", "again")).toBe(0);
    expect(kinds("again")).toEqual([]);
    expect(sim(folder, "verify", "again").code).toBe(0);
  });
});

describe("checkpoints of an earlier run of the same name", () => {
  it("prevent a new run of that name", () => {
    const folder = home();
    sim(folder, ...BEGIN);
    rmSync(join(folder, "runs"), { recursive: true });
    const reason = /checkpoints\/short holds checkpoints of an earlier run with this name; move or/;
    expectRefusal(sim(folder, ...BEGIN), 2, reason);
    expect(readdirSync(join(folder, "runs"))).toEqual([]);
    expect(sim(folder, ...BEGIN, "--set", "checkpoint.dir=other").code).toBe(0);
  });

  it("do not affect a run that writes none", () => {
    const folder = home();
    sim(folder, ...BEGIN);
    renameSync(join(folder, "runs/short"), join(folder, "runs/first"));
    const none = setFlags("checkpoint.every_s=null", "checkpoint.on_end=false");
    expect(sim(folder, ...BEGIN, ...none).code).toBe(0);
  });

  it("that cannot be written are a warning", () => {
    const folder = home();
    writeFileSync(join(folder, "file"), "");
    const said = sim(folder, ...BEGIN, "--set", "checkpoint.dir=file", "--json");
    expect(said.code).toBe(0);
    expect(JSON.parse(said.out)).toMatchObject({ checkpoint: null, stopped_by: "idle" });
    expect(said.err).toMatch(/^warning: no checkpoint was written: cannot write .*: a part of/m);
  });
});

it("sim compare finds the same actions in a resumed run, whose notes shift the numbers", () => {
  const folder = home();
  writePersonas(join(folder, "agents"), { zed: { ...SCRIPTED, script_loop: true } });
  // A sale of model budget would be an event of the longer run alone.
  const flags = setFlags("compute.sale=none");
  sim(folder, ...BEGIN, ...flags);
  sim(folder, ...BEGIN, ...flags, "--name", "cut", "--stop-after", "6");
  sim(folder, "resume", "cut", "--duration", "40");
  const { code, out } = sim(folder, "compare", "short", "cut");
  expect(code).toBe(1);
  expect(out).toMatch(/^cut has other physics but the same events as short /);
  const { divergences } = jsonOf(folder, "compare", "short", "cut");
  expect(divergences).toMatchObject([{ related: false, events: null, shift: 0 }]);
});
