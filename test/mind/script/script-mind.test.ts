import { describe, expect, it } from "vitest";
import { type Json, REFUSAL_CODES } from "../../../src/kernel/index.ts";
import { scriptKind, type Thought } from "../../../src/mind/index.ts";

import { agentProblem } from "../../../src/run/index.ts";
import { viewWith } from "../../support/view.ts";

type ScriptEntry = { readonly [word: string]: unknown };

const { open } = await scriptKind.load();

const scriptMind = (script: readonly ScriptEntry[], loop: boolean) =>
  open({ scriptThinkMs: 100 } as never).create(
    { id: "ann", values: {} },
    { mind: "script", script, script_loop: loop },
  );

/** The thoughts of a script; `outcomes` has the refusal code of each action, or null. */
const play = (
  entries: readonly ScriptEntry[],
  { loop = false, outcomes = [] as readonly (null | string)[], thoughts = 20 } = {},
): readonly string[] => {
  const mind = scriptMind(entries, loop);
  const told: string[] = [];
  let memory: Json = null;
  for (let n = 0; n < thoughts; n++) {
    const last = n === 0 ? null : (outcomes[n - 1] ?? null);
    const view = viewWith({ mind: memory, lastCode: last, acted: n > 0 });
    const thought = mind.decide(view, new AbortController().signal);
    if (thought instanceof Promise) throw new Error("a script thinks at once");
    told.push(shown(thought));
    if (thought.kind !== "decided") break;
    memory = thought.memory;
  }
  return told;
};

const shown = (thought: Thought): string => {
  if (thought.kind !== "decided") return `${thought.kind}: ${thought.reason}`;
  const wait = thought.waitMs > 0 ? `${thought.waitMs} ms, ` : "";
  const sleep = thought.sleep === null ? "" : ` sleeps ${JSON.stringify(thought.sleep)}`;
  return `${wait}${JSON.stringify(thought.action)}${sleep}`;
};

const read = (id: string): ScriptEntry => ({ read_artifact: { artifact_id: id } });

describe("a script", () => {
  it("takes one action per thought, in order, then finishes", () => {
    expect(play([{ noop: {} }, read("a")])).toEqual([
      '{"noop":{}}',
      '{"read_artifact":{"artifact_id":"a"}}',
      "finished: script_finished",
    ]);
  });

  it("waits before the action that follows", () => {
    expect(play([{ wait: 2 }, { wait: 0.5 }, { noop: {} }])[0]).toBe('2500 ms, {"noop":{}}');
  });

  it("repeats entries, also inside a repetition", () => {
    const inner: ScriptEntry = { repeat: 2, do: [{ noop: {} }] };
    const told = play([{ repeat: 2, do: [inner, read("a")] }]);
    const noop = '{"noop":{}}';
    const a = '{"read_artifact":{"artifact_id":"a"}}';
    expect(told).toEqual([noop, noop, a, noop, noop, a, "finished: script_finished"]);
  });

  it("depends on the outcome of the last action", () => {
    const script: readonly ScriptEntry[] = [
      read("a"),
      { if_last: "failed", do: [read("failed")] },
      { if_last: "succeeded", do: [read("succeeded")] },
      { if_last: "not_found", do: [read("not_found")] },
    ];
    expect(play(script, { outcomes: [null, null] })[1]).toContain("succeeded");
    expect(play(script, { outcomes: ["deleted", null] })[1]).toContain('"failed"');
    expect(play(script.toSpliced(1, 2), { outcomes: ["not_found"] })[1]).toContain("not_found");
  });

  it("starts again if it loops", () => {
    expect(play([{ noop: {} }, read("a")], { loop: true, thoughts: 4 })[2]).toBe('{"noop":{}}');
  });

  it("sleeps after the previous action, or after a noop", () => {
    const told = play([
      read("a"),
      { sleep: { for_s: 2.5, until: [{ event: "auction_resolved" as const }] } },
      { sleep: { for_s: 1 } },
      { if_last: "succeeded", do: [read("b")] },
      { sleep: { for_s: 3 } },
      { repeat: 1, do: [{ wait: 1 }, { sleep: { for_s: 4 } }] },
    ]);
    expect(told).toEqual([
      '{"read_artifact":{"artifact_id":"a"}} sleeps {"for_ms":2500,"until":[{"event":"auction_resolved"}]}',
      '{"noop":{}} sleeps {"for_ms":1000,"until":[]}',
      '{"read_artifact":{"artifact_id":"b"}}',
      '{"noop":{}} sleeps {"for_ms":3000,"until":[]}',
      '1000 ms, {"noop":{}} sleeps {"for_ms":4000,"until":[]}',
      "finished: script_finished",
    ]);
  });

  it("starts at the beginning if the agent had another script", () => {
    const mind = (...entries: readonly ScriptEntry[]) => scriptMind(entries, false);
    const first = mind(read("a"), read("b")).decide(viewWith(), new AbortController().signal);
    if (first instanceof Promise || first.kind !== "decided") throw new Error("a script decides");
    const view = viewWith({ mind: first.memory, acted: true });
    const next = (...entries: readonly ScriptEntry[]) =>
      shown(mind(...entries).decide(view, new AbortController().signal) as Thought);
    expect(next(read("a"), read("b"))).toContain('"b"');
    expect(next(read("x"), read("y"))).toContain('"x"');
  });

  it("fails if it never acts", () => {
    const told = play([{ repeat: 100_000, do: [{ if_last: "deleted", do: [{ noop: {} }] }] }]);
    expect(told).toEqual(["failed: intent_rejected"]);
  });
});

