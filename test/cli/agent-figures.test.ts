import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { dashboardOf } from "../support/dashboard.ts";
import { emptyFolder, jsonOf, sim } from "../support/sim.ts";

const FIELDS = [
  ...["id", "owner", "parent", "group", "state", "reason", "cause", "wealth", "scrip", "held"],
  ...["llm_budget_micros", "disk_used", "disk_quota", "thoughts", "actions", "succeeded"],
];
const agents = z.array(z.looseObject({ id: z.string() }));

/** The shared fields of each agent, by id. A document without one of them has no equal rows. */
const figuresIn = (rows: unknown): unknown =>
  agents
    .parse(rows)
    .map((row) => FIELDS.map((field) => [field, field in row ? row[field] : "missing"]))
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));

it("all JSON documents have the same figures of an agent", async () => {
  const folder = emptyFolder();
  const flags = ["--clock", "virtual", "--duration", "20", "--name", "r", "--json"];
  const run = JSON.parse(sim(folder, "run", ...flags).out);
  expect(Object.keys(run.agents[0])).toEqual(FIELDS);
  const expected = figuresIn(run.agents);
  expect(figuresIn(jsonOf(folder, "report", "r").agents)).toEqual(expected);
  expect(figuresIn(jsonOf(folder, "state", "r").agents)).toEqual(expected);
  const dashboard = await dashboardOf(join(folder, "runs"));
  const { origin } = new URL(dashboard.addressOf(null));
  const page = z.object({ rows: z.unknown() });
  const answer = await fetch(`${origin}/api/runs/r/agents`);
  expect(figuresIn(page.parse(await answer.json()).rows)).toEqual(expected);
});
