import { describe, expect, it } from "vitest";
import { must } from "../../../src/kernel/index.ts";

import { recollectionOf } from "../../../src/mind/llm/memories.ts";
import { settingsOf } from "../../../src/mind/llm/mind-settings.ts";
import { artifactMemory } from "../../../src/mind/memory/artifact-memory.ts";
import { llmDefaultsOf } from "../../../src/runner/agents/llm-plan.ts";
import { loadConfig } from "../../../src/runner/config/index.ts";
import { viewWith } from "../../support/view.ts";
import { deed, failedDeed } from "../workflow/workbench.ts";

const settingsWith = (more: object = {}) => {
  const loaded = loadConfig({ file: null, sets: [], flags: [] });
  if (!loaded.ok) throw new Error("the shipped configuration is sound");
  return settingsOf({ mind: "llm", ...more }, llmDefaultsOf(loaded.config));
};
const ARTIFACT = artifactMemory(10_000);
const recollect = (more: object = {}) =>
  must(recollectionOf(settingsWith(more), ARTIFACT), "it recalls");

type Deed = ReturnType<typeof deed>;
type Self = ReturnType<typeof viewWith>;

/** Somebody who has done this, and has taken the first `through` of it into memory. */
const doer = (deeds: readonly Deed[], through = 0, more: Partial<Self> = {}): Self => {
  const view = viewWith({ id: "ann" });
  const counters = { ...view.agent.counters, actions: deeds.length };
  const memories = { count: through, through };
  return { ...view, agent: { ...view.agent, actions: deeds, counters, memories }, ...more };
};
const textsOf = (self: Self, said: readonly string[] = [], more: object = {}) =>
  recollect(more)(self, said).notes.map(({ text }) => text);

describe("what an agent takes into its memory", () => {
  it("is each deed once, and then what it says", () => {
    const self = doer([deed(), failedDeed({ target: "bank" })], 1);
    const { notes } = recollect()(self, ["bread is dear"]);
    expect(notes.map(({ kind }) => kind)).toEqual(["action", "observation"]);
    expect(notes[0]?.text).toMatch(/^Agent ann performed invoke_artifact bank run: .*it failed/);
    expect(notes[1]?.text).toBe("bread is dear");
  });

  it("is nothing of a thought that came to nothing", () => {
    const thought = failedDeed({ action: "think", target: null, method: null });
    expect(textsOf({ ...doer([deed()], 0) })).toHaveLength(1);
    const self = doer([deed(), thought]);
    const counters = { ...self.agent.counters, actions: 1 };
    expect(textsOf({ ...self, agent: { ...self.agent, counters } })).toEqual([
      expect.stringContaining("performed invoke_artifact shop"),
    ]);
  });

  it("is working memory where it has been written and that is wished", () => {
    const wrote = deed({ action: "write_artifact", target: "ann_working_memory", method: null });
    const kept = { workingMemoryText: '{"current_goal": "bake"}' };
    const wish = { working_memory_settings: { enabled: true, include_in_rag: true } };
    expect(textsOf(doer([wrote], 0, kept), [], wish).at(-1)).toMatch(/^Working memory: .*bake/);
    expect(textsOf(doer([wrote], 0, kept))).toHaveLength(1);
    expect(textsOf(doer([deed()], 0, kept), [], wish)).toHaveLength(1);
  });

  it("goes into its artifact, numbered behind what is there", () => {
    const { text } = recollect()(doer([deed(), deed({ atMs: 7 })], 1), []);
    expect(JSON.parse(text ?? "")).toMatchObject([{ n: 2, at_ms: 7, kind: "action" }]);
  });

  it("is nothing without recall or without memory", () => {
    expect(recollectionOf(settingsWith({ rag: { enabled: false } }), ARTIFACT)).toBeNull();
    expect(recollectionOf(settingsWith(), null)).toBeNull();
  });
});
