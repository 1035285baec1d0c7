import { describe, expect, it, onTestFinished } from "vitest";
import { type Script, startModelServer } from "../support/model-server/model-server.ts";
import { jsonOf, setFlags, sim, startSim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { sideScriptOf } from "../tools/side-scripts.ts";
import { type Said, scriptOf } from "../tools/talks.ts";

const WAITING = "mind: tools\ntools: { turns: on_message }\n";

const persona = (id: string, fields: string): Readonly<Record<string, string>> => ({
  [`agents/${id}/agent.yaml`]: `id: ${id}\n${fields}`,
});

/** A folder with personas, and the flags of a run whose models follow the script. */
const lab = async (files: Readonly<Record<string, string>>, script: Script) => {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const sets = setFlags(
    "llm.default_model=openai-compatible/tiny",
    `llm.providers.openai-compatible.base_url=${server.baseUrl("openai-compatible")}`,
    "virtual.think_ms.llm=[1000,1000]",
    "memory.backend=none",
    "mint.tasks=[]",
  );
  const flags = ["run", "--name", "talk", ...sets];
  return { cwd: folderWith(files), server, flags };
};

/** Makes a run of 60 simulated seconds. */
const ran = async (files: Readonly<Record<string, string>>, script: Script) => {
  const { cwd, server, flags } = await lab(files, script);
  const run = startSim(cwd, ...flags, "--clock", "virtual", "--duration", "60");
  expect((await run.ended).code).toBe(0);
  return { cwd, server };
};

const linesOf = (cwd: string, ...args: readonly string[]) =>
  sim(cwd, ...args, "--json")
    .out.split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));

/** Every message of a run, as `from>to text`. */
const messagesIn = (cwd: string): readonly string[] =>
  linesOf(cwd, "events", "talk", "--kind", "message_sent").map(
    ({ from, to, text }) => `${from}>${to} ${text}`,
  );

const WAITS: readonly Said[] = Array.from({ length: 9 }, () => [["wait", { for_s: 100 }]]);

const handsOn = (to: string): Said => [["hand_on", { to, text: "You answer." }]];

