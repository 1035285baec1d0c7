import { describe, expect, it } from "vitest";
import type { MindEvent } from "../../src/tools/index.ts";
import { type ModelRun, type ModelRunPlan, runModels } from "../support/model-run.ts";
import type { Answer } from "../support/model-server/answer.ts";
import { OVERFLOW } from "../support/model-server/overflows.ts";
import { type Call, calling, stepsOf, withWindow } from "./smith.ts";

type Followed = { readonly ran: ModelRun; readonly events: readonly MindEvent[] };

/** A run of `smith` with a listener. */
const follow = async (plan: Omit<ModelRunPlan, "agents">): Promise<Followed> => {
  const events: MindEvent[] = [];
  const onMindEvent = (event: MindEvent): void => void events.push(event);
  const ran = await runModels({ ...PLAN, onMindEvent, ...plan });
  return { ran, events };
};

const PLAN = { agents: { smith: { mind: "tools" } }, sets: ["run.duration_s=6"] };

/** The answers to the calls of `smith`, in order. After them, it waits. */
const answers = (...all: readonly Answer[]) => {
  let n = 0;
  return (): Answer => {
    n += 1;
    return all[n - 1] ?? calling(n, [["wait", { for_s: 100 }]]);
  };
};

/** Events in short, with the pieces of a text as one. */
const inShort = (events: readonly MindEvent[]): readonly string[] => {
  const lines: string[] = [];
  for (const line of events.map(lineOf)) {
    const last = lines.at(-1) ?? "";
    const isMore = line.startsWith(TEXT) && last.startsWith(TEXT);
    if (isMore) lines.push(`${lines.pop()}${line.slice(TEXT.length)}`);
    else lines.push(line);
  }
  return lines;
};

const TEXT = "text_delta ";

const lineOf = (event: MindEvent): string => {
  switch (event.kind) {
    case "llm_start":
      return `llm_start ${event.step} ${event.purpose}`;
    case "llm_stream": {
      const { delta } = event;
      return `${delta.type} ${delta.type === "tool_call_end" ? delta.tool : delta.text}`;
    }
    case "llm_end":
      return `llm_end ${event.step} ${event.problem ?? "ok"}`;
    case "tool_start":
      return `tool_start ${event.tool} ${event.callId}`;
    case "tool_end":
      return `tool_end ${event.tool} ${event.callId} ${event.isError ? "failed" : "ok"}`;
    case "message":
      return `message ${event.to} ${event.text}`;
    case "retry":
      return `retry ${event.attempt} ${event.reason} ${event.profile.model}`;
    case "compaction":
      return `compaction ${event.oldCount} ${event.newCount}`;
    case "done":
      return `done ${event.problem ?? "ok"} ${event.text}`;
  }
};

const NOTE: Call = ["write_file", { path: "a.md", text: "a" }];
const WRONG: Call = ["read_file", { path: "b.md" }];
const ACT: Call = ["write_artifact", { artifact_id: "smith_note", content: "hello" }];

