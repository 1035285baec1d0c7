import { beforeAll, describe, expect, it } from "vitest";
import { acting, inTurn, type ModelRun, runModels } from "../../support/model-run.ts";

const BUYERS = Array.from({ length: 15 }, (_, n) => `buyer${n}`);
const SHOP = acting({
  write_artifact: { artifact_id: "shop", code: "function run() { return 1 }", price: 1 },
});
const CALL = { invoke_artifact: { artifact_id: "shop" } };

/** The calls of the shop in a prompt that the agent has not seen before. */
const callsIn = (prompt: string): number => {
  const [, inbox = ""] = /## What others did that concerns you\n([\s\S]*?)\n\n/.exec(prompt) ?? [];
  const listed = inbox.match(
    /^- \d+ artifact_invoked: by buyer\d+, shop.*(?<!\(shown before\))$/gm,
  );
  const counted = /(\d+) calls of shop earned (\d+) scrip/.exec(inbox);
  expect(counted?.[1]).toBe(counted?.[2]);
  return (listed?.length ?? 0) + Number(counted?.[1] ?? 0);
};

describe("a seller with 15 calls a second", () => {
  let run: ModelRun;
  beforeAll(async () => {
    const buyer = { mind: "script", script: [{ wait: 2 }, CALL], script_loop: false };
    const loop = [{ wait: 2 }, { repeat: 20, do: [CALL] }];
    run = await runModels({
      agents: {
        seller: { mind: "llm" },
        ...Object.fromEntries(BUYERS.map((id) => [id, { ...buyer, script: loop }])),
      },
      script: inTurn({ seller: [SHOP] }),
      sets: ["run.duration_s=12", "agent.loop.min_delay_s=1", "agent.loop.max_delay_s=2"],
    });
  });

  it("sees each call, or a sum in which it is counted, at each thought", () => {
    const thoughts = run.of("thought_started", "seller").slice(0, run.promptsOf("seller").length);
    const calls = run.of("artifact_invoked").filter(({ artifact_id }) => artifact_id === "shop");
    expect(calls.length).toBeGreaterThan(100);
    const prompts = run.promptsOf("seller");
    expect(prompts.length).toBeGreaterThan(4);
    let told = 0;
    for (const [at, { seq }] of thoughts.entries()) {
      told += callsIn(prompts[at] ?? "");
      expect(told).toBe(calls.filter((call) => call.seq < seq).length);
    }
    expect(told).toBeGreaterThan(100);
  });
});