describe("the entries of a script", () => {
  const problem = (script: unknown): string =>
    agentProblem(JSON.stringify({ mind: "script", script })) ?? "";

  const until = (...conditions: readonly unknown[]) => [{ sleep: { for_s: 1, until: conditions } }];

  it("accept every action and control word", () => {
    const script = [
      { noop: {} },
      { read_artifact: { artifact_id: "x", max_price: 1 } },
      { write_artifact: { artifact_id: "x", content: 7, has_standing: "wrong" } },
      {
        invoke_artifact: { artifact_id: "x", method: "m", args: "wrong", attach: {}, max_price: 1 },
      },
      { wait: 1 },
      { sleep: { for_s: 1 } },
      ...until({ event: "task_posted" }, { scrip_at_least: 5 }, { llm_budget_at_least: 5 }),
      ...until({ resource: "actions", available: 5 }),
      { repeat: 2, do: [{ if_last: "failed", do: [{ noop: {} }] }] },
      ...REFUSAL_CODES.map((code) => ({ if_last: code, do: [{ noop: {} }] })),
    ];
    expect(problem(script)).toBe("");
  });

  it.each([
    [[{ steal: {} }], /^`script\[0\]`: "steal" is not an action; an entry is a map with one/],
    [
      [{ write_artifcat: {} }],
      /"write_artifcat" is not an action; did you mean `write_artifact`\?$/,
    ],
    [[{ noop: { loudly: true } }], /unknown key `script\[0\]\.noop\.loudly`/],
    [[{ read_artifact: { id: "x" } }], /unknown key `script\[0\]\.read_artifact\.id`/],
    [[{ wait: -1 }], /^`script\[0\]\.wait` must be at least 0, not -1$/],
    [[{ sleep: 5 }], /`script\[0\]\.sleep` must be a map/],
    [[{ sleep: { for_s: -1 } }], /`script\[0\]\.sleep\.for_s` must be at least 0/],
    [until({ event: "rain" }), /sleep\.until\[0\]\.event` must not be/],
    [until({ scrip_at_least: 0.5 }), /must be a whole number, not 0\.5/],
    [until(...Array(9).fill({ scrip_at_least: 1 })), /at most 8 items/],
    [[{ repeat: 0, do: [{ noop: {} }] }], /`script\[0\]\.repeat`/],
    [[{ repeat: 2, do: [] }], /`script\[0\]\.do`/],
    [[{ repeat: 2, do: [{ dance: {} }] }], /`script\[0\]\.do\[0\]`: "dance"/],
    [[{ if_last: "sad", do: [{ noop: {} }] }], /`script\[0\]\.if_last` must not be "sad"/],
    [[{ noop: {}, wait: 1 }], /has noop and wait; write an entry/],
    ["noop", /`script` must be a list, not "noop"/],
    [
      until({ event: "artifact_read", scrip_at_least: 5 }),
      /has event and scrip_at_least in one con/,
    ],
    [
      [{ sleep: { for_s: 1, event: "artifact_read", scrip_at_least: 5 } }],
      /sleep` has event next to for_s; write conditions in until, as in until: \[\{ event: /,
    ],
    [until({ rain: true }), /until\[0\]` is not a condition: write a map with one of event, scr/],
    [until("artifact_read"), /until\[0\]` is not a condition: .*as in \[\{ event: "artifact/],
    [
      until({ event: "artifact_invokd" }),
      /must not be "artifact_invokd"; did you mean `artifact_invoked`\? it must be one of a/,
    ],
    [
      until({ event: "thought_completed" }),
      /must not be "thought_completed"; .*it must be one of [^;]{0,200} and \d+ more$/,
    ],
  ])("are refused: %j", (script, message) => {
    expect(problem(script)).toMatch(message);
  });

  const PRIVATE = ["thought_completed", "action_completed", "thought_dropped"];
  it.each([...PRIVATE, "scrip_held", "world_created"])("cannot wait for private %s", (kind) => {
    expect(problem(until({ event: kind }))).toContain(`must not be "${kind}"`);
  });

  it("have a count of the problems that are not shown", () => {
    const said = problem(Array(9).fill({ wait: -1 }));
    expect(said).toMatch(/^`script\[0\]\.wait`.*`script\[2\]\.wait`[^`]*; and 6 more$/);
  });
});
