import { expect, it } from "vitest";
import { loadConfig } from "../../../src/run/config/load-config.ts";
import { physicsFor } from "../../../src/run/config/physics.ts";

const physics = (...sets: readonly string[]) => {
  const loaded = loadConfig({ file: null, sets, flags: [] });
  if (!loaded.ok) throw new Error("the configuration is wrong");
  return physicsFor(loaded.config);
};

it("counts time in whole milliseconds and money in micro-dollars", () => {
  const { horizon_ms, resources, agents } = physics(
    "run.duration_s=0.0015",
    "resources.window_s=0.3",
    "resources.stock.llm_budget_usd=0.000003",
    "agent.loop.min_delay_s=0.1",
    "agent.loop.max_delay_s=2.5",
    "agent.loop.resume_after_s=1.5",
  );
  expect(horizon_ms).toBe(2);
  expect(resources).toMatchObject({ window_ms: 300, llm_budget_micros: 3 });
  expect(agents).toMatchObject({ min_delay_ms: 100, max_delay_ms: 2500, resume_after_ms: 1500 });
});

it("ends the pause after too many failures by itself", () => {
  expect(physics().agents.resume_after_ms).toBe(60_000);
});

it("translates the names of limits", () => {
  const { access, agents, genesis, sandbox, seed, resources } = physics(
    "run.seed=9",
    "access.max_depth=3",
    "spawn.principals_max=20",
    "genesis.enabled=[ledger]",
    "sandbox.gas_table.call=7",
    "resources.on_exhausted=skip",
  );
  expect(seed).toBe(9);
  expect(access.depth_max).toBe(3);
  expect(agents.principals_max).toBe(20);
  expect(genesis.enabled).toEqual(["ledger"]);
  expect(sandbox.gas_table.call).toBe(7);
  expect(resources.on_exhausted).toBe("skip");
});
