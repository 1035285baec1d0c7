import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  calls,
  coderFolder,
  eventsOf,
  processesOf,
  processIn,
  publishes,
  resumeIn,
  runIn,
  stop,
} from "../support/coding-agents.ts";
import type { Step } from "../support/fake-coding-agent/plan.ts";
import { sim } from "../support/sim.ts";

const SHIPPED = join(import.meta.dirname, "../../agents");

it("a coding agent lives in the shipped economy, is killed with it, and continues", async () => {
  const cwd = coderFolder({
    steps: [
      publishes("coder_double"),
      calls("send_message", { to: "operator", text: "published" }),
      { does: "hang" },
    ],
  });
  const agents = ["--agents", SHIPPED, "--agents", "agents"];
  const run = processIn(cwd, ...agents);
  await run.until(/message 1 from coder/);
  run.kill("SIGKILL");
  await run.ended;
  const resumed = resumeIn(cwd);
  await resumed.until(/message 2 from coder/);
  const earned = (): number => {
    const { out } = sim(cwd, "state", "live", "coder_double", "--json");
    return JSON.parse(out).revenue;
  };
  await expect.poll(earned, { timeout: 60_000, interval: 500 }).toBeGreaterThan(0);
  resumed.kill("SIGINT");
  expect((await resumed.ended).code).toBe(130);
  expect(sim(cwd, "verify", "live").code).toBe(0);
});

describe.each(["claude", "codex", "gemini"] as const)("mind: cli with %s", (provider) => {
  it("acts, is charged for its turn, and resumes its session by its id", async () => {
    const report = { does: "report", input: 100, output: 20, usd: 0.02 } as const;
    const steps: readonly Step[] = [publishes("coder_double"), report];
    const seen = { does: "record", path: "seen.json" } as const;
    const resumed: readonly Step[] = [
      seen,
      calls("send_message", { to: "operator", text: "again" }),
      { does: "hang" },
    ];
    const given = { session: "s-1", resumed };
    const cwd = coderFolder({ provider, steps, given, settings: ["rest_s: 0"] });
    const run = runIn(cwd);
    await run.until(/message 1 from coder/);
    const folder = join(cwd, "runs/live/turns/coder");
    const { args, prompt } = JSON.parse(readFileSync(join(folder, "seen.json"), "utf8"));
    expect(args.join(" ")).toMatch(/resume[ =]s-1\b/);
    expect(prompt).toContain("This is turn 2");
    expect(await stop(run)).toBe(130);
    const [published, ended, told] = eventsOf(cwd, "thought_completed");
    expect(published.action).toMatchObject({ write_artifact: { artifact_id: "coder_double" } });
    // A program that names no cost is charged its tokens, at the price of the run.
    const cost_micros = provider === "claude" ? 20_000 : 600;
    expect(ended).toMatchObject({
      action: { noop: {} },
      usage: { input_tokens: 100, output_tokens: 20, cost_micros },
    });
    expect(told.action).toMatchObject({ invoke_artifact: { method: "send" } });
    expect(sim(cwd, "verify", "live").code).toBe(0);
    expect(processesOf(cwd)).toEqual([]);
  });
});
