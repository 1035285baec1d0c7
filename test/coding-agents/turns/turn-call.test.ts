import { expect, it } from "vitest";
import { type TurnResult, turnCall } from "../../../src/coding-agents/index.ts";
import { pricingFrom } from "../../../src/model/index.ts";

const PRICING = pricingFrom({ "anthropic/m": { input: 3, output: 15 } }, { input: 1, output: 1 });

type Usage = TurnResult["usage"];

const turnOf = (...usages: readonly Usage[]): TurnResult => {
  const [usage = NONE] = usages.slice(-1);
  const made = {
    success: true,
    exit_code: 0,
    error: null,
    stderr: "",
    warnings: [],
    timed_out: false,
    session_id: null,
    usage,
    duration_ms: 1,
  };
  const attempts = usages.map((each) => ({
    ...made,
    usage: each,
    resumed: false,
    segment_count: 0,
  }));
  const reported = { input_tokens: 0, output_tokens: 0 };
  const others = { output: "ok", segments: [], reported, aborted: false, not_found: false };
  return { ...made, ...others, attempts };
};

const NONE: Usage = { input_tokens: 0, output_tokens: 0, calls: 1, cost_micros: null };

const callOf = (...usages: readonly Usage[]) =>
  turnCall({
    agent: "coder",
    settings: { provider: "claude", llm_model: "m", timeout_s: 1, rest_s: 1, unsafe: false },
    systemPrompt: "",
    prompt: "What now?",
    result: turnOf(...usages),
    pricing: PRICING,
    atMs: 0,
  });

it("adds the price of the tokens of a failed try to the cost of the next", () => {
  const failed = { ...NONE, input_tokens: 1_000, output_tokens: 100 };
  const { costMicros, priced } = callOf(failed, { ...NONE, cost_micros: 1_000 });
  expect([costMicros, priced]).toEqual([5_500, true]);
});

it("has an exact cost, whatever a program claims", () => {
  const most = { ...NONE, cost_micros: Number.MAX_SAFE_INTEGER };
  expect(callOf(most, most).costMicros).toBe(Number.MAX_SAFE_INTEGER);
});
