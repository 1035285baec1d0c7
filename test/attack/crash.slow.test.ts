import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sim, spawnSim } from "../support/sim.ts";
import { call, folderOf, note } from "./arena.ts";

const busy = [{ repeat: 100_000, do: [note("page", "x"), call("none")] }];
const QUICK = ["--set", "virtual.think_ms.script=0", "--set", "agent.loop.min_delay_s=0.001"];
const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");

describe("a run that is killed", () => {
  it("keeps every event that a follower has read, and is listed as interrupted", async () => {
    const folder = folderOf({ ann: busy, bob: busy.slice(), cat: busy.slice() });
    const args = ["--clock", "wall", "--duration", "600", "--name", "killed", ...QUICK];
    const run = spawnSim(folder, "run", ...args);
    await run.until(/^run killed in/m);
    const follower = spawnSim(folder, "events", "killed", "--follow", "--json");
    await follower.until(/"seq":150,/);
    run.kill("SIGKILL");
    expect((await run.ended).code).toBe(null);
    const { out, code } = await follower.ended;
    expect(code).toBe(0);

    const kept = lines(sim(folder, "events", "killed", "--json").out);
    const shown = lines(out);
    expect(shown.length).toBeGreaterThanOrEqual(150);
    expect(kept.slice(0, shown.length)).toEqual(shown);

    expect(sim(folder, "verify", "killed").code).toBe(0);
    expect(JSON.parse(sim(folder, "verify", "killed", "--replay", "--json").out).last_seq).toBe(
      kept.length,
    );
    const [listed] = JSON.parse(sim(folder, "runs", "--json").out);
    expect(listed).toMatchObject({ run_id: "killed", status: "interrupted" });

    const again = sim(folder, "run", "--clock", "virtual", "--duration", "1", "--name", "killed");
    expect(again.code).toBe(2);
    expect(again.err).toMatch(/already exists; choose another --name/);
    expect(lines(sim(folder, "events", "killed", "--json").out)).toEqual(kept);
  });
});

describe("runs that start with the same name", () => {
  it("succeed for one of them only", async () => {
    const folder = folderOf({ ann: [note("b", "x"), { noop: {} }] });
    const args = ["--clock", "virtual", "--duration", "5", "--name", "both", "--json"];
    const runs = [1, 2, 3].map((seed) => spawnSim(folder, "run", ...args, "--seed", String(seed)));
    const ended = await Promise.all(runs.map(({ ended: end }) => end));
    expect(ended.map(({ code }) => code).toSorted()).toEqual([0, 2, 2]);
    const won = ended.findIndex(({ code }) => code === 0);
    for (const { err } of ended.filter(({ code }) => code === 2)) {
      expect(err).toMatch(/^sim: [^\n]*already exists; choose another --name\n$/);
    }
    expect(JSON.parse(ended[won]?.out ?? "{}").seed).toBe(won + 1);
    const used = sim(folder, "config", "--config", "runs/both/config.yaml", "--json");
    expect(JSON.parse(used.out).values["run.seed"].value).toBe(won + 1);
    expect(sim(folder, "verify", "both").code).toBe(0);
    expect(existsSync(join(folder, "runs", "both", "run.lock"))).toBe(false);
  });
});

describe("a request to stop", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s ends a run of hostile programs cleanly", async (signal, code) => {
    const bomb =
      "function run() { let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return a }";
    const script = [
      { write_artifact: { artifact_id: "bomb", code: bomb } },
      { repeat: 1000, do: [{ invoke_artifact: { artifact_id: "bomb" } }] },
    ];
    const folder = folderOf({ mallory: script });
    const run = spawnSim(folder, "run", "--clock", "wall", "--duration", "600", "--name", "bombed");
    await run.until(/^run bombed in/m);
    run.kill(signal);
    expect((await run.ended).code).toBe(code);
    expect(sim(folder, "verify", "bombed").code).toBe(0);
  });
});
