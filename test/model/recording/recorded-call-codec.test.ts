import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CallReader,
  CallWriter,
  readCalls,
} from "../../../src/model/recording/recorded-call-codec.ts";
import {
  type RecordedCall,
  recordedRequest,
  requestKey,
} from "../../../src/model/recording/recording.ts";

import { answer, failure, request } from "../requests.ts";

const call = (prompt: string, reply = answer()): RecordedCall => {
  const asked = recordedRequest(request({ prompt }));
  const about = { costMicros: 20, priced: true, atMs: 100 };
  return { key: requestKey(asked), request: asked, reply, ...about };
};

const CALLS = [call("a"), { ...call("b"), reply: failure() }, call("c \ud800")];

const rowsOf = (calls: readonly RecordedCall[]) => {
  const writer = new CallWriter();
  return calls.map((each, at) => ({ id: at + 1, body: writer.write(each, at + 1) }));
};

describe("a stored call", () => {
  it("is read as it was written, for an answer or a failure with any texts", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(fc.tuple(text, text, text), fc.boolean(), ([system, prompt, said], ok) => {
        const asked = recordedRequest(request({ system, prompt }));
        const attempts = [{ model: prompt, key: 1, tokens: 7, endedMs: 3 }];
        const reply = ok ? answer({ text: said, attempts }) : failure({ message: said });
        const written = { ...call(""), key: requestKey(asked), request: asked, reply };
        expect([...readCalls(rowsOf([written, written]))]).toEqual([
          { ok: true, id: 1, call: written },
          { ok: true, id: 2, call: written },
        ]);
      }),
    );
  });

  const conversation = Array.from({ length: 60 }, (_, at) => "said before. ".repeat(at + 5));

  it("continues the prompt before it, and can be read out of order", () => {
    const calls = conversation.map((prompt) => call(prompt));
    const rows = rowsOf(calls);
    expect(rows.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThan(
      conversation.join("").length * 2,
    );
    expect([...readCalls(rows)].map((read) => read.ok && read.call)).toEqual(calls);
    const reader = new CallReader((id) => rows[id - 1] ?? null);
    for (const row of rows) reader.read(row);
    for (const at of [3, 59, 17]) {
      expect(reader.read({ id: at + 1, body: rows[at]?.body ?? "" })).toMatchObject({
        call: { request: { prompt: conversation[at] } },
      });
    }
  });

  it("is damaged if the record whose prompt it continues is missing", () => {
    const rows = rowsOf(conversation.slice(0, 3).map((prompt) => call(prompt)));
    const reads = [...readCalls(rows.filter(({ id }) => id !== 2))];
    expect(reads.map((read) => (read.ok ? read.id : read.problem))).toEqual([
      1,
      "it is missing",
      "the record whose prompt it continues is missing",
    ]);
  });

  it("is damaged if it continues its own prompt", () => {
    const rows = rowsOf(conversation.slice(0, 2).map((prompt) => call(prompt)));
    const circle = rows.map(({ id, body }) => ({
      id,
      body: body.replace('"record":1', '"record":2'),
    }));
    const reader = new CallReader((id) => circle[id - 1] ?? null);
    expect(circle.map((row) => reader.read(row).ok)).toEqual([true, false]);
  });

  const rows = rowsOf(CALLS);
  const changed = (from: string | RegExp, to: string) =>
    rows.map((row) => (row.id === 2 ? { ...row, body: row.body.replace(from, to) } : row));

  it.each([
    ["cut off", changed(/.{10}$/, ""), "expected object"],
    ["not an object", changed(/^.*$/, "[]"), "expected object"],
    ["without a reply", changed('"reply"', '"said"'), "^reply: "],
    ["with an unknown fault", changed('"provider_error"', '"unlucky"'), "^reply.fault: "],
    ["with a negative cost", changed('"costMicros":20', '"costMicros":-1'), "^costMicros"],
    ["with another prompt", changed('"prompt":"b"', '"prompt":"d"'), "key does not match"],
    ["with a system text that is missing", changed('"system":1', '"system":7'), "record 7, whose"],
    ["missing", rows.filter(({ id }) => id !== 2), "missing"],
  ])("is reported as damaged if it is %s", (_what, damaged, problem) => {
    const reads = [...readCalls(damaged)];
    expect(reads.filter(({ ok }) => !ok)).toEqual([
      { ok: false, id: 2, problem: expect.stringMatching(new RegExp(problem)) },
    ]);
    expect(reads.filter(({ ok }) => ok)).toHaveLength(2);
  });
});
