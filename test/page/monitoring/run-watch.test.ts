import { expect, it } from "vitest";
import { RunWatch } from "../../../src/page/index.ts";
import { runPaths } from "../../../src/run/index.ts";
import { Journal } from "../../../src/world/index.ts";
import { byLabel, type Samples, samplesIn } from "../../support/prometheus.ts";
import { jsonOf } from "../../support/sim.ts";
import { AGENTS_LLM, simulate } from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const watched = async (folder: string, models: readonly string[]): Promise<Samples> => {
  const opened = Journal.open(runPaths(folder).journal, { readOnly: true });
  if (!opened.ok) throw new Error(opened.problem);
  const watch = new RunWatch(opened.journal, models);
  // A second scrape must not count anything twice.
  await watch.text();
  const text = await watch.text();
  opened.journal.close();
  return samplesIn(text);
};

it("has the figures of the report", async () => {
  const out = temporaryFolder();
  const sets = [
    "run.duration_s=10",
    "memory.backend=none",
    "llm.default_model=mock",
    "llm.pricing={mock: {input: 1, output: 2}}",
  ];
  const { folder } = await simulate(out, { agents: AGENTS_LLM, sets });
  const samples = await watched(folder, ["mock"]);
  const { metrics, model_calls, lives } = jsonOf(out, "report", folder);
  const { work, principals } = metrics;
  expect(model_calls.calls).toBeGreaterThan(10);
  expect(lives).toBeDefined();
  expect(samples.get("catallaxy_run_time_seconds")).toBe(metrics.at_ms / 1_000);
  expect(byLabel(samples, "catallaxy_actions_total", "result")).toEqual({
    succeeded: work.succeeded,
    refused: work.actions - work.succeeded,
  });
  const thoughts = byLabel(samples, "catallaxy_thoughts_total", "result");
  expect(thoughts.failed).toBe(work.thoughts_failed);
  expect(Object.values(thoughts).reduce((sum, count) => sum + count, 0)).toBe(work.thoughts);
  const agents = principals.filter(({ agent }: { agent: boolean }) => agent);
  const counts = Object.entries(byLabel(samples, "catallaxy_agents", "state"));
  for (const [state, count] of counts) {
    const inState = agents.filter((each: { state: string }) => each.state === state);
    expect(count, state).toBe(inState.length);
  }
  const mock = 'provider="mock",model="mock"';
  const of = (name: string): number | undefined => samples.get(`catallaxy_model_${name}`);
  expect(of(`calls_total{${mock},result="answered"}`)).toBe(
    model_calls.calls - model_calls.failures,
  );
  expect(of(`calls_total{${mock},result="failed"}`)).toBe(model_calls.failures);
  expect(of(`cost_usd_total{${mock}}`)).toBeGreaterThan(0);
  expect(of(`cost_usd_total{${mock}}`)).toBe(model_calls.cost_usd);
  // An agent can name any model, and no label may have its text.
  const unknown = await watched(folder, ["gemini/other"]);
  expect(byLabel(unknown, "catallaxy_model_calls_total", "model")).toEqual({
    other: model_calls.failures,
  });
  const labels = [...unknown.keys()].join("\n");
  for (const { id } of agents) expect(labels).not.toContain(`"${id}"`);
});
