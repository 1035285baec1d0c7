import { beforeAll, expect, it } from "vitest";
import { ACTIVE, HOSTILE_ID, hostileRun } from "../support/hostile-run.ts";
import { emptyFolder, sim, simWith } from "../support/sim.ts";

const folder = emptyFolder();

beforeAll(async () => {
  await hostileRun(folder);
});

const COMMANDS: readonly (readonly string[])[] = [
  ["report", "hostile"],
  ["state", "hostile"],
  ["state", "hostile", HOSTILE_ID],
  ["explain", "hostile", "ada"],
  ["events", "hostile"],
  ["compare", "hostile", "hostile"],
  ["verify", "hostile"],
  ["runs"],
  ["agents", "list", "--agents", "personas"],
];

it.each(COMMANDS)("text of agents cannot control a terminal: sim %s %s", (...args) => {
  const terminal = { columns: 80, rows: 24 };
  for (const said of [
    sim(folder, ...args),
    sim(folder, ...args, "--tsv"),
    simWith({ terminal }, folder, [...args, "--no-color"]),
  ]) {
    const { code, out, err } = said;
    expect({ code, active: ACTIVE.exec(`${out}${err}`) }).toEqual({ code: 0, active: null });
  }
});

const DOCUMENTS: readonly (readonly string[])[] = [
  ...COMMANDS.map((args) => [...args, "--json"]),
  ["moments", "hostile", "--json"],
  ["moments", "hostile", "--jsonl"],
];

it.each(DOCUMENTS)("a document cannot control a terminal: sim %s %s %s", (...args) => {
  const { code, out, err } = sim(folder, ...args);
  expect({ code, active: ACTIVE.exec(`${out}${err}`) }).toEqual({ code: 0, active: null });
});

it("text of agents cannot control the live display of a run", () => {
  const args = ["fork", "hostile", "--duration", "3", "--name", "watched", "--no-color"];
  const terminal = { columns: 200, rows: 50 };
  const { code, out, err } = simWith({ terminal }, folder, args);
  // The live display moves the cursor up and erases what is below it.
  const [report = "", ...drawings] = out.split("\u001b[0J").toReversed();
  const drawn = drawings.map((drawing) => drawing.slice(0, drawing.lastIndexOf("\u001b[")));
  const active = ACTIVE.exec(`${report}${drawn.join("")}${err}`);
  expect({ code, active }).toEqual({ code: 0, active: null });
  expect(out).toContain(HOSTILE_ID);
});

it("text of agents is escaped, and stays on its line", () => {
  const { out } = sim(folder, "report", "hostile");
  const alarm = out.split("\n").find((line) => line.includes("repeated_failure")) ?? "";
  expect(alarm).toContain("\\u{202e}gpj.exe\\u{2066} \\u{7} line\\u{2028}paragraph\\u{2029}");
  expect(alarm).toMatch(/onerror.*: invalid_argument/);
});
