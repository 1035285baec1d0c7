import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LINE_BYTES_MAX } from "../../../src/coding-agents/program/stream/lines.ts";
import type { Segment } from "../../../src/coding-agents/program/stream/segment.ts";
import {
  type StreamFormat,
  StreamReader,
} from "../../../src/coding-agents/program/stream/stream-reader.ts";
import { STREAM_FORMATS } from "../../../src/mind/index.ts";
import { DIALECTS, plainText } from "../../support/fake-coding-agent/dialects.ts";

const THOUGHT = { does: "think", text: "The file is in src." } as const;
const USE = { does: "use", tool: "Bash", input: { command: "ls" }, result: "a\nb" } as const;
const ANSWER = { does: "say", text: "Zwölf Dateien 🗂 sind da." } as const;
const REPORT = { does: "report", input: 120, output: 30, usd: 0.0125 } as const;
const SAID = [THOUGHT, USE, ANSWER];

const jsonLines = (messages: readonly object[], newline = "\n"): string =>
  messages.map((each) => `${JSON.stringify(each)}${newline}`).join("");

/** What a program of this format prints in a turn that says the same. */
const streamOf = (format: StreamFormat, failure: string | null = null, newline = "\n"): string => {
  if (format === "text") return SAID.map(plainText).join("");
  const { start, step, end } = DIALECTS[format];
  const fails = failure === null ? [] : [{ does: "fail", message: failure } as const];
  const steps = [...SAID, ...fails].flatMap(step);
  return jsonLines([...start("s-1"), ...steps, ...end(REPORT, ANSWER.text, failure)], newline);
};

