import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { asId } from "../../src/kernel/index.ts";
import { conversationIn } from "../../src/tools/index.ts";
import { type ModelRun, runModels } from "../support/model-run.ts";
import type { Script } from "../support/model-server/model-server.ts";
import { OVERFLOW } from "../support/model-server/overflows.ts";
import { unpaired } from "./conversation/conversations.ts";
import {
  type Call,
  charsOf,
  messagesOf,
  resultsIn,
  runSmith,
  stepsOf,
  withWindow,
} from "./smith.ts";

const TOO_LONG = OVERFLOW["openai-compatible"];
const WINDOW_CHARS = 20_000;

const bigFile: Call = ["write_file", { path: "big.md", text: "y".repeat(4_000) }];
const read: Call = ["read_file", { path: "big.md" }];

/** A turn that reads much, ends, and another turn. */
const READING: readonly (readonly Call[])[] = [
  [bigFile],
  [read, read],
  [read, ["list_files", {}]],
  [read],
  [["list_files", { pattern: "b*" }]],
  [["end_turn", {}]],
  [["list_files", { pattern: "*" }]],
];

const runWith = (script: Script, more: Partial<Parameters<typeof runModels>[0]> = {}) =>
  runModels({
    agents: { smith: { mind: "tools" } },
    script,
    ...more,
    sets: ["run.duration_s=14", ...(more.sets ?? [])],
  });

const windowed = (charsMax = WINDOW_CHARS): Script =>
  withWindow(stepsOf(READING), charsMax, TOO_LONG);

const mindOf = (ran: ModelRun) => conversationIn(ran.state.agents.get(asId("smith"))?.mind ?? null);

describe("a conversation that grows out of the context window of its model", () => {
  let ran: ModelRun;
  beforeAll(async () => {
    ran = await runWith(windowed());
  });
  const sizes = () => ran.callsOf("smith").map(charsOf);

  it("is compacted within the step, whose thought succeeds", () => {
    const tooLong = sizes().filter((chars) => chars > WINDOW_CHARS);
    expect(tooLong.length).toBeGreaterThan(0);
    expect(ran.of("thought_failed", "smith")).toEqual([]);
    const answered = ran.recorded.filter(({ reply }) => reply.ok);
    expect(ran.of("thought_completed", "smith")).toHaveLength(answered.length);
    const text = "the conversation of smith did not fit in the context window of its model";
    expect(ran.of("warning_raised")).toMatchObject([{ text: expect.stringContaining(text) }]);
  });

  it("fits again in the next step, because it stays compacted", () => {
    const at = sizes().findLastIndex((chars) => chars > WINDOW_CHARS);
    const next = sizes().slice(at + 1);
    expect(next.length).toBeGreaterThan(3);
    expect(JSON.stringify(messagesOf(ran, at + 1))).toContain("[truncated ");
    expect(JSON.stringify(messagesOf(ran, at + 2))).toContain("[truncated ");
  });

  it("has lost no message of its turn, and no result", () => {
    const { messages, next } = mindOf(ran);
    expect(Object.keys(messages)).toHaveLength(next - 1);
    expect(unpaired(Object.values(messages))).toEqual([]);
  });

  it("costs only the call that was answered", () => {
    const [thought] = ran.of("thought_completed", "smith").filter(({ usage }) => {
      return z.object({ calls: z.number() }).parse(usage).calls > 1;
    });
    expect(thought).toMatchObject({ usage: { input_tokens: 20, output_tokens: 10 } });
    const failed = ran.recorded.filter(({ reply }) => !reply.ok);
    expect(failed[0]).toMatchObject({
      costMicros: 0,
      reply: { fault: "context_overflow", attempts: [{ tokens: 0 }] },
    });
  });

  it("replays to the same state, from its journal and from its recorded calls", async () => {
    expect(ran.replayedHash).toBe(ran.result.stateHash);
    const again = await runWith(() => undefined, { replay: ran.recorded });
    expect(again.served).toEqual([]);
    expect(again.result.stateHash).toBe(ran.result.stateHash);
    const told = ({ events }: ModelRun) => events.map(({ kind, at_ms }) => [kind, at_ms]);
    expect(told(again)).toEqual(told(ran));
  });
});

describe("a turn that cannot be made to fit", () => {
  let ran: ModelRun;
  const huge: Call = ["write_file", { path: "huge.md", text: "z".repeat(40_000) }];
  beforeAll(async () => {
    const script = stepsOf([[huge], [["list_files", {}]]]);
    ran = await runWith(withWindow(script, WINDOW_CHARS, TOO_LONG));
  });

  it("fails the thought by name, says what to set, and ends", () => {
    const [failure] = ran.of("thought_failed", "smith");
    expect(failure).toMatchObject({
      reason: "llm_error",
      fault: "context_overflow",
      message: expect.stringContaining(
        "the conversation does not fit the model, so lower tools.window_tokens; HTTP 400",
      ),
    });
  });

  it("does not hinder the next turn, which leaves it behind", () => {
    expect(ran.of("thought_failed", "smith")).toHaveLength(1);
    expect(ran.of("thought_completed", "smith").length).toBeGreaterThan(2);
    expect(mindOf(ran).summary).toMatch(/-> write_file \{"path":"huge.md","text":"zzz/);
  });
});

it("a summary that does not fit is replaced by a digest, and the agent continues", async () => {
  const isSummary = (prompt: string): boolean => prompt.startsWith("Summarize this conversation");
  const ran = await runWith(({ prompt }) => (isSummary(prompt) ? TOO_LONG : { text: "I think." }), {
    sets: ["run.duration_s=16"],
  });
  expect(ran.served.filter(({ prompt }) => isSummary(prompt))).toHaveLength(1);
  expect(ran.of("thought_failed")).toEqual([]);
  expect(mindOf(ran).summary).toMatch(/^\[Dropped without a summary: \d+ messages\./);
  expect(ran.served.at(-1)?.prompt).toContain("- I think.");
});

it("a prompt without tools that does not fit fails its thought, with the cure", async () => {
  const ran = await runWith(() => TOO_LONG, { agents: { ann: { mind: "llm" } } });
  expect(ran.of("thought_failed", "ann")[0]).toMatchObject({
    fault: "context_overflow",
    message: expect.stringContaining("so lower prompt.budget_tokens; HTTP 400"),
  });
});

it("a conversation that the agent can never pay for is cut, and its turn continues", async () => {
  const text = "word ".repeat(3_000);
  const long: Call = ["read_file", { path: "long.txt" }];
  const ran = await runSmith(
    [
      [["write_file", { path: "long.txt", text }]],
      [long],
      [["list_files", {}]],
      [long],
      [["list_files", { pattern: "l*" }]],
      [long],
      [["end_turn", {}]],
    ],
    { sets: ["resources.windows.llm_tokens=16000", "resources.window_s=1"] },
  );
  expect(ran.callsOf("smith").length).toBeGreaterThan(6);
  const cut = resultsIn(ran).filter((result) => result.includes("[truncated"));
  expect(cut.length).toBeGreaterThan(0);
});
