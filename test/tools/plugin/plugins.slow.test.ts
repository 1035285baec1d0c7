import { describe, expect, it } from "vitest";
import { type ModelRun, runModels } from "../../support/model-run.ts";
import { type Call, messagesOf, resultsIn, runSmith, stepsOf } from "../smith.ts";

const LOOKS: readonly (readonly Call[])[] = [
  [["write_file", { path: "a.txt", text: "1" }]],
  [["write_file", { path: "b.txt", text: "2" }]],
  [["write_file", { path: "c.txt", text: "3" }]],
  [["write_file", { path: "d.txt", text: "4" }]],
  [["end_turn", {}]],
];

const run = (plugin: string, steps = LOOKS, settings = {}): Promise<ModelRun> =>
  runSmith(steps, { plugin, settings });

/** For each call of the model, whether its messages have the text. */
const hasText = (ran: ModelRun, text: string): readonly boolean[] =>
  ran.callsOf("smith").map((_, at) => JSON.stringify(messagesOf(ran, at).slice(1)).includes(text));

describe("a text of a plugin", () => {
  /** Adds the text with the first step only. */
  const once = (text: string): string =>
    `export default {
      message: ({ memory, turnStart }) => (turnStart && memory === null ? [${text}] : []),
      read: () => "said",
    };`;

  it.each([
    ["no later call", "{ text: 'MARK' }", [true, false, false, false, false]],
    ["two later calls", "{ text: 'MARK', keep: 2 }", [true, true, true, false, false]],
    [
      "two later calls, and not in its own",
      "{ text: 'MARK', keep: 2, show: false }",
      [false, true, true, false, false],
    ],
    [
      "all calls of its turn",
      "{ text: 'MARK', keep: 'turn' }",
      [true, true, true, true, true],
      false,
    ],
    ["all later calls", "{ text: 'MARK', keep: true }", [true, true, true, true, true], true],
    ["no call at all", "{ text: 'MARK', show: false }", [false, false, false, false, false]],
  ])("is kept for %s", async (_, text, expected, inNextTurn = false) => {
    const ran = await run(once(text));
    expect(hasText(ran, "MARK").slice(0, 6)).toEqual([...expected, inNextTurn]);
    expect(ran.replayedHash).toBe(ran.result.stateHash);
  });

  it("has an age of its own: an empty text next to it changes nothing", async () => {
    const ran = await run(
      once("{ text: '', keep: 5 }, { text: 'ONE', keep: 1 }, { text: 'THREE', keep: 3 }"),
    );
    expect(hasText(ran, "ONE").slice(0, 5)).toEqual([true, true, false, false, false]);
    expect(hasText(ran, "THREE").slice(0, 5)).toEqual([true, true, true, true, false]);
  });

  it("ends with its turn if it says so, and the situation does too", async () => {
    const plugin = `export default {
      message: ({ turnStart, view }) =>
        (turnStart ? [{ text: "TURN " + view.now, keep: "turn" }] : []),
    };`;
    const ran = await run(plugin, [[["end_turn", {}]], [["end_turn", {}]]]);
    const second = JSON.stringify(messagesOf(ran, 1));
    expect(second.match(/TURN \d+/g)).toHaveLength(1);
    expect(second.match(/## What you have/g)).toHaveLength(1);
    expect(second.match(/A new turn starts at/g)).toHaveLength(2);
  });

  it("is cut if it is too long", async () => {
    const ran = await runSmith(LOOKS, {
      plugin:
        "export default { system: () => 'S'.repeat(9000), message: () => [{ text: 'M'.repeat(9000) }] };",
      tools: { plugins_tokens: 500 },
    });
    const all = JSON.stringify(messagesOf(ran, 0));
    const charsOf = (letter: string): number =>
      all.match(new RegExp(`${letter}{9,}`))?.[0].length ?? 0;
    expect(charsOf("S")).toBeGreaterThan(1_000);
    expect(charsOf("S") + charsOf("M")).toBeLessThan(2_100);
  });
});

const TILL = `export default {
  system: ({ settings }) => \`A till counts in \${settings.unit}.\`,
  tools: ({ memory }) => ({
    add: {
      description: "Adds an amount.",
      input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
      run: ({ amount }, { memory }) => ({
        text: String((memory ?? 0) + amount),
        memory: (memory ?? 0) + amount,
        files: { "till.txt": String((memory ?? 0) + amount) },
      }),
    },
    ...(memory === null ? {} : { empty: EMPTY }),
  }),
};
const EMPTY = { description: "Empties it.", run: () => ({ text: "empty", memory: 0 }) };`;

describe("a tool of a plugin", () => {
  it("has a memory, settings and the files of the workspace", async () => {
    const ran = await run(
      TILL,
      [
        [["add", { amount: 2 }]],
        [
          ["add", { amount: 3 }],
          ["read_file", { path: "till.txt" }],
        ],
        [["empty", {}]],
      ],
      { unit: "cents" },
    );
    const system = String(messagesOf(ran, 0)[0]?.content);
    expect(system).toContain("## plugin\nA till counts in cents.");
    expect(resultsIn(ran).map((text) => text.split("\n\n")[0])).toEqual([
      "2",
      "5",
      expect.stringContaining("5"),
      "empty",
    ]);
  });

  it("is offered as soon as its plugin offers it", async () => {
    const ran = await run(TILL, [[["add", { amount: 2 }]], [["end_turn", {}]]]);
    const offered = ran.callsOf("smith").map(({ body }) => JSON.stringify(body.tools));
    expect(offered.map((tools) => tools.includes('"empty"'))).toEqual([false, true, true]);
  });

  it("answers a wrong call with what would be right", async () => {
    const ran = await run(TILL, [[["add", { amount: "two" }]]]);
    expect(resultsIn(ran)[0]).toMatch(/^add.amount: .*; it takes \{"type":"object"/);
  });

  it("is stopped if its schema takes too long to check", async () => {
    const plugin = `export default { tools: { check: {
      description: "x",
      input: { type: "object", properties: { word: { type: "string", pattern: "^([a-z]+)+$" } } },
      run: () => "ok",
    } } };`;
    const ran = await runSmith([[["check", { word: `${"a".repeat(40)}1` }]]], {
      plugin,
      sets: ["timeouts.module_s=1"],
    });
    expect(resultsIn(ran)).toEqual([expect.stringMatching(/did not end within 1 s/)]);
  });

  it("cannot leave the workspace", async () => {
    const plugin = `export default { tools: { out: { description: "x", run: () => ({ text: "t", files: { "../a": "b" } }) } } };`;
    const ran = await run(plugin, [[["out", {}]]]);
    expect(resultsIn(ran)[0]).toMatch(/^t\nno file was changed: /);
  });
});

describe("a tool that depends on the step", () => {
  it("is there when it is called, although the next step does not offer it", async () => {
    const plugin = `export default { tools: ({ turnStart }) => (turnStart
      ? { greet: { description: "Greets.", run: () => "hello" } } : {}) };`;
    const ran = await run(plugin, [[["greet", {}]], [["greet", {}]]]);
    const [first, second] = resultsIn(ran);
    expect(first).toBe("hello");
    expect(second).toMatch(/^there is no tool greet/);
  });

  it("is left out if tools.plugins_tokens has no room for its description", async () => {
    const plugin = `export default { tools: {
      big: { description: "x".repeat(60000), run: () => "big" },
      small: { description: "y", run: () => "small" },
    } };`;
    const ran = await run(plugin, [[["small", {}]]]);
    expect(resultsIn(ran)).toEqual(["small"]);
    expect(JSON.stringify(ran.callsOf("smith")[0]?.body.tools)).not.toContain('"big"');
    expect(ran.of("warning_raised")).toMatchObject([
      { text: expect.stringContaining("offers 1 tool that tools.plugins_tokens has no room for") },
    ]);
  });
});

describe("a plugin", () => {
  it("reads the reply, with its attributes and calls", async () => {
    const plugin = `export default {
      attributes: [{ name: "mood", description: "How you feel.", required: true }],
      read: ({ reply: { attributes, calls } }) =>
        ({ mood: attributes.mood, calls: calls.map(({ name }) => name) }),
      message: ({ memory }) => [{ text: "REMEMBERS " + JSON.stringify(memory) }],
    };`;
    const ran = await run(plugin, [
      [
        ["write_file", { path: "a", text: "b" }],
        ["set_attributes", { mood: "calm" }],
      ],
      [["end_turn", {}]],
    ]);
    const second = JSON.stringify(messagesOf(ran, 1));
    expect(second).toContain(
      JSON.stringify('{"mood":"calm","calls":["write_file","set_attributes"]}').slice(1, -1),
    );
  });

  it("that fails adds nothing, and the run says where it failed", async () => {
    const ran = await run(
      "export default {\n  system: () => 'HERE',\n  message: ({ view }) => view.nothing.here,\n};",
    );
    expect(ran.of("warning_raised")).toMatchObject([
      { text: expect.stringMatching(/^the plugin plugin of smith failed: plugin.ts:3:\d+: Type/) },
    ]);
    expect(JSON.stringify(messagesOf(ran, 0))).not.toContain("HERE");
    expect(ran.of("thought_completed", "smith").length).toBeGreaterThan(3);
  });

  it("starts again after a reset", async () => {
    const plugin = `export default {
      message: ({ memory }) => [{ text: "SINCE " + memory, keep: true }],
      reset: ({ memory }) => String(memory) + " reset",
      read: ({ memory }) => memory ?? "start",
    };`;
    const ran = await runModels({
      agents: { smith: { mind: "tools", plugins: ["./plugin.ts"] } },
      files: { "smith/plugin.ts": plugin },
      script: stepsOf([[["end_turn", {}]], [["end_turn", {}]]]),
      sets: ["run.duration_s=20"],
      meanwhile: (runner, arrived) => {
        void arrived(1).then(() =>
          runner.operate().execute({ kind: "reset_agent", agent: "smith", files: false }),
        );
      },
    });
    expect(JSON.stringify(messagesOf(ran, -1))).toContain("SINCE start reset");
  });

  it("repeats its random numbers", async () => {
    const plugin =
      "export default { message: ({ random }) => [{ text: 'DICE ' + random(), keep: true }] };";
    const dice = async (): Promise<unknown> =>
      JSON.stringify(messagesOf(await run(plugin), -1)).match(/DICE 0.\d+/g);
    const first = await dice();
    expect(first).toEqual(await dice());
    expect(new Set(Array.isArray(first) ? first : []).size).toBeGreaterThan(3);
  });
});
