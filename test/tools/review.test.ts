import { describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import type { OperatorOutcome } from "../../src/run/index.ts";
import { runModels } from "../support/model-run.ts";
import { type Answer, accepts, review, says } from "../support/reviewer.ts";
import { type Call, messagesOf, rolesOf, stepsOf } from "./smith.ts";

const note = (text: string): Call => ["write_artifact", { artifact_id: "poem", content: text }];

/** A run of `smith`, whose actions are reviewed. */
const reviewed = async (steps: readonly (readonly Call[])[], answers: readonly Answer[]) => {
  let outcomes: readonly OperatorOutcome[] = [];
  const ran = await runModels({
    agents: { smith: { mind: "tools", review: "actions" } },
    script: stepsOf(steps),
    sets: ["run.duration_s=20"],
    meanwhile: (runner) => {
      outcomes = review(runner, answers);
    },
  });
  return { ran, outcomes };
};

type ToolMessage = { readonly role: string; readonly tool_call_id?: string; content: unknown };

describe("feedback on a step with three calls", () => {
  const three: readonly Call[] = [
    ["write_file", { path: "plan.md", text: "Write a poem." }],
    note("roses"),
    ["read_artifact", { artifact_id: "handbook_mint" }],
  ];

  it("answers each of them, and the model is asked again in the same turn", async () => {
    const { ran, outcomes } = await reviewed([three, [note("violets")]], [says("Not roses.")]);
    expect(outcomes[0]).toMatchObject({ ok: true });
    expect(rolesOf(ran, 1)).toEqual(["system", "user", "assistant", "tool", "tool", "tool"]);
    const results: readonly ToolMessage[] = messagesOf(ran, 1).slice(3);
    expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual([
      "call_1_0",
      "call_1_1",
      "call_1_2",
    ]);
    const [file, action, other] = results.map(({ content }) => String(content));
    expect(file).toBe("wrote plan.md, 1 lines");
    expect(action).toBe("not done: a reviewer answered: Not roses.");
    expect(other).toMatch(/^not done: a step has one action in the world/);
    expect(ran.state.artifacts.get(asId("poem"))?.content).toBe("violets");
    expect(ran.replayedHash).toBe(ran.result.stateHash);
  });

  it("costs no action, and the workspace keeps what the step wrote", async () => {
    const { ran } = await reviewed([three], [says("Not now.")]);
    expect(ran.of("artifact_written", "smith").map(({ artifact_id }) => artifact_id)).not.toContain(
      "poem",
    );
    const ends = ran.events.filter(({ kind }) => /^action_(completed|refused)$/.test(kind));
    // Only the step that waits has ended.
    expect(ends).toMatchObject([{ action: "noop" }]);
    expect(ran.state.artifacts.get(asId("smith_workspace"))?.content).toContain("plan.md");
    expect(ran.state.agents.get(asId("smith"))?.counters).toMatchObject({ actions: 1, errors: 0 });
  });

  it("is not the result of the next action too", async () => {
    const { ran } = await reviewed([three, [note("violets")]], [says("Not roses."), accepts]);
    expect(messagesOf(ran, 2).at(-1)?.content).toMatch(/^done:\n/);
  });
});

describe("an edit", () => {
  const edit =
    (content: unknown): Answer =>
    ({ proposal }) => ({
      kind: "edit_proposal",
      proposal,
      action: JSON.parse(JSON.stringify({ write_artifact: { artifact_id: "poem", content } })),
    });

  it("runs the edited arguments, and the model learns that they were edited", async () => {
    const { ran } = await reviewed([[note("roses")]], [edit("tulips")]);
    expect(ran.state.artifacts.get(asId("poem"))?.content).toBe("tulips");
    expect(ran.of("action_proposed")).toMatchObject([
      { action: { write_artifact: { content: "roses" } } },
    ]);
    expect(ran.of("proposal_decided")).toMatchObject([
      { decision: { kind: "edit", action: { write_artifact: { content: "tulips" } } } },
    ]);
    expect(messagesOf(ran, 1).at(-1)?.content).toMatch(/a reviewer edited the action/);
    expect(ran.replayedHash).toBe(ran.result.stateHash);
  });

  it("is refused if it is not an action, and the proposal waits on", async () => {
    const then: Answer = (proposal) => accepts(proposal);
    let told: OperatorOutcome | null = null;
    const ran = await runModels({
      agents: { smith: { mind: "tools", review: "actions" } },
      script: stepsOf([[note("roses")]]),
      sets: ["run.duration_s=20"],
      meanwhile: (runner) => {
        const operator = runner.operate();
        runner.follow((rows) => {
          if (!rows.some(({ kind }) => kind === "action_proposed")) return;
          const proposal = { proposal: 1, action: null, cost: 0, agent: "smith" };
          void Promise.resolve()
            .then(() => operator.execute(edit(7)(proposal)))
            .then((outcome) => {
              told = outcome;
              return operator.execute(then(proposal));
            });
        });
      },
    });
    const message = /^the edited action is not valid: content must be a string/;
    expect(told).toMatchObject({ ok: false, message: expect.stringMatching(message) });
    expect(ran.of("proposal_decided")).toMatchObject([{ decision: { kind: "accept" } }]);
    expect(ran.state.artifacts.get(asId("poem"))?.content).toBe("roses");
  });
});
