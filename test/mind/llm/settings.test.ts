import { beforeAll, describe, expect, it } from "vitest";
import { acting, inTurn, type ModelRun, NOOP, runModels } from "../../support/model-run.ts";
import type { Answer } from "../../support/model-server/answer.ts";

/** A section of a prompt without its title; empty if it is missing. */
const section = (prompt: string | undefined, title: string): string =>
  new RegExp(`## ${title}\n([\\s\\S]*?)\n\n`).exec(prompt ?? "")?.[1] ?? "";

const WORKING = "Your working memory";
const REMEMBERED = "Your relevant memories";

const write = (artifact_id: string, content: unknown): Answer =>
  acting({ write_artifact: { artifact_id, content: JSON.stringify(content) } });
const readMissing = (artifact_id: string): Answer => acting({ read_artifact: { artifact_id } });

type Settings = { readonly [id: string]: object };

const lives = (
  agents: Settings,
  answers: (id: string) => readonly Answer[],
  ...sets: readonly string[]
): Promise<ModelRun> => {
  const ids = Object.keys(agents);
  return runModels({
    agents: Object.fromEntries(ids.map((id) => [id, { mind: "llm", ...agents[id] }])),
    script: inTurn(Object.fromEntries(ids.map((id) => [id, answers(id)]))),
    sets,
  });
};

/** Agents that differ in one part of their settings. */
const differIn = (part: string, settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).map(([id, own]) => [id, { [part]: own }]));

describe("working_memory", () => {
  const KEPT = { current_goal: "bake bread", lessons: ["salt it", "sell early"], mood: "cheerful" };
  let run: ModelRun;
  beforeAll(async () => {
    const on = { enabled: true };
    const agents = differIn("working_memory", {
      plain: on,
      own: on,
      off: { enabled: false },
      quiet: { ...on, auto_inject: false },
      raw: { ...on, structured_format: false },
      small: { ...on, max_size_bytes: 60 },
      recalling: { ...on, include_in_rag: true },
      warned: { ...on, warn_on_missing: true },
      unwarned: on,
    });
    const self = { mind: "llm", working_memory: KEPT, working_memory_settings: on };
    const answers = (id: string): readonly Answer[] => {
      if (id === "own") return [write("own", self)];
      return id.endsWith("warned") ? [] : [write(`${id}_working_memory`, KEPT)];
    };
    run = await lives(agents, answers, "run.duration_s=3");
  });
  const shownTo = (id: string): readonly string[] =>
    run.promptsOf(id).map((prompt) => section(prompt, WORKING));

  it("is shown in the prompt in the structured form", () => {
    const [first, second] = shownTo("plain");
    expect(first).toContain("You have none yet. Write it to the artifact");
    expect(second).toBe(
      "<data>\nCurrent goal: bake bread\nLessons:\n- salt it\n- sell early\nmood: cheerful\n</data>",
    );
  });

  it("can be in the agent's own artifact instead", () => {
    expect(run.of("action_completed", "own")[0]).toMatchObject({ target: "own" });
    expect(shownTo("own")[1]).toContain("Current goal: bake bread");
  });

  it.each(["off", "quiet"])("is not shown to the agent %s", (id) => {
    const written = { artifact_id: `${id}_working_memory` };
    expect(run.of("artifact_written", id)).toContainEqual(expect.objectContaining(written));
    expect(run.promptsOf(id).length).toBeGreaterThan(1);
    expect(run.promptsOf(id).join()).not.toContain(WORKING);
    expect(run.promptsOf(id).join()).not.toContain("bake bread");
  });

  it("structured_format: false shows it as written", () => {
    expect(shownTo("raw")[1]).toContain("current_goal: bake bread\n");
  });

  it("max_size_bytes cuts it and marks the cut", () => {
    expect(shownTo("small")[1]).toBe(
      "<data>\nCurrent goal: bake bread\nLessons:\n- salt it\n[...truncated]\n</data>",
    );
  });

  it("include_in_rag adds each version to the memories", () => {
    const observed = (id: string) => {
      const recorded = run.of("memory_recorded", id);
      return recorded.filter(({ memory }) => memory === "observation").map(({ text }) => text);
    };
    expect(observed("recalling")).toEqual([
      "Working memory: Current goal: bake bread Lessons: - salt it - sell early mood: cheerful",
    ]);
    expect(observed("plain")).toEqual([]);
  });

  it("warn_on_missing warns once if it is missing", () => {
    expect(run.promptsOf("warned").length).toBeGreaterThan(1);
    expect(run.of("warning_raised")).toMatchObject([{ text: "warned has no working memory" }]);
  });
});