const read = (format: StreamFormat, chunks: readonly Uint8Array[]) => {
  const reader = new StreamReader(format);
  const segments = [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
  return { segments, summary: reader.summary };
};

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const readText = (format: StreamFormat, text: string) => read(format, [bytesOf(text)]);

/** What is known of a stream, apart from what no one knows. */
const known = (segments: readonly Segment[]) => segments.filter(({ kind }) => kind !== "unknown");

const answer = { kind: "text", text: ANSWER.text };
const thought = { kind: "thinking", text: THOUGHT.text };
const use = (id: string, tool: string, input: object) => ({ kind: "tool_use", id, tool, input });
const result = (id: string) => ({ kind: "tool_result", id, text: "a\nb", is_error: false });

const EXPECTED: { readonly [F in StreamFormat]: readonly object[] } = {
  claude: [thought, use("toolu_1", "Bash", { command: "ls" }), result("toolu_1"), answer],
  codex: [
    thought,
    use("item_1", "command_execution", { command: '{"command":"ls"}' }),
    result("item_1"),
    answer,
  ],
  gemini: [use("call_1", "Bash", { command: "ls" }), result("call_1"), answer],
  text: [
    { kind: "text", text: THOUGHT.text },
    { kind: "text", text: '$ Bash {"command":"ls"}\na\nb' },
    answer,
  ],
};

describe.each(STREAM_FORMATS)("the stream of %s", (format) => {
  const whole = bytesOf(streamOf(format));

  it("is read in order, and each part is complete", () => {
    expect(known(read(format, [whole]).segments)).toEqual(EXPECTED[format]);
  });

  it("is read the same if it is cut at any byte", () => {
    const expected = read(format, [whole]);
    for (let at = 0; at <= whole.length; at += 1) {
      expect(read(format, [whole.subarray(0, at), whole.subarray(at)])).toEqual(expected);
    }
    const bytes = [...whole].map((byte) => Uint8Array.of(byte));
    expect(read(format, bytes)).toEqual(expected);
  });

  it("is read the same if its lines end with CRLF", () => {
    const text = streamOf(format).replaceAll("\n", "\r\n");
    expect(readText(format, text)).toEqual(read(format, [whole]));
  });

  it("is read from any bytes, the same for any cut, and its texts are well-formed", () => {
    const lines = fc.array(fc.oneof(fc.json(), fc.string({ unit: "binary" })), { maxLength: 8 });
    fc.assert(
      fc.property(lines, fc.uint8Array(), fc.nat(), (texts, noise, place) => {
        const bytes = Buffer.concat([bytesOf(texts.join("\n")), noise, bytesOf(texts.join("\n"))]);
        const at = place % (bytes.length + 1);
        const cut = read(format, [bytes.subarray(0, at), bytes.subarray(at)]);
        expect(cut).toEqual(read(format, [bytes]));
        expect(JSON.stringify(cut.segments).isWellFormed()).toBe(true);
        expect(JSON.stringify(cut.segments)).not.toContain("\\u0000");
      }),
    );
  });

  it("keeps the beginning of a line that is too long, and reads the next", () => {
    const chunk = new Uint8Array(LINE_BYTES_MAX / 2).fill(0x78);
    const { segments } = read(format, [chunk, chunk, chunk, bytesOf("\n\n"), whole]);
    const [first, ...others] = segments;
    expect(first?.kind).toBe(format === "text" ? "text" : "unknown");
    const note = `… (the line had ${chunk.length * 3} bytes and is cut)`;
    expect(first).toMatchObject({ text: expect.stringContaining(note) });
    expect(JSON.stringify(first).length).toBeLessThan(5_000);
    expect(known(others)).toEqual(EXPECTED[format]);
  });

  it("replaces bytes that are not UTF-8", () => {
    const { segments } = read(format, [Uint8Array.of(0x61, 0xff, 0x62, 0x0a)]);
    expect(segments).toEqual([{ kind: "text", text: "a\ufffdb" }]);
  });

  it("keeps a line that is not JSON as a text", () => {
    const { segments } = readText(format, "Loading the model…\n");
    expect(segments).toEqual([{ kind: "text", text: "Loading the model…" }]);
  });
});

const JSON_FORMATS = ["claude", "codex", "gemini"] as const;

describe.each(JSON_FORMATS)("a stream of %s", (format) => {
  it("names its session, its tokens and its calls", () => {
    const { summary } = readText(format, streamOf(format));
    expect(summary).toMatchObject({ session_id: "s-1", calls: 2, failure: null });
    expect(summary.tokens).toEqual({ input_tokens: 120, output_tokens: 30 });
    expect(summary.cost_micros).toBe(format === "claude" ? 12_500 : null);
  });

  it("says why its turn failed, once, and errors on the way are not fatal", () => {
    const { summary, segments } = readText(format, streamOf(format, "out of quota"));
    expect(summary.failure).toBe("out of quota");
    expect(known(segments)).toEqual(EXPECTED[format]);
  });

  it("keeps a type that it does not know", () => {
    const { segments } = readText(format, '{"type":"telemetry","n":1}\n{"n":2}\n');
    expect(segments).toEqual([
      { kind: "unknown", type: "telemetry", text: '{"type":"telemetry","n":1}' },
      { kind: "unknown", type: "object", text: '{"n":2}' },
    ]);
  });

  it("is read to its end also where it is nested too deeply, or has no content", () => {
    const deep = `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","name":"b",
      "input":${"[".repeat(50_000)}${"]".repeat(50_000)}}]}}`.replaceAll("\n", "");
    const empty = ["assistant", "user", "result", "item.completed", "message", "tool_use"];
    const { segments } = readText(
      format,
      `${deep}\n${jsonLines(empty.map((type) => ({ type })))}${streamOf(format)}`,
    );
    expect(known(segments).slice(-EXPECTED[format].length)).toEqual(EXPECTED[format]);
  });
});

describe("a stream of Claude Code", () => {
  it("takes its session from the message at the start only", () => {
    const later = { type: "system", subtype: "status", session_id: "later" };
    const { summary } = readText("claude", `${streamOf("claude")}${JSON.stringify(later)}`);
    expect(summary.session_id).toBe("s-1");
  });

  it("counts the tokens so far if it has no result, once for each message", () => {
    const text = streamOf("claude").split("\n").slice(0, -2).join("\n");
    const twice = text.replace(/^(.*"type":"thinking".*)$/m, "$1\n$1");
    const { summary } = readText("claude", twice);
    expect(summary.tokens).toEqual({ input_tokens: 21, output_tokens: 6 });
  });

  it("has its final text apart from its segments", () => {
    const { summary, segments } = readText("claude", streamOf("claude"));
    expect(summary.result).toBe(ANSWER.text);
    expect(segments.filter(({ kind }) => kind === "text")).toHaveLength(1);
  });
});

describe("a stream of Codex", () => {
  const item = (more: object) => ({ type: "item.completed", item: { id: "i", ...more } });

  it("shows a tool that only ends, such as a change of files, with its use and its result", () => {
    const changes = [{ path: "a.ts", kind: "add" }];
    const text = jsonLines([item({ type: "file_change", changes, status: "completed" })]);
    expect(readText("codex", text).segments).toEqual([
      { kind: "tool_use", id: "i", tool: "file_change", input: { changes } },
      { kind: "tool_result", id: "i", text: "completed", is_error: false },
    ]);
  });

  it.each([
    [{ type: "command_execution", command: "x", aggregated_output: "no", exit_code: 2 }, "no"],
    [{ type: "mcp_tool_call", server: "s", tool: "t", error: { message: "gone" } }, "gone"],
    [{ type: "command_execution", command: "x", status: "declined" }, "declined"],
  ])("says that a tool failed: %j", (own, text) => {
    const { segments } = readText("codex", jsonLines([item(own)]));
    expect(segments.at(-1)).toEqual({ kind: "tool_result", id: "i", text, is_error: true });
  });

  it("reads the older name of a message", () => {
    const { segments } = readText(
      "codex",
      jsonLines([item({ type: "assistant_message", text: "Hi" })]),
    );
    expect(segments).toEqual([{ kind: "text", text: "Hi" }]);
  });
});
