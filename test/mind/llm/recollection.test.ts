import { describe, expect, it } from "vitest";
import { memoryIds, must } from "../../../src/kernel/index.ts";
import { artifactMemory } from "../../../src/memory/artifact-memory.ts";
import { recollectionOf } from "../../../src/mind/index.ts";
import { viewWith } from "../../support/view.ts";
import { actionRecord, failedAction } from "../../workflow/workbench.ts";
import { settingsWith } from "./shipped-settings.ts";

const ARTIFACT = artifactMemory(10_000);
const recollect = (more: object = {}) =>
  must(recollectionOf(settingsWith(more), ARTIFACT), "it recalls");

type ActionRecord = ReturnType<typeof actionRecord>;
type Self = ReturnType<typeof viewWith>;

/** An agent that has taken these actions and remembers the first `through` of them. */
const agentWith = (
  actions: readonly ActionRecord[],
  through = 0,
  more: Partial<Self> = {},
): Self => {
  const view = viewWith({ id: "ann" });
  const counters = { ...view.agent.counters, actions: actions.length };
  const agent = { ...view.agent, actions, counters, remembered: through };
  const memory = { id: memoryIds("ann").memory, text: "[]", count: through };
  return { ...view, agent, memory, ...more };
};
const textsOf = (self: Self, said: readonly string[] = [], more: object = {}) =>
  recollect(more)(self, said).notes.map(({ text }) => text);

describe("what an agent remembers", () => {
  it("is each action once, and then its notes", () => {
    const self = agentWith([actionRecord(), failedAction({ target: "bank" })], 1);
    const { notes } = recollect()(self, ["bread is dear"]);
    expect(notes.map(({ kind }) => kind)).toEqual(["action", "observation"]);
    expect(notes[0]?.text).toMatch(/^Agent ann performed invoke_artifact bank run: .*it failed/);
    expect(notes[1]?.text).toBe("bread is dear");
  });

  it("is not a failed thought", () => {
    const thought = failedAction({ action: "think", target: null, method: null });
    expect(textsOf({ ...agentWith([actionRecord()], 0) })).toHaveLength(1);
    const self = agentWith([actionRecord(), thought]);
    const counters = { ...self.agent.counters, actions: 1 };
    expect(textsOf({ ...self, agent: { ...self.agent, counters } })).toEqual([
      expect.stringContaining("performed invoke_artifact shop"),
    ]);
  });

  it("is written into its artifact with the next number", () => {
    const { text } = recollect()(agentWith([actionRecord(), actionRecord({ atMs: 7 })], 1), []);
    expect(JSON.parse(text ?? "")).toMatchObject([{ n: 2, at_ms: 7, kind: "action" }]);
  });
});