describe("agents with tools, in a run of the command", () => {
  it("pay for their helpers, whose work is in the transcript", async () => {
    const script = sideScriptOf({
      main: [
        [["start_helper", { task: "Count the files." }]],
        [["wait_for_helper", {}]],
        "The helper has counted.",
      ],
      helpers: [[[["list_files", {}]], "There are 3 files."]],
    });
    const { cwd, server } = await ran(persona("smith", "mind: tools\n"), script);
    const lines = linesOf(cwd, "transcript", "talk", "smith");
    const helped = lines.filter(({ session }) => session === "main/helper-1");
    const roles = helped.flatMap(({ role, plugin }) => (plugin === undefined ? [role] : []));
    expect(roles).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(helped[0].content).toContain("Count the files.");
    expect(helped.at(-1).content).toBe("There are 3 files.");
    expect(lines.find(({ content }) => content.startsWith("The result of helper-1"))).toMatchObject(
      { session: "main", role: "user", content: expect.stringContaining("There are 3 files.") },
    );
    const { agents, metrics, model_calls } = jsonOf(cwd, "report", "talk");
    expect(model_calls.by_agent).toMatchObject([{ agent: "smith", calls: server.calls.length }]);
    const costs = (of: readonly { readonly usage?: { readonly cost_micros: number } }[]): number =>
      of.reduce((sum, { usage }) => sum + (usage?.cost_micros ?? 0), 0);
    const [{ cost_micros }] = metrics.principals;
    expect(cost_micros).toBe(costs(lines));
    expect(costs(helped)).toBeGreaterThan(0);
    expect(agents).toMatchObject([{ id: "smith" }]);
  });

  it("report of a heartbeat only what they have to say", async () => {
    const fields = "mind: tools\ntools: { turns: on_message, heartbeat: { every_s: 20 } }\n";
    const files = {
      ...persona("smith", fields),
      "agents/smith/workspace/HEARTBEAT.md": "Look after the shop.\n",
    };
    const beats: readonly Said[] = ["The shop burns.", "HEARTBEAT_OK"];
    const { cwd } = await ran(files, sideScriptOf({ main: [], beats }));
    const said = linesOf(cwd, "transcript", "talk", "smith");
    expect(new Set(said.map(({ session }) => session))).toEqual(new Set(["main/heartbeat"]));
    const answers = said.filter(({ role }) => role === "assistant");
    expect(answers.map(({ content }) => content)).toEqual(beats);
    expect(messagesIn(cwd)).toEqual(["smith>operator The shop burns."]);
    expect(linesOf(cwd, "messages", "talk")).toMatchObject([{ text: "The shop burns." }]);
  });

  it("cannot write to a stranger, and are told so in one line", async () => {
    const files = {
      ...persona("ada", "mind: tools\ncontacts: [bob, operator]\n"),
      ...persona("bob", WAITING),
      ...persona("cyd", WAITING),
    };
    const writes = (to: string): Said => [["send_message", { to, text: "Hello." }]];
    const ada = [writes("cyd"), writes("bob"), ...WAITS];
    const { cwd } = await ran(files, scriptOf({ ada, bob: ["Hello, ada."] }));
    const why = "ada may send messages only to bob, operator, not to cyd";
    const refused = linesOf(cwd, "events", "talk", "--kind", "action_refused");
    expect(refused).toMatchObject([{ principal: "ada", code: "not_authorized", message: why }]);
    const told = linesOf(cwd, "transcript", "talk", "ada").filter(({ is_error }) => is_error);
    expect(told).toMatchObject([{ role: "tool", content: expect.stringContaining(why) }]);
    expect(messagesIn(cwd)).toEqual(["ada>bob Hello.", "bob>ada Hello, ada."]);
    const { work, money } = jsonOf(cwd, "report", "talk").metrics;
    expect(work).toMatchObject({ messages: 2, messages_refused: 1 });
    expect(money.burned).toBe(2);
  });

  it("hand a question on, and its answer comes back to the person who asked", async () => {
    const files = { ...persona("ada", WAITING), ...persona("bob", WAITING) };
    const script = scriptOf({ ada: [handsOn("bob"), "Bob says: 42."], bob: ["42."] });
    const { cwd, flags } = await lab(files, script);
    const run = startSim(cwd, ...flags, "--clock", "wall", "--duration", "36000");
    await run.until(/run talk in/);
    expect(sim(cwd, "messages", "talk", "ada", "How much is 6 times 7?").code).toBe(0);
    await run.until(/message 4 from ada at [\d.]+ s: Bob says: 42\./);
    run.kill("SIGINT");
    expect((await run.ended).code).toBe(130);
    expect(messagesIn(cwd)).toEqual([
      "operator>ada How much is 6 times 7?",
      "ada>bob You answer.",
      "bob>ada 42.",
      "ada>operator Bob says: 42.",
    ]);
    expect(linesOf(cwd, "messages", "talk")).toMatchObject([{ reply_to: 1, thread: 1 }]);
  });

  it("end a question that goes around a ring of three, and the report has its cost", async () => {
    const asks = '[ada, "What is new?"]';
    const eve = `{ artifact_id: genesis_messenger, method: send, args: ${asks} }`;
    const files = {
      ...persona(
        "eve",
        `mind: script\nscript: [{ invoke_artifact: ${eve} }, { wait: 1000 }, { noop: {} }]\n`,
      ),
      ...persona("ada", WAITING),
      ...persona("bob", WAITING),
      ...persona("cyd", WAITING),
    };
    const script = scriptOf({
      ada: [handsOn("bob"), "No one knows."],
      bob: [handsOn("cyd"), "Cyd does not know."],
      cyd: [handsOn("ada"), "I do not know."],
    });
    const { cwd, server } = await ran(files, script);
    expect(messagesIn(cwd)).toEqual([
      "eve>ada What is new?",
      "ada>bob You answer.",
      "bob>cyd You answer.",
      "cyd>bob I do not know.",
      "bob>ada Cyd does not know.",
      "ada>eve No one knows.",
    ]);
    expect(linesOf(cwd, "events", "talk", "--kind", "action_refused")).toMatchObject([
      {
        principal: "cyd",
        message: expect.stringMatching(/ada is in the chain eve -> ada -> bob -> cyd already/),
      },
    ]);
    const { metrics, model_calls } = jsonOf(cwd, "report", "talk");
    const { work, money } = metrics;
    expect(work).toMatchObject({ messages: 6, messages_refused: 1 });
    expect(money.burned_by).toEqual({ "genesis_messenger.send": 6 });
    const calls = model_calls.by_agent.map(({ agent, calls }: Calls) => [agent, calls]);
    expect(Object.fromEntries(calls)).toEqual({ ada: 2, bob: 2, cyd: 2 });
    expect(server.calls).toHaveLength(6);
    expect(model_calls.cost_usd).toBeCloseTo(work.api_cost_micros / 1e6, 9);
  });
});

type Calls = { readonly agent: string; readonly calls: number };
