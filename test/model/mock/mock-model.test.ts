import { describe, expect, it } from "vitest";
import { z } from "zod";
import { decisionReader, REPLY_FORMS } from "../../../src/mind/index.ts";
import { readVerdict, VERDICT_FORM } from "../../../src/mind/llm/judge.ts";
import { type MockAccess, mockModel } from "../../../src/model/mock/mock-model.ts";
import type { ModelRequest, ReplyDelta, ReplyForm } from "../../../src/model/port/model.ts";
import type { Time } from "../../../src/model/port/time.ts";
import { readVectors, VECTORS } from "../../../src/model/port/vectors.ts";
import { answerForm, readAnswer } from "../../../src/workflow/answer-form.ts";
import { NEVER, request } from "../requests.ts";

/** Timers end at once, and their delays are noted. */
const instantTime = (): Time & { readonly delays: number[] } => {
  const delays: number[] = [];
  return {
    delays,
    now: () => 0,
    wallMs: () => 0,
    after: (delayMs, call) => {
      delays.push(delayMs);
      call();
      return () => {};
    },
  };
};

const mock = (given: Partial<MockAccess> = {}, { seed = 1, time = instantTime() } = {}) => {
  const model = mockModel({ latencyMs: [0, 0], faultShare: 0, seed, time, ...given });
  return (given: Partial<ModelRequest>, signal = NEVER) =>
    model.ask(request({ model: "mock", maxTokens: 1_000, ...given }), signal);
};

const textOf = async (given: Partial<ModelRequest>): Promise<string> => {
  const reply = await mock()(given);
  if (!reply.ok) throw new Error(reply.message);
  return reply.text;
};

const formOf = (schema: z.ZodType): ReplyForm => {
  return { name: "data", rich: schema, flat: schema, described: "" };
};

const TURNS = Array.from({ length: 40 }, (_, n) => n);

const decisionPrompt = (n: number): Partial<ModelRequest> => ({
  system: "Your name is ada. Your account and your own artifact have the same id.",
  prompt: `## What you have
Scrip: ${20 + n} to spend.

## Disk and spending
You have taken ${n} actions; ${n} succeeded.

## Your artifacts
<data>
- ada_times_3 (program; call 2; 4 calls, 3 by others, 0 failed, earned 6): Multiplies.
    run(x: number)
</data>

## The market: artifacts of others that you can call
<data>
- bob_sum (program of bob; call 1; never called): Adds.
    run(a: number, b: number)
- cyd_dear (program of cyd; call 99; never called): Too dear.
    run(a: number)
- dan_list (program of dan; call 1; never called): Sorts.
    run(items: array)
</data>

## The mint
Auction 1 ${n % 2 === 0 ? "is open for another" : "opens in"} 20 s: 1 win, the minimum bid is 2.
You have no open bid, and no artifact of yours awaits its score.

What do you do now? Answer in the required form.`,
});

const decisionsOf = async (form: "simple" | "ooda") =>
  Promise.all(
    Array.from({ length: 150 }, async (_, n) => {
      const text = await textOf({ ...decisionPrompt(n), form: REPLY_FORMS[form] });
      const read = decisionReader(form, 20).read(text);
      if (!read.ok) throw new Error(`${read.problem}: ${text}`);
      return read.value;
    }),
  );

describe("a decision of the mock model", () => {
  it.each(["simple", "ooda"] as const)("can be read in the schema %s", async (form) => {
    const decisions = await decisionsOf(form);
    for (const { reasoning, assessment } of decisions) {
      expect(reasoning).not.toBe("");
      expect(assessment !== "").toBe(form === "ooda");
    }
  });

  it("uses what the prompt offers and the agent can pay", async () => {
    const actions = (await decisionsOf("simple")).map(({ action }) => JSON.stringify(action));
    const some = (part: string) => expect(actions.filter((each) => each.includes(part)).length);
    some('"genesis_mint","method":"bid","args":["ada_times_3"]').toBeGreaterThan(3);
    some('"artifact_id":"bob_sum"').toBeGreaterThan(1);
    some('{"read_artifact":{"artifact_id":"dan_list"}}').toBeGreaterThan(0);
    some('{"write_artifact":{"artifact_id":"ada_').toBeGreaterThan(1);
    some("cyd_dear").toBe(0);
  });

  it("reads the handbook first, and calls what it read as the example shows", async () => {
    const hint = "## First steps\nThe handbook: handbook_toc.\n";
    const about = { system: "Your name is ada. ", form: REPLY_FORMS.simple };
    expect(await textOf({ ...about, prompt: hint })).toContain(
      '{"read_artifact":{"artifact_id":"handbook_toc"}}',
    );
    const { prompt = "" } = decisionPrompt(9);
    const shown = JSON.stringify({ methods: [{ examples: [{ args: [[3, 1]], result: [1, 3] }] }] });
    const last =
      "## The result of your last action\n<data>\nread_artifact(dan_list) -> SUCCESS: ok";
    expect(
      await textOf({ ...about, prompt: `${prompt}\n\n${last}\nIts result:\n${shown}\n</data>` }),
    ).toContain('"artifact_id":"dan_list","method":"run","args":[[3,1]]');
  });

  it("is the same for an equal request and differs between seeds", async () => {
    const about = { ...decisionPrompt(3), form: REPLY_FORMS.simple };
    const first = await mock()(about);
    expect(await mock()(about)).toEqual(first);
    const seeds = await Promise.all(TURNS.map((seed) => mock({}, { seed })(about)));
    expect(new Set(seeds.map((reply) => JSON.stringify(reply))).size).toBeGreaterThan(3);
  });
});

