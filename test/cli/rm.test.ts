import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { RunLock } from "../../src/world/index.ts";
import { emptyFolder, makeRun, sim, simWith } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const folder = emptyFolder();
const runsIn = (out: string): readonly string[] => readdirSync(join(folder, out)).toSorted();

const make = (...names: readonly string[]): void => {
  for (const name of names) makeRun(folder, { name, seconds: 1 });
};

it("sim rm removes runs with their checkpoints", () => {
  make("a", "b", "kept");
  expect(runsIn("checkpoints")).toEqual(["a", "b", "kept"]);
  const said = sim(folder, "rm", "a", "b", "--yes");
  expect(said).toEqual({ code: 0, out: "removed a\nremoved b\n", err: "" });
  expect(runsIn("runs")).toEqual(["kept"]);
  expect(runsIn("checkpoints")).toEqual(["kept"]);
  make("a");
});

it("sim rm --yes removes no run by the beginning of its name", () => {
  make("trial-1");
  const said = sim(folder, "rm", "trial", "--yes");
  expectRefusal(said, 2, "trial is the beginning of runs/trial-1; with --yes, give the whole name");
  expect(runsIn("runs")).toContain("trial-1");
  expect(sim(folder, "rm", "trial-1", "--yes").code).toBe(0);
});

it("sim rm --json prints what was removed", () => {
  make("c");
  const { out } = sim(folder, "rm", "c", "--yes", "--json");
  expect(JSON.parse(out)).toEqual({ removed: ["c"] });
});

it("sim rm asks, and removes nothing without a yes", () => {
  make("asked");
  const question = "remove runs/asked and 1 checkpoint file? [y/N] ";
  const answered = (answer: string) => simWith({ answer }, folder, ["rm", "asked"]);
  expect(answered("")).toEqual({ code: 0, out: "", err: `${question}nothing is removed\n` });
  expect(answered("no").err).toBe(`${question}nothing is removed\n`);
  expect(runsIn("runs")).toContain("asked");
  expect(answered("y")).toEqual({ code: 0, out: "removed asked\n", err: question });
  expect(runsIn("runs")).not.toContain("asked");
});

it("sim rm without a person to ask needs --yes", () => {
  make("unasked");
  expectRefusal(sim(folder, "rm", "unasked"), 2, "add --yes to remove runs/unasked");
  expect(sim(folder, "verify", "unasked").code).toBe(0);
});

it("sim rm refuses a run that is running, and then removes none", () => {
  make("idle", "busy");
  const held = RunLock.take(join(folder, "runs/busy"));
  expectRefusal(
    sim(folder, "rm", "idle", "busy", "--yes"),
    2,
    /^sim: runs\/busy: this run is being written by process \d+ .*; stop it first/,
  );
  if (held.ok) held.lock.release();
  expect(sim(folder, "verify", "idle").code).toBe(0);
  expect(sim(folder, "rm", "idle", "busy", "--yes").code).toBe(0);
});

it("sim rm keeps files that no run made", () => {
  make("noted");
  writeFileSync(join(folder, "runs/noted/notes.txt"), "mine");
  writeFileSync(join(folder, "checkpoints/noted/notes.txt"), "mine");
  expect(sim(folder, "rm", "noted", "--yes").err).toBe(
    "note: kept other files in runs/noted: notes.txt\n",
  );
  expect(runsIn("runs/noted")).toEqual(["notes.txt"]);
  expect(runsIn("checkpoints/noted")).toEqual(["notes.txt"]);
});

it("sim rm removes a run that never started, and refuses other folders", () => {
  make("hollow");
  writeFileSync(join(folder, "runs/hollow/config.yaml"), "{");
  expect(sim(folder, "rm", "hollow", "--yes").code).toBe(0);
  expectRefusal(sim(folder, "rm", "hollow", "--yes"), 2, /^sim: there is no run "hollow"/);
  expectRefusal(sim(folder, "rm", "runs", "--yes"), 2, /^sim: runs is not the folder of a run/);
});

it("--out moves checkpoints too", () => {
  const args = ["--out", "lab", "--name", "moved"];
  makeRun(folder, { name: "moved", seconds: 1 }, "--out", "lab");
  expect(runsIn("lab")).toEqual(["checkpoints", "moved"]);
  expect(runsIn("lab/checkpoints/moved")).toHaveLength(1);
  const saved = sim(folder, "checkpoint", "moved", "--out", "lab", "--at", "0s");
  expect(saved.out).toMatch(/^lab\/checkpoints\/moved\/0s-\d+\.ckpt: /);
  expect(sim(folder, "resume", "lab/moved", "--duration", "1", "--quiet").code).toBe(0);
  expect(runsIn("lab/checkpoints/moved")).toHaveLength(3);
  expect(existsSync(join(folder, "checkpoints/moved"))).toBe(false);
  expect(sim(folder, "rm", "moved", "--yes", ...args.slice(0, 2)).code).toBe(0);
  expect(runsIn("lab")).toEqual(["checkpoints"]);
});
