import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { NOOP, runModels, writePersonas } from "../support/model-run.ts";
import { emptyFolder, type SimResult, startSimWith } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const folder = emptyFolder();
const ANN = { mind: "llm", prompt: { order: ["mint"], sections: { hints: { enabled: false } } } };
const BOB = { mind: "llm", llm_model: "openai/gpt-5-mini", max_tokens: 100 };
const GUS = { mind: "policy/producer" };
const WES = {
  mind: "workflow",
  enabled: false,
  workflow: {
    steps: [
      { name: "rich", type: "code", expression: "balance >= 50" },
      { name: "plan", type: "llm", prompt: "{balance} scrip, rich: {rich}.", schema: "text" },
      { name: "act", type: "llm", if: "!rich", prompt: "Your plan: {plan}. Act." },
    ],
  },
};
const PROMPT_FILE = "You are ann, who bakes. \u001b[2J";

/** Shapes that other programs rely on: nothing more, nothing less. */
const preview = z.strictObject({
  id: z.string(),
  mind: z.string(),
  settings: z
    .strictObject({
      model: z.string(),
      cognitive_schema: z.enum(["simple", "ooda"]),
      temperature: z.number().nullable(),
      reasoning: z.union([z.string(), z.number()]).nullable(),
      max_tokens: z.int(),
    })
    .nullable(),
  sections: z.array(z.strictObject({ name: z.string(), tokens: z.int().min(0), text: z.string() })),
  prompt: z.string(),
  tokens: z.int().min(0),
});
const estimate = z.strictObject({
  agents: z.array(
    z.strictObject({
      id: z.string(),
      model: z.string(),
      price_known: z.boolean(),
      prompt_tokens_max: z.int(),
      prompt_tokens: z.int().min(1),
      reply_tokens: z.int().min(1),
      reasoning_tokens: z.int().min(0),
      cost_per_call_usd: z.number().positive(),
      reserved_per_call_usd: z.number().positive(),
      calls: z.int().min(1),
      cost_usd: z.number().positive(),
      cost_max_usd: z.number().positive(),
    }),
  ),
  cost_usd: z.number(),
  cost_max_usd: z.number(),
  max_api_cost_usd: z.number(),
  not_estimated: z.array(z.string()).length(0),
});

const asked = {
  text: ["agents", "preview", "ann"],
  json: ["agents", "preview", "ann", "--json", "--set", "agent.prompt.budget_tokens=200"],
  policy: ["agents", "preview", "gus"],
  steps: ["agents", "preview", "wes", "--json"],
  stepsText: ["agents", "preview", "wes"],
  ghost: ["agents", "preview", "anm"],
  estimated: ["run", "--estimate", "--json", "--duration", "60"],
  told: ["run", "--estimate", "--duration", "600", "--max-cost", "0.001"],
  toldBySet: ["run", "--estimate", "--set", "budget.max_api_cost_usd=0.001"],
} as const;
const said = new Map<string, SimResult>();
beforeAll(async () => {
  writePersonas(join(folder, "agents"), { ann: ANN, bob: BOB, gus: GUS, wes: WES });
  mkdirSync(join(folder, "agents/ann"), { recursive: true });
  writeFileSync(join(folder, "agents/ann/system_prompt.md"), PROMPT_FILE);
  const all = Object.entries(asked).map(async ([name, args]) => {
    said.set(name, await startSimWith({}, folder, args).ended);
  });
  await Promise.all(all);
});
const answerTo = (name: keyof typeof asked): SimResult =>
  said.get(name) ?? { code: null, out: "", err: "" };

