import { beforeAll, describe, expect, it } from "vitest";
import { acting, inTurn, type ModelRun, runModels } from "../../support/model-run.ts";

const BUYERS = Array.from({ length: 15 }, (_, n) => `buyer${n}`);
const CALLS_EACH = 8;
const PRICE = 3;
const SHOP = acting({
  write_artifact: { artifact_id: "shop", code: "function run() { return 1 }", price: PRICE },
});
const CALL = { invoke_artifact: { artifact_id: "shop" } };

const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);

/** The sales of the shop in a prompt that the agent has not seen before. */
const salesIn = (prompt: string) => {
  const [, inbox = ""] = /## What others did that concerns you\n([\s\S]*?)\n\n/.exec(prompt) ?? [];
  const listed = inbox.matchAll(
    /^- \d+ artifact_invoked: by buyer\d+, shop\.run, with buyer\d+, amount (\d+)$/gm,
  );
  const paid = [...listed].map(([, amount]) => Number(amount));
  const counts = /(\d+) calls of shop.* earned (\d+) scrip/.exec(inbox);
  const [counted, earned] = [Number(counts?.[1] ?? 0), Number(counts?.[2] ?? 0)];
  return { listed: paid.length, counted, calls: paid.length + counted, scrip: sum(paid) + earned };
};

describe("a seller with 15 calls a second", () => {
  let run: ModelRun;
  beforeAll(async () => {
    const script = [{ wait: 2 }, { repeat: CALLS_EACH, do: [CALL] }];
    const buyer = { mind: "script", script, script_loop: false };
    run = await runModels({
      agents: { seller: { mind: "llm" }, ...Object.fromEntries(BUYERS.map((id) => [id, buyer])) },
      script: inTurn({ seller: [SHOP] }),
      // The seller thinks a few times after the last call.
      sets: ["run.duration_s=18", "agent.loop.min_delay_s=1", "agent.loop.max_delay_s=2"],
    });
  });

  const sales = () =>
    run.of("artifact_invoked").filter(({ artifact_id }) => artifact_id === "shop");
  const shown = () => run.promptsOf("seller").map(salesIn);

  it("sees each call, or a sum in which it is counted, at each thought", () => {
    const thoughts = run.of("thought_started", "seller");
    expect(shown().length).toBeGreaterThan(8);
    let told = 0;
    for (const [at, { calls }] of shown().entries()) {
      told += calls;
      const seq = thoughts[at]?.seq ?? 0;
      expect(told).toBe(sales().filter((call) => call.seq < seq).length);
    }
  });

  it("sees over the run exactly the calls that were made and the scrip that was paid", () => {
    expect(sales()).toHaveLength(BUYERS.length * CALLS_EACH);
    const paid = run
      .of("scrip_transferred")
      .filter(({ to, reason }) => to === "seller" && reason === "price");
    expect(sum(shown().map(({ calls }) => calls))).toBe(sales().length);
    expect(sum(shown().map(({ scrip }) => scrip))).toBe(
      sum(paid.map(({ amount }) => Number(amount))),
    );
    expect(sum(paid.map(({ amount }) => Number(amount)))).toBe(sales().length * PRICE);
  });

  it("gets some calls in a list and others in a sum", () => {
    expect(sum(shown().map(({ listed }) => listed))).toBeGreaterThan(10);
    expect(sum(shown().map(({ counted }) => counted))).toBeGreaterThan(10);
  });
});
