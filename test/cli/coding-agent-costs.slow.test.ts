import { describe, expect, it } from "vitest";
import {
  calls,
  coderFolder,
  eventsOf,
  processesOf,
  publishes,
  runIn,
  stop,
} from "../support/coding-agents.ts";
import type { Step } from "../support/fake-coding-agent/plan.ts";
import { sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

const report = (cwd: string) => JSON.parse(sim(cwd, "report", "live", "--json").out);

const TOLD: Step = calls("send_message", { to: "operator", text: "started" });

/** A message of the stream of Claude Code, in the middle of a turn. */
const USES_TOKENS: Step = {
  does: "print",
  text: `${JSON.stringify({
    type: "assistant",
    message: { id: "m1", usage: { input_tokens: 1_000, output_tokens: 100 }, content: [] },
  })}\n`,
};

describe("the costs of a coding agent", () => {
  it("are part of the costs of the run, and its limit ends the run", async () => {
    const steps: readonly Step[] = [
      { does: "say", text: "ok" },
      { does: "report", input: 100, output: 20, usd: 0.02 },
    ];
    const cwd = coderFolder({ steps, settings: ["rest_s: 0"] });
    const ended = await runIn(cwd, "--max-cost", "0.03", "--json").ended;
    expect(ended.code).toBe(0);
    // The second turn exceeds the limit, because a cost is known at the end of its turn.
    expect(JSON.parse(ended.out)).toMatchObject({
      stopped_by: "max_cost",
      thinking: { cost_usd: 0.04 },
    });
    expect(report(cwd).model_calls).toMatchObject({
      calls: 2,
      cost_usd: 0.04,
      unpriced: 0,
      by_agent: [{ agent: "coder", calls: 2, cost_usd: 0.04 }],
      by_purpose: [{ purpose: "turn", input_tokens: 200, output_tokens: 40 }],
      by_model: [{ model: "claude" }],
    });
    expect(eventsOf(cwd, "thought_failed")).toMatchObject([
      { message: "the run's model budget (budget.max_api_cost_usd) is used up" },
    ]);
    expect(sim(cwd, "verify", "live").code).toBe(0);
  });

  it("are the price of its tokens if it reports only tokens", async () => {
    const steps: readonly Step[] = [
      { does: "report", input: 1_000, output: 100 },
      { does: "print_error", text: "no credit left\n" },
      { does: "exit", code: 3 },
    ];
    const cwd = coderFolder({ steps, settings: ["rest_s: 100", "llm_model: sonnet"] });
    const price = "llm.pricing={ anthropic/sonnet: { input: 3, output: 15 } }";
    const run = runIn(cwd, "--set", price);
    await run.until(/the turn of coder failed: it ended with exit code 3/);
    expect(await stop(run)).toBe(130);
    const { model_calls } = report(cwd);
    expect(model_calls.by_model[0]).toMatchObject({ model: "anthropic/sonnet", unpriced: 0 });
    expect(model_calls.by_fault).toMatchObject([{ fault: "provider_error" }]);
    expect(model_calls.cost_usd).toBeCloseTo(0.0045 * model_calls.calls, 9);
    expect(eventsOf(cwd, "thought_failed")[0]).toMatchObject({ usage: { cost_micros: 4_500 } });
  });

  it("include a turn that the end of the run has cut off", async () => {
    const cwd = coderFolder({ steps: [USES_TOKENS, TOLD, { does: "hang" }] });
    const run = runIn(cwd, "--set", "llm.pricing={ claude: { input: 3, output: 15 } }");
    await run.until(/message 1 from coder/);
    expect(await stop(run)).toBe(130);
    expect(report(cwd).model_calls).toMatchObject({
      cost_usd: 0.0045,
      by_fault: [{ fault: "cancelled", calls: 1 }],
    });
  });

  it("are named as unknown by an estimate", () => {
    const cwd = coderFolder({ steps: [] });
    const flags = ["run", "--agents", "agents", "--estimate"];
    expect(sim(cwd, ...flags).out).toContain(
      "not estimated: coder, whose program says the cost of a turn when it ends",
    );
    expect(JSON.parse(sim(cwd, ...flags, "--json").out)).toMatchObject({
      cost_usd: 0,
      not_estimated: ["coder"],
    });
  });
});

it("ends the program of a coding agent that is removed", async () => {
  const cwd = coderFolder({ steps: [TOLD, { does: "fork", group: "own" }, { does: "hang" }] });
  const run = runIn(cwd, "--set", "schedule=[{ at: 5s, remove: coder }]");
  const isRemoved = () =>
    sim(cwd, "events", "live", "--kind", "agent_state_changed").out.includes('"to":"stopped"');
  await expect.poll(isRemoved, { timeout: 20_000, interval: 250 }).toBe(true);
  await expect.poll(() => processesOf(cwd), { timeout: 20_000 }).toEqual([]);
  expect(await stop(run)).toBe(130);
});

it("keeps the files of a turn that a workspace can have, and names the others", async () => {
  const steps: readonly Step[] = [
    publishes("coder_double"),
    { does: "write", path: "plan.md", text: "a plan\n" },
    { does: "write", path: "image.png", text: "iVBORw0KGgo=", encoding: "base64" },
    { does: "say", text: "done" },
  ];
  const cwd = coderFolder({ steps, settings: ["rest_s: 100"] });
  const run = runIn(cwd);
  await run.until(/some files are not kept: image\.png: cannot be read: it is not UTF-8 text/);
  expect(await stop(run)).toBe(130);
  const written = eventsOf(cwd, "artifact_written");
  const files = written.filter(({ artifact_id: id }) => id === "coder_workspace");
  expect(JSON.stringify(files)).toContain("a plan");
  expect(JSON.stringify(files)).not.toContain("image.png");
});

it("does not follow a link that a program puts in the place of its folder", async () => {
  const secret = folderWith({ "key.md": "TOP-SECRET" });
  const script = `cd .. && rm -rf coder && ln -s ${secret} coder`;
  const cwd = folderWith({
    "agents/coder/agent.yaml": `id: coder
mind: cli
cli: { provider: command, rest_s: 1, command: [sh, -c, ${JSON.stringify(script)}] }
`,
  });
  const run = runIn(cwd);
  await run.until(/the files of the turn are not kept: its folder was replaced by a link/);
  expect(await stop(run)).toBe(130);
  expect(sim(cwd, "events", "live", "--json").out).not.toContain("TOP-SECRET");
});