describe("a listener of an agent with tools", () => {
  const script = () =>
    answers(
      calling(1, [NOTE, WRONG], "I take a note."),
      calling(2, [ACT, ["list_files", {}], ["search_market", { query: "x" }]]),
      { text: "That is all." },
    );

  it("hears of each step in order, and of an action when it has its result", async () => {
    const { events } = await follow({ script: script() });
    expect(inShort(events).slice(0, 26)).toEqual([
      "llm_start 1 step",
      "text_delta I take a note.",
      "tool_call_end write_file",
      "tool_call_end read_file",
      "llm_end 1 ok",
      "tool_start write_file call_1_0",
      "tool_end write_file call_1_0 ok",
      "tool_start read_file call_1_1",
      "tool_end read_file call_1_1 failed",
      "llm_start 2 step",
      "tool_call_end write_artifact",
      "tool_call_end list_files",
      "tool_call_end search_market",
      "llm_end 2 ok",
      "tool_start write_artifact call_2_0",
      "tool_start list_files call_2_1",
      "tool_end list_files call_2_1 ok",
      "tool_start search_market call_2_2",
      "tool_end search_market call_2_2 failed",
      "tool_end write_artifact call_2_0 ok",
      "llm_start 3 step",
      "text_delta That is all.",
      "llm_end 3 ok",
      "done ok That is all.",
      "llm_start 1 step",
      "tool_call_end wait",
    ]);
    expect(events.every(({ agent, session }) => agent === "smith" && session === "main")).toBe(
      true,
    );
    const done = events.find(({ kind }) => kind === "done");
    expect(done).toMatchObject({ usage: { calls: 1, input_tokens: 10, output_tokens: 10 } });
  });

  it("changes nothing in the journal, and only it makes the model stream", async () => {
    const { ran } = await follow({ script: script() });
    const silent = await runModels({ ...PLAN, script: script() });
    expect(ran.replayedHash).toBe(silent.replayedHash);
    expect(ran.events).toEqual(silent.events);
    const calls = ({ recorded }: ModelRun) =>
      recorded.map(({ key, request, reply, costMicros }) => {
        const { usage } = reply;
        return { key, request, usage, costMicros, text: reply.ok ? reply.text : reply.fault };
      });
    expect(calls(ran)).toEqual(calls(silent));
    expect(ran.served.every(({ body }) => body.stream === true)).toBe(true);
    expect(silent.served.some(({ body }) => body.stream === true)).toBe(false);
  });

  it("hears the same of a replay, with each text in one piece", async () => {
    const { ran, events } = await follow({ script: script() });
    const replayed = await follow({ script: () => undefined, replay: ran.recorded });
    expect(replayed.ran.served).toEqual([]);
    expect(inShort(replayed.events)).toEqual(inShort(events));
    const texts = replayed.events.flatMap((event) =>
      event.kind === "llm_stream" && "text" in event.delta ? [event.delta.text] : [],
    );
    expect(texts).toEqual(["I take a note.", "That is all."]);
  });

  it("may throw: the run continues, and a note says so once", async () => {
    const notes: string[] = [];
    const onMindEvent = (): void => {
      throw new Error("the screen is gone");
    };
    const note = (text: string): void => void notes.push(text);
    const ran = await runModels({ ...PLAN, script: script(), onMindEvent, note });
    expect(ran.of("thought_failed")).toEqual([]);
    expect(ran.of("artifact_written", "smith")).toContainEqual(
      expect.objectContaining({ artifact_id: "smith_note" }),
    );
    expect(notes).toEqual(["the listener of the agents has failed: the screen is gone"]);
  });

  it("hears of a retry that what it has heard of the reply is void", async () => {
    const chunk = { choices: [{ index: 0, delta: { content: "I have an idea" } }] };
    const broken = { events: [chunk], ends: "reset" } as const;
    const { ran, events } = await follow({ script: answers(broken, { text: "That is all." }) });
    expect(inShort(events).slice(0, 6)).toEqual([
      "llm_start 1 step",
      "text_delta I have an idea",
      "retry 1 connection openai-compatible/tiny",
      "text_delta That is all.",
      "llm_end 1 ok",
      "done ok That is all.",
    ]);
    expect(ran.recorded[0]?.reply.attempts).toHaveLength(2);
  });

  it("hears of a step that fails, after which the turn continues", async () => {
    const script = answers({ text: "", ending: "filter" }, { text: "That is all." });
    const { events } = await follow({ script });
    expect(inShort(events).slice(0, 5)).toEqual([
      "llm_start 1 step",
      expect.stringMatching(/^llm_end 1 refused: /),
      "llm_start 2 step",
      "text_delta That is all.",
      "llm_end 2 ok",
    ]);
  });

  it("hears of a conversation that was compacted to fit the model", async () => {
    const read: Call = ["read_file", { path: "big.md" }];
    const steps = stepsOf([
      [["write_file", { path: "big.md", text: "y".repeat(4_000) }]],
      [read, read],
      [read, read],
      [["end_turn", {}]],
    ]);
    const script = withWindow(steps, 18_000, OVERFLOW["openai-compatible"]);
    const { events } = await follow({ script });
    const lines = inShort(events);
    const at = lines.findIndex((line) => line.startsWith("compaction"));
    expect(lines.slice(at - 2, at + 2)).toEqual([
      "llm_start 4 step",
      expect.stringMatching(/^llm_end 4 context_overflow: /),
      expect.stringMatching(/^compaction 7 7$/),
      "llm_start 4 step",
    ]);
  });
});