describe("rag", () => {
  let run: ModelRun;
  beforeAll(async () => {
    const about = (thing: string) => ({ limit: 1, query_template: `read_artifact ${thing}` });
    const agents = differIn("rag", {
      full: {},
      off: { enabled: false },
      two: { limit: 2 },
      zero: { limit: 0 },
      smith: about("iron"),
      miner: about("coal"),
    });
    const lived = [...["salt", "iron", "bread", "coal"].map(readMissing), NOOP];
    run = await lives(agents, () => lived, "run.duration_s=10");
  });
  const recalled = (id: string, at = -1): string => section(run.promptsOf(id).at(at), REMEMBERED);

  it("recalls actions and their results", () => {
    expect(recalled("full", 0)).toBe("");
    expect(recalled("full", 1)).toMatch(
      /^<data>\n- \(at \d s\) Agent full performed read_artifact salt: .* \(it failed\)\n<\/data>$/,
    );
    expect(recalled("full").match(/^- /gm)).toHaveLength(5);
  });

  it("enabled: false neither recalls nor records", () => {
    expect(run.promptsOf("off").length).toBeGreaterThan(3);
    expect(run.promptsOf("off").join()).not.toContain(REMEMBERED);
    expect(run.of("memory_recorded", "off")).toEqual([]);
  });

  it("limit is the maximum number of memories", () => {
    expect(recalled("two").match(/^- /gm)).toHaveLength(2);
    expect(recalled("zero")).toBe("");
  });

  it.each([
    ["smith", "iron"],
    ["miner", "coal"],
  ])("query_template decides what is recalled: %s, %s", (id, thing) => {
    expect(recalled(id)).toContain(`performed read_artifact ${thing}:`);
  });
});

describe("the settings of models", () => {
  let run: ModelRun;
  beforeAll(async () => {
    const agents = {
      ann: { llm_model: "openai-compatible/other", temperature: 0.3, max_tokens: 77 },
      bob: {},
      cyd: { cognitive_schema: "ooda" },
    };
    const ooda = {
      situation_assessment: "No agent sells bread.",
      action_rationale: "So I wait.",
      action: { noop: {} },
    };
    const answers = (id: string) => (id === "cyd" ? [{ text: JSON.stringify(ooda) }] : []);
    run = await lives(agents, answers, "run.duration_s=2", "llm.max_tokens=500");
  });
  const callOf = (id: string) => run.callsOf(id)[0];

  it("are the agent's own, or else those of the run", () => {
    expect(callOf("ann")?.body).toMatchObject({ model: "other", temperature: 0.3, max_tokens: 77 });
    expect(callOf("bob")?.body).toMatchObject({ model: "tiny", max_tokens: 500 });
    expect(callOf("bob")?.body).not.toHaveProperty("temperature");
  });

  it("cognitive_schema: ooda is sent, described and recorded", () => {
    expect(run.of("thought_completed", "cyd")[0]).toMatchObject({ reasoning: "So I wait." });
    const form = JSON.stringify(callOf("cyd")?.body.response_format);
    expect(form).toContain("situation_assessment");
    expect(form).not.toContain("thought_process");
    expect(callOf("cyd")?.system).toContain("with situation_assessment, action_rationale, one");
    expect(run.recorded.find(({ request }) => request.agent === "cyd")).toMatchObject({
      request: { form: "ooda" },
      reply: { text: expect.stringContaining("No agent sells bread.") },
    });
  });

  it("cognitive_schema: simple is the default", () => {
    expect(JSON.stringify(callOf("bob")?.body.response_format)).toContain("thought_process");
    const thought = run.of("thought_completed", "bob")[0];
    expect(thought).toMatchObject({ reasoning: "I thought about it." });
  });
});

const BAKE = {
  name: "run",
  description: "bakes at once",
  input_schema: {
    type: "object",
    properties: { kg: { type: "number" }, salt: {} },
    required: ["kg"],
  },
  examples: [{ args: [2], result: 2 }],
};
const BAKERY = acting({
  write_artifact: {
    artifact_id: "bakery",
    code: "function run(kg) { return kg }",
    interface: { description: "bakes bread", methods: [BAKE] },
  },
});