describe("data of the mock model", () => {
  const SCHEMAS: readonly (readonly [string, z.ZodType])[] = [
    ["texts", z.object({ a: z.string().min(5).max(9), b: z.iso.datetime(), c: z.email() })],
    ["numbers", z.object({ a: z.int().min(-9).max(-3), b: z.number().gt(0).lt(1), c: z.int() })],
    ["a large minimum", z.object({ a: z.int().min(5_000), b: z.number().max(-200) })],
    ["multiples", z.object({ a: z.number().multipleOf(0.25), b: z.int().multipleOf(7) })],
    ["words", z.object({ a: z.enum(["x", "y"]), b: z.literal(7), c: z.boolean(), d: z.null() })],
    ["lists", z.object({ a: z.array(z.int()).min(3), b: z.tuple([z.string(), z.number()]) })],
    ["choices", z.union([z.object({ a: z.string() }), z.array(z.boolean()).max(1), z.int()])],
    ["optional", z.object({ a: z.string().optional(), b: z.int().nullable() })],
    ["parts", z.intersection(z.object({ a: z.string() }), z.object({ b: z.int() }))],
  ];

  it.each(SCHEMAS)("fits a schema of %s", async (_, schema) => {
    for (const n of TURNS) {
      const text = await textOf({ prompt: `Question ${n}?`, form: formOf(schema) });
      expect(schema.safeParse(JSON.parse(text)).error?.message).toBeUndefined();
    }
  });

  it("fits a recursive schema", async () => {
    const tree: z.ZodType = z.object({
      name: z.string(),
      get children() {
        return z.array(tree);
      },
    });
    const text = await textOf({ form: formOf(tree) });
    expect(tree.safeParse(JSON.parse(text)).success).toBe(true);
  });

  it("answers a step, a question for text, the judge and the extraction of facts", async () => {
    const fields = {
      goal: "string",
      verdict: ["keep", "pivot"],
      risk: "number",
      uses: "list",
    } as const;
    const form = answerForm("plan", fields);
    expect(readAnswer(await textOf({ form }), fields)).toMatchObject({ ok: true });
    expect(await textOf({ form: null })).toMatch(/\w/);
    const data = "Code:\n<data>\nfunction run(a) { return a }\n</data>\nYour marks?";
    const verdict = readVerdict(await textOf({ form: VERDICT_FORM, prompt: data }));
    expect(verdict).toMatchObject({ ok: true, value: { addressesJudge: false } });
    const vectors = readVectors(await textOf({ form: VECTORS, prompt: '["a b","b a","c"]' }));
    expect(vectors).toHaveLength(3);
    expect(vectors[0]).toEqual(vectors[1]);
    expect(vectors[0]).not.toEqual(vectors[2]);
  });
});

describe("a call of the mock model", () => {
  it("takes a time between the two latencies, drawn from the request", async () => {
    const time = instantTime();
    const ask = mock({ latencyMs: [50, 90] }, { time });
    const replies = await Promise.all(TURNS.map((n) => ask({ prompt: `Question ${n}?` })));
    const latencies = replies.map(({ latencyMs }) => latencyMs);
    expect(time.delays).toEqual(latencies);
    expect(Math.min(...latencies)).toBeGreaterThanOrEqual(50);
    expect(Math.max(...latencies)).toBeLessThanOrEqual(90);
    expect(new Set(latencies).size).toBeGreaterThan(5);
  });

  it("fails for its share of requests, and not always again at the next attempt", async () => {
    const ask = mock({ faultShare: 0.3 });
    const failsAt = async (attempt: number) =>
      Promise.all(TURNS.map(async (n) => !(await ask({ prompt: `Question ${n}?`, attempt })).ok));
    const [first, second] = [await failsAt(0), await failsAt(1)];
    expect(first.filter(Boolean).length).toBeGreaterThan(4);
    expect(first.filter(Boolean).length).toBeLessThan(25);
    expect(await failsAt(0)).toEqual(first);
    expect(first.some((fails, n) => fails && second[n] === false)).toBe(true);
  });

  it("fails in several ways if all requests fail, also with an unreadable reply", async () => {
    const ask = mock({ faultShare: 1 });
    const about = { form: REPLY_FORMS.simple };
    const all = await Promise.all(TURNS.map((n) => ask({ prompt: `Question ${n}?`, ...about })));
    const kinds = new Set(all.map((reply) => (reply.ok ? "unreadable" : reply.fault)));
    const expected = ["empty", "provider_error", "rate_limited", "refused", "unreadable"];
    expect([...kinds].sort()).toEqual(expected);
  });

  it("is cut off if the reply has more tokens than the request allows", async () => {
    const about = { ...decisionPrompt(0), form: REPLY_FORMS.simple, maxTokens: 5 };
    expect(await mock()(about)).toMatchObject({
      ok: false,
      fault: "reply_cut_off",
      usage: { output: 5 },
    });
  });

  it("is cancelled by its signal", async () => {
    expect(await mock()({}, AbortSignal.abort())).toMatchObject({ ok: false, fault: "cancelled" });
  });
});

it("a mock reply is shown word by word, in the same words each time", async () => {
  const show = async () => {
    const shown: string[] = [];
    const onDelta = (delta: ReplyDelta): void => {
      shown.push(delta.type === "tool_call" ? delta.name : delta.text);
    };
    const reply = await mock()({ prompt: "Say something about the market.", onDelta });
    return { shown, text: reply.ok ? reply.text : "" };
  };
  const { shown, text } = await show();
  expect(shown.length).toBeGreaterThan(1);
  expect(shown.join("")).toBe(text);
  expect((await show()).shown).toEqual(shown);
});
