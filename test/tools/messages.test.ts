import { describe, expect, it } from "vitest";
import { asId, mailboxOf } from "../../src/kernel/index.ts";
import type { Operator } from "../../src/run/index.ts";
import { conversationIn } from "../../src/tools/index.ts";
import { type ModelRun, runModels } from "../support/model-run.ts";
import { type Call, messagesOf, stepsOf } from "./smith.ts";

type Steps = readonly (readonly Call[])[];

/** A run of `smith`, to which an operator writes before it starts. */
const told = (
  steps: Steps,
  write: (operator: Operator) => void,
  tools: object = {},
): Promise<ModelRun> =>
  runModels({
    agents: { smith: { mind: "tools", tools } },
    script: stepsOf(steps),
    sets: ["run.duration_s=20"],
    meanwhile: (runner) => write(runner.operate()),
  });

const say = (operator: Operator, text: string): void =>
  void operator.execute({ kind: "send_message", agent: "smith", text });

const ON_MESSAGE = { turns: "on_message" };

const keptBy = (ran: ModelRun) => conversationIn(ran.state.agents.get(asId("smith"))?.mind ?? null);

const turnTexts = (ran: ModelRun): readonly string[] =>
  Object.values(keptBy(ran).messages).flatMap((message) =>
    message.role === "user" ? [message.text] : [],
  );

describe("a message of the operator", () => {
  it("starts a turn with its text, one turn for each", async () => {
    const ran = await told([[["end_turn", {}]], [["end_turn", {}]]], (operator) => {
      say(operator, "Sell something.");
      say(operator, "Buy something.");
    });
    expect(messagesOf(ran, 0)[1]?.content).toMatch(/^Sell something\.\n\n## Time/);
    expect(turnTexts(ran).slice(0, 2)).toEqual(["Sell something.", "Buy something."]);
    expect(mailboxOf(ran.state, asId("smith")).unread).toEqual([]);
    expect(ran.replayedHash).toBe(ran.result.stateHash);
  });

  it("waits until the turn in progress has ended", async () => {
    const look: Call = ["write_file", { path: "a.md", text: "x" }];
    const ran = await runModels({
      agents: { smith: { mind: "tools", tools: ON_MESSAGE } },
      script: stepsOf([[look], [look], [["end_turn", {}]]]),
      sets: ["run.duration_s=20"],
      meanwhile: (runner, arrived) => {
        say(runner.operate(), "First.");
        void arrived(2).then(() => say(runner.operate(), "Second."));
      },
    });
    expect(turnTexts(ran)).toEqual(["First.", "Second."]);
  });

  it("is answered once, also if the model fails first", async () => {
    let failures = 0;
    const steps = stepsOf([[["end_turn", {}]]]);
    const ran = await runModels({
      agents: { smith: { mind: "tools", tools: ON_MESSAGE } },
      script: (call) => {
        failures += 1;
        return failures <= 5 ? { status: 400, message: "no" } : steps(call);
      },
      sets: ["run.duration_s=40"],
      meanwhile: (runner) => say(runner.operate(), "Try."),
    });
    expect(turnTexts(ran)).toEqual(["Try."]);
  });
});

describe("an agent that waits for messages", () => {
  it("asks no model and pays nothing without a message", async () => {
    const ran = await told([], () => {}, ON_MESSAGE);
    expect(ran.callsOf("smith")).toEqual([]);
    for (const { usage } of ran.of("thought_completed", "smith")) {
      expect(usage).toMatchObject({ calls: 0, cost_micros: 0 });
    }
  });
});

describe("a reset", () => {
  const steps: Steps = [[["write_file", { path: "a.md", text: "x" }]], [["end_turn", {}]]];

  it.each([
    [false, '{"a.md":"x"}'],
    [true, "{}"],
  ])("starts a new session. It deletes the files: %s", async (files, content) => {
    const ran = await runModels({
      agents: { smith: { mind: "tools", tools: ON_MESSAGE } },
      script: stepsOf(steps),
      sets: ["run.duration_s=30"],
      meanwhile: (runner, arrived) => {
        say(runner.operate(), "Write.");
        void arrived(2).then(async () => {
          await runner.operate().execute({ kind: "reset_agent", agent: "smith", files });
        });
      },
    });
    expect(keptBy(ran)).toMatchObject({ session: 2, messages: {}, turn: null });
    expect(ran.state.artifacts.get(asId("smith_workspace"))?.content).toBe(content);
    expect(ran.replayedHash).toBe(ran.result.stateHash);
  });
});