describe("prompt", () => {
  let run: ModelRun;
  beforeAll(async () => {
    const tight = { budget_tokens: 500 };
    const agents = differIn("prompt", {
      baker: {},
      plain: {},
      closed: { sections: { market: { enabled: false } } },
      ordered: { order: ["market", "time"] },
      bounded: { sections: { own_actions: { tokens_max: 40 } } },
      tight,
      tighter: { ...tight, sections: { market: { priority: 0 } } },
      blind: { see_others: false },
      terse: { detail_level: "minimal" },
      chatty: { detail_level: "verbose" },
      deaf: { recent_events: 0 },
      hearing: { recent_events: 3 },
    });
    const sets = ["run.duration_s=5", "agent.prompt.sections={quotas: {enabled: false}}"];
    run = await lives(agents, (id) => (id === "baker" ? [BAKERY] : []), ...sets);
  });
  const last = (id: string): string => run.promptsOf(id).at(-1) ?? "";
  const MARKET = "The market: artifacts of others that you can call";

  it("sections can be disabled by the agent and by the run", () => {
    expect(last("plain")).toContain(`## ${MARKET}`);
    expect(last("closed")).not.toContain(`## ${MARKET}`);
    for (const id of ["plain", "closed"]) {
      expect(last(id)).not.toContain("## Your remaining quotas");
      expect(last(id)).toContain("## Time");
    }
  });

  it("order moves sections to the front", () => {
    const titles = [...last("ordered").matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(titles.slice(0, 3)).toEqual([MARKET, "Time", "What you have"]);
  });

  it("tokens_max of a section cuts it and marks the cut", () => {
    const done = "Your latest actions, oldest first";
    expect(section(last("bounded"), done)).toMatch(/\[\d+ tokens cut here\]/);
    expect(section(last("plain"), done)).not.toMatch(/cut here/);
  });

  it("budget_tokens cuts the sections with the lowest priority", () => {
    expect(last("plain")).not.toMatch(/cut here|left out/);
    expect(last("tight")).toMatch(/\[sections omitted for lack of space: [a-z_, ]*hints\]/);
    expect(last("tight")).toContain("bakes bread");
    expect(last("tighter")).not.toContain("bakes bread");
  });

  it("see_others: false hides other agents", () => {
    expect(last("plain")).toMatch(/bakery/);
    expect(last("blind")).not.toMatch(/baker|hearing|newest public event/);
  });

  it("detail_level decides how much is shown of each artifact", () => {
    expect(last("terse")).toContain("bakes bread");
    expect(last("terse")).not.toContain("run(kg");
    expect(last("plain")).toContain("    run(kg: number, salt?)\n");
    expect(last("chatty")).toContain('salt?): bakes at once e.g. {"args":[2],"result":2}');
  });

  it("recent_events is the maximum number of events", () => {
    const count = (id: string) => section(last(id), "Recent events").match(/^- /gm)?.length;
    expect(count("deaf")).toBeUndefined();
    expect(count("hearing")).toBe(3);
  });
});

describe("a mandatory prefix and suffix", () => {
  it.each([
    ["none", false, false],
    ["genesis", true, false],
    ["all", true, true],
  ])("of scope %s: parent %s, child %s", async (scope, parent, child) => {
    const quotas = { actions: 20, cpu_gas: 100_000, llm_calls: 10, llm_tokens: 20_000 };
    const endowment = { ...quotas, disk_bytes: 20_000, llm_budget_micros: 300_000 };
    const kid = { mind: "llm", system_prompt: "I am new." };
    const spawn = { method: "spawn_principal", args: ["kid", kid, endowment] };
    const sets = [
      "run.duration_s=5",
      "agent.prompt.mandatory_prefix=FIRST OF ALL",
      "agent.prompt.mandatory_suffix=LAST OF ALL",
      `agent.prompt.injection_scope=${scope}`,
    ];
    const acts = acting({ invoke_artifact: { artifact_id: "genesis_ledger", ...spawn } });
    const run = await lives({ ann: {} }, () => [acts], ...sets);
    const systemOf = (id: string): string => run.callsOf(id)[0]?.system ?? "";
    expect(systemOf("kid")).toContain("I am new.");
    for (const [id, injected] of [
      ["ann", parent],
      ["kid", child],
    ] as const) {
      expect(systemOf(id).startsWith("FIRST OF ALL")).toBe(injected);
      expect(systemOf(id).endsWith("LAST OF ALL")).toBe(injected);
      expect(/FIRST|LAST/.test(systemOf(id))).toBe(injected);
    }
  });

  it("is a setting of the run that an agent cannot change", async () => {
    const freed = lives({ ann: { prompt: { injection_scope: "none" } } }, () => []);
    await expect(freed).rejects.toThrow("unknown key `prompt.injection_scope`");
  });
});
