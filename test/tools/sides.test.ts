import { describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import { conversationIn } from "../../src/tools/index.ts";
import { type ModelRun, runModels } from "../support/model-run.ts";
import type { ServedCall } from "../support/model-server/model-server.ts";
import { firstText, type SideSteps, sideScriptOf } from "./side-scripts.ts";
import { type Call, messagesOf } from "./smith.ts";
import type { Said } from "./talks.ts";

const WAIT: Said = [["wait", { for_s: 1_000 }]];

const run = (
  steps: SideSteps,
  { tools = {}, orders }: { readonly tools?: object; readonly orders?: string } = {},
): Promise<ModelRun> =>
  runModels({
    agents: { smith: { mind: "tools", tools } },
    files: orders === undefined ? {} : { "smith/workspace/HEARTBEAT.md": orders },
    script: sideScriptOf(steps),
    sets: ["run.duration_s=60"],
  });

const resultsIn = (call: ServedCall | undefined): string =>
  call === undefined
    ? ""
    : messagesOf({ callsOf: () => [call] } as never, 0)
        .map(({ content }) => String(content))
        .join("\n");

const help = (task: string): Said => [["start_helper", { task }]];
const look: Said = [["list_files", {}]];
const wait: Said = [["wait_for_helper", {}]];

describe("a helper", () => {
  it("works on its task without the messages of its agent, which gets the result", async () => {
    const ran = await run({
      main: [help("Count the files."), wait, "The helper has counted."],
      helpers: [[look, "There are 3 files."]],
    });
    const calls = ran.callsOf("smith");
    const ofHelper = calls.filter((call) => firstText(call).startsWith("You are helper-1"));
    expect(ofHelper).toHaveLength(2);
    expect(firstText(ofHelper[0] as ServedCall)).toMatch(/Count the files\./);
    const told = calls.filter((call) => resultsIn(call).includes("The result of helper-1"));
    expect(resultsIn(told[0])).toMatch(
      /The result of helper-1:\n<data>\nThere are 3 files\.\n<\/data>/,
    );
    // Between the call of wait_for_helper and the result, only the helper took steps.
    expect(calls.indexOf(told[0] as ServedCall)).toBe(4);
    expect(ran.replayedHash).toBe(ran.result.stateHash);
  });

  it("cannot start a helper, and has at most ten steps before its last answer", async () => {
    const ran = await run({
      main: [help("Work."), wait],
      helpers: [
        [
          help("More."),
          ...Array.from({ length: 20 }, (_, n): Said => [["list_files", { pattern: `${n}` }]]),
        ],
      ],
    });
    const ofHelper = ran
      .callsOf("smith")
      .filter((call) => firstText(call).startsWith("You are helper-1"));
    expect(ofHelper).toHaveLength(11);
    expect(resultsIn(ofHelper[1])).toContain("a helper or a heartbeat cannot start helpers");
    expect(conversationIn(ran.state.agents.get(asId("smith"))?.mind ?? null).sides).toEqual({});
  });

  it("works next to two others, and no more", async () => {
    const start: Said = ["One.", "Two.", "Three.", "Four."].map(
      (task): Call => ["start_helper", { task }],
    );
    const ran = await run({ main: [start, wait, wait, wait], helpers: [["1"], ["2"], ["3"]] });
    const second = ran.callsOf("smith").find((call) => resultsIn(call).includes("at most 3"));
    expect(resultsIn(second)).toContain("at most 3 helpers work at once");
    const results = ran.callsOf("smith").map(resultsIn);
    for (const n of [1, 2, 3]) {
      expect(results.some((text) => text.includes(`The result of helper-${n}:`))).toBe(true);
    }
  });

  it("keeps its agent awake, and costs no call of the model when it reports", async () => {
    const ran = await run({ main: [help("Work."), WAIT], helpers: [[look, "Done."]] });
    // The main conversation rests: it hears of the result in its next turn, not before.
    expect(ran.callsOf("smith")).toHaveLength(4);
    const { results } = conversationIn(ran.state.agents.get(asId("smith"))?.mind ?? null);
    expect(results).toEqual(["The result of helper-1:\n<data>\nDone.\n</data>"]);
  });
});

describe("a heartbeat", () => {
  const tools = { turns: "on_message", heartbeat: { every_s: 20 } };

  it("starts a turn from HEARTBEAT.md every so often, without history", async () => {
    const ran = await run({ main: [], beats: [] }, { tools, orders: "Look after the shop." });
    const calls = ran.callsOf("smith");
    expect(calls).toHaveLength(2);
    for (const call of calls) {
      expect(firstText(call)).toMatch(/^This is your heartbeat\.[\s\S]*Look after the shop\./);
      expect(JSON.stringify(call.system)).not.toContain("Look after the shop.");
    }
    expect(ran.of("message_sent")).toEqual([]);
    expect(ran.replayedHash).toBe(ran.result.stateHash);
  });

  it("reports to the operator what it has to say, once", async () => {
    const ran = await run(
      { main: [], beats: ["The shop burns.", "**HEARTBEAT_OK**"] },
      { tools, orders: "Look after the shop." },
    );
    expect(ran.of("message_sent")).toMatchObject([{ to: "operator", text: "The shop burns." }]);
  });

  it("does not send HEARTBEAT_OK by a tool either", async () => {
    const send: Said = [["send_message", { to: "operator", text: "HEARTBEAT_OK" }]];
    const ran = await run({ main: [], beats: [send] }, { tools, orders: "Look." });
    expect(ran.of("message_sent")).toEqual([]);
  });

  it("does not happen without orders", async () => {
    const ran = await run({ main: [], beats: [] }, { tools });
    expect(ran.callsOf("smith")).toEqual([]);
  });

  it("is not repeated after a failure", async () => {
    let asked = 0;
    const ran = await runModels({
      agents: { smith: { mind: "tools", tools } },
      files: { "smith/workspace/HEARTBEAT.md": "Look." },
      script: () => {
        asked += 1;
        return { status: 400, message: "no" };
      },
      sets: ["run.duration_s=39"],
    });
    expect(asked).toBe(1);
    expect(ran.of("thought_failed", "smith")).toHaveLength(1);
  });

  it("interrupts a sleep, which then continues", async () => {
    const always = { heartbeat: { every_s: 20 } };
    const ran = await run(
      { main: [[["wait", { for_s: 50 }]]] },
      { tools: always, orders: "Look." },
    );
    const isMain = (call: ServedCall): boolean => !firstText(call).startsWith("This is your");
    const calls = ran.callsOf("smith");
    // One turn at the start, two heartbeats, and the next turn when the sleep is over.
    expect(calls.map(isMain)).toEqual([true, false, false, true]);
  });
});
