import { beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../../src/kernel/index.ts";
import { acting, inTurn, type ModelRun, NOOP, runModels } from "../../support/model-run.ts";

const ENDOWMENT = {
  ...{ actions: 10, cpu_gas: 100_000, llm_calls: 2, llm_tokens: 8_000 },
  ...{ disk_bytes: 20_000, llm_budget_micros: 100_000 },
};

const spawn = (id: string, config: Json) => {
  const args = [id, config, ENDOWMENT];
  const call = { artifact_id: "genesis_ledger", method: "spawn_principal", args };
  return acting({ invoke_artifact: call });
};

const CONFIGS: { readonly [id: string]: Json } = {
  wrong: { policy: { markup: 2 } },
  copy: null,
  told: { mind: "llm", system_prompt: "{id} is my name, {index} stays." },
  steps: { workflow: { steps: [{ name: "act", type: "llm", prompt: "What now?" }] } },
  actor: { script: [{ noop: {} }] },
  plain: {},
};

describe("the config of a spawned agent", () => {
  let run: ModelRun;
  beforeAll(async () => {
    const spawns = Object.entries(CONFIGS).map(([id, config]) => spawn(id, config));
    run = await runModels({
      agents: { mum: { system_prompt: "I am {id}, number {index}." } },
      script: inTurn({ mum: [...spawns, NOOP] }),
      sets: [
        ...["run.duration_s=14", "memory.backend=none", "virtual.think_ms.llm=[500,500]"],
        "resources.stock.llm_budget_usd=2",
        "resources.windows.llm_tokens=200000",
      ],
    });
  });
  const systemOf = (id: string): string => run.callsOf(id)[0]?.system ?? "";

  it("tells a child with a copy its own name", () => {
    expect(systemOf("mum")).toContain("I am mum, number 1.");
    expect(systemOf("copy")).toContain("I am copy, number 1.");
  });

  it("has the child's id for {id}, and no meaning for {index}", () => {
    expect(systemOf("told")).toContain("told is my name, {index} stays.");
  });

  it("implies the mind as in agent.yaml", () => {
    expect(run.promptsOf("steps")[0]).toContain("What now?");
    expect(run.of("agent_state_changed", "actor").at(-1)).toMatchObject({
      reason: "script_finished",
    });
    expect(run.callsOf("plain").length).toBeGreaterThan(0);
  });

  it("is refused if a key does not fit the mind that the others imply", () => {
    const refused = run.of("action_refused", "mum");
    expect(refused.map(({ message }) => message)).toEqual([
      expect.stringMatching(/`policy`: only mind: policy\/NAME has policy/),
    ]);
  });

  it("is the same when the run is replayed", () => {
    expect(run.replayedHash).toBe(run.result.stateHash);
  });
});
