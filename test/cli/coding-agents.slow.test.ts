import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { calls, coderFolder, publishes } from "../support/coding-agents.ts";
import { sim, spawnSim } from "../support/sim.ts";

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
  const flags = ["--name", "live", "--duration", "36000"];
  const run = spawnSim(cwd, "run", ...agents, ...flags);
  onTestFinished(async () => {
    run.kill("SIGKILL");
    await run.ended;
  });
  await run.until(/message 1 from coder/);
  run.kill("SIGKILL");
  await run.ended;
  const resumed = spawnSim(cwd, "resume", "live");
  onTestFinished(async () => {
    resumed.kill("SIGKILL");
    await resumed.ended;
  });
  await resumed.until(/message 2 from coder/);
  const earned = (): number => {
    const { out } = sim(cwd, "artifact", "live", "coder_double", "--json");
    return JSON.parse(out).revenue;
  };
  await expect.poll(earned, { timeout: 60_000 }).toBeGreaterThan(0);
  resumed.kill("SIGINT");
  expect((await resumed.ended).code).toBe(130);
  expect(sim(cwd, "verify", "live").code).toBe(0);
});