describe("sim agents preview", () => {
  it("--json prints the prompt by section in the documented shape", () => {
    expect(answerTo("json")).toMatchObject({ code: 0, err: "" });
    const { id, mind, sections, prompt, tokens } = preview.parse(JSON.parse(answerTo("json").out));
    expect({ id, mind }).toEqual({ id: "ann", mind: "llm" });
    const names = sections.map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(["system", "mint"]);
    expect(names).toEqual(expect.arrayContaining(["time", "balances", "quotas", "principals"]));
    expect(names).not.toContain("hints");
    const texts = sections.map(({ text }) => text).filter((text) => text !== "");
    expect(texts.join("\n\n")).toBe(prompt);
    expect(prompt).toContain("You are ann, who bakes.");
    const sum = sections.reduce((all, section) => all + section.tokens, 0);
    expect(Math.abs(tokens - sum)).toBeLessThan(60);
  });

  it("equals the first prompt in a run", async () => {
    const { sections } = preview.parse(JSON.parse(answerTo("json").out));
    const ann = { ...ANN, system_prompt: PROMPT_FILE };
    const bob = { ...BOB, llm_model: "openai-compatible/tiny" };
    const sets = ["run.duration_s=600", "run.max_actions=4", "agent.prompt.budget_tokens=200"];
    const run = await runModels({ agents: { ann, bob, gus: GUS }, script: () => NOOP, sets });
    const [first] = run.callsOf("ann");
    const shown = (name: string) => sections.find((section) => section.name === name)?.text;
    expect(first?.system).toBe(shown("system"));
    for (const name of ["balances", "quotas", "own_artifacts"]) {
      expect(first?.prompt).toContain(shown(name));
    }
  });

  it("shows the prompt of each llm step, filled in as in a run", async () => {
    const { mind, sections } = preview.parse(JSON.parse(answerTo("steps").out));
    const shown = (name: string) => sections.find((section) => section.name === name);
    expect(mind).toBe("workflow");
    expect(sections[0]?.name).toBe("system");
    const act = /^## Earlier steps\n.+\n\n### rich\ntrue\n\n## This step\nYour plan: none. Act.$/;
    expect(sections.slice(-2)).toEqual([
      { name: "step:plan", tokens: expect.any(Number), text: "100 scrip, rich: true." },
      { name: "step:act", tokens: expect.any(Number), text: expect.stringMatching(act) },
    ]);
    expect(shown("step:plan")?.tokens).toBeGreaterThan(4);
    expect(answerTo("stepsText").out).toMatch(/\n--- step:plan, \d+ tokens\n100 scrip, rich: true/);
    const agents = { wes: { ...WES, enabled: true } };
    const sets = ["run.max_actions=1", "run.duration_s=600"];
    const run = await runModels({ agents, script: () => NOOP, sets });
    expect(run.promptsOf("wes")[0]).toBe(shown("step:plan")?.text);
  });

  it("shows what was cut to fit the budget", () => {
    const { prompt, tokens, sections } = preview.parse(JSON.parse(answerTo("json").out));
    expect(tokens - (sections[0]?.tokens ?? 0)).toBeLessThanOrEqual(200);
    expect(prompt).toMatch(/tokens cut here|sections omitted for lack of space/);
  });

  it("prints the same as text without control characters", () => {
    const { out, code } = answerTo("text");
    expect(code).toBe(0);
    expect(out).toMatch(/^--- system, \d+ tokens\n# Where you are\n/);
    expect(out).toMatch(/\n--- mint, \d+ tokens\n## The mint\n/);
    expect(out).toMatch(/\n--- question, \d+ tokens\nWhat do you do now\?/);
    expect(out).toMatch(/\nabout \d+ tokens in total\nmodel gemini\/.+, max_tokens 1000\n$/);
    expect(out).toContain("You are ann, who bakes.");
    expect(out).not.toContain("\u001b");
  });

  it("reports that a policy has no prompt", () => {
    const out = "gus has no prompt: its mind is policy/producer\n";
    expect(answerTo("policy")).toEqual({ code: 0, out, err: "" });
  });

  it("refuses an unknown persona", () => {
    expectRefusal(answerTo("ghost"), 2, /^sim: there is no persona "anm"; did you mean `ann`\?/);
  });
});

describe("sim run --estimate", () => {
  it("--json prints the estimated cost of each agent, without a key or a run", () => {
    expect(answerTo("estimated")).toMatchObject({ code: 0, err: "" });
    const answer = JSON.parse(answerTo("estimated").out);
    const { agents, cost_usd, max_api_cost_usd } = estimate.parse(answer);
    expect(agents.map(({ id, model, price_known }) => [id, model, price_known])).toEqual([
      ["ann", "gemini/gemini-3-flash-preview", true],
      ["bob", "openai/gpt-5-mini", true],
    ]);
    const [ann, bob] = agents;
    // 0.5 and 3 USD a million tokens for Gemini, 0.25 and 2 for GPT.
    const annMicros = 0.5 * (ann?.prompt_tokens ?? 0) + 3 * (ann?.reply_tokens ?? 0);
    expect(ann?.cost_per_call_usd).toBeCloseTo(annMicros / 1e6, 5);
    expect(bob?.reply_tokens).toBe(100);
    for (const each of agents) {
      // A thought every 3.1 s for 60 s.
      expect(each.calls).toBe(19);
      expect(each.cost_usd).toBeCloseTo(each.calls * each.cost_per_call_usd, 5);
      expect(each.prompt_tokens_max).toBeGreaterThan(each.prompt_tokens);
      expect(each.cost_max_usd).toBeGreaterThan(each.cost_usd);
    }
    expect(cost_usd).toBeCloseTo((ann?.cost_usd ?? 0) + (bob?.cost_usd ?? 0), 5);
    expect(max_api_cost_usd).toBe(0.5);
    expect(readdirSync(folder)).toEqual(["agents"]);
  });

  it("prints where the run would stop", () => {
    const { code, out } = answerTo("told");
    expect(code).toBe(0);
    expect(out).toMatch(
      /^agent\tmodel\tprompt \(tokens\)\t.*\twith full prompts \(USD\)\nann\tgemini\//,
    );
    const range = /\nfrom \$([\d.]+) to \$([\d.]+) in total for 600 s \(--duration\), from /;
    const [, least, most] = range.exec(out) ?? [];
    expect(Number(most)).toBeGreaterThan(Number(least));
    expect(out).toMatch(/; the run stops at \$0\.0010 \(--max-cost\)\n$/);
    const { out: bySet } = answerTo("toldBySet");
    expect(bySet).toMatch(/ in total for 600 s \(run.duration_s, shipped default\), /);
    expect(bySet).toMatch(/; the run stops at \$0\.0010 \(--set budget.max_api_cost_usd\)\n$/);
  });
});
