import { beforeAll, expect, it } from "vitest";
import { ACTIVE, HOSTILE_ID, hostileRun } from "../support/hostile-run.ts";
import { emptyFolder, sim } from "../support/sim.ts";

const folder = emptyFolder();

beforeAll(async () => {
  await hostileRun(folder);
}, 60_000);

it.each([
  ["report", "hostile"],
  ["state", "hostile"],
  ["artifact", "hostile", HOSTILE_ID],
  ["explain", "hostile", "ada"],
  ["events", "hostile"],
  ["compare", "hostile", "hostile"],
  ["verify", "hostile"],
  ["runs"],
])("text of agents cannot control a terminal: sim %s %s", (...args) => {
  const { code, out, err } = sim(folder, ...args);
  expect({ code, active: ACTIVE.exec(`${out}${err}`) }).toEqual({ code: 0, active: null });
});

it("text of agents is escaped, and stays on its line", () => {
  const { out } = sim(folder, "report", "hostile");
  const alarm = out.split("\n").find((line) => line.includes("repeated_failure")) ?? "";
  expect(alarm).toContain("\\u{202e}gpj.exe\\u{2066} \\u{7} line\\u{2028}paragraph\\u{2029}");
  expect(alarm).toMatch(/onerror.*: invalid_argument/);
});
