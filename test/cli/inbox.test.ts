import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { jsonOf, type SimResult, setFlags, sim, spawnSim } from "../support/sim.ts";
import { filled, folderWith, sharedFolder } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

const send = (to: string, text: string, options: object = {}): object => ({
  invoke_artifact: { artifact_id: "genesis_messenger", method: "send", args: [to, text, options] },
});

const persona = (id: string, script: readonly object[]): Readonly<Record<string, string>> => ({
  [`agents/${id}/agent.yaml`]: `id: ${id}\nmind: script\nscript: ${JSON.stringify(script)}\n`,
});

const PEOPLE = {
  ...persona("ada", [
    send("bob", "What does it cost?", { attach: 2 }),
    send("operator", "I have asked bob.\nHe is slow."),
    send("zed", "Hello?"),
  ]),
  ...persona("bob", [{ noop: {} }, { noop: {} }, send("ada", "3 scrip.", { reply_to: 1 })]),
};

const VIRTUAL = ["--clock", "virtual", ...setFlags("memory.embedder=hashed")];

type Line = { readonly id: number; readonly to: string; readonly seq: number };

const linesOf = (...args: readonly string[]): readonly Line[] =>
  sim(folder, "inbox", ...args, "--json")
    .out.split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));

const folder = filled(sharedFolder(), PEOPLE);
let ran: SimResult;

beforeAll(() => {
  ran = sim(folder, "run", "--name", "talk", "--duration", "60", ...VIRTUAL);
});

describe("sim inbox", () => {
  it("prints what the operator has received", () => {
    expect(linesOf("talk")).toEqual([
      {
        ...{ id: 2, seq: expect.any(Number), at_ms: expect.any(Number) },
        ...{ from: "ada", to: "operator", text: "I have asked bob.\nHe is slow." },
        ...{ reply_to: null, thread: 2, attached_scrip: 0, read: false },
      },
    ]);
    const { code, out, err } = sim(folder, "inbox", "talk");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^\d+\.\d{3} s {2}message 2 from ada to operator \(not read\)\n/);
    expect(out).toMatch(/\n {2}I have asked bob\.\n {2}He is slow\.\n\n$/);
  });

  it("prints what an agent has received, with thread and attachment", () => {
    expect(linesOf("talk", "--of", "bob")).toMatchObject([
      { id: 1, from: "ada", text: "What does it cost?", attached_scrip: 2, read: true },
    ]);
    expect(linesOf("talk", "--of", "ada")).toMatchObject([
      { id: 3, from: "bob", text: "3 scrip.", reply_to: 1, thread: 1, attached_scrip: 0 },
    ]);
    expect(sim(folder, "inbox", "talk", "--of", "bob").out).toContain(
      "message 1 from ada to bob (2 scrip attached)\n  What does it cost?\n",
    );
  });

  it("looks at an earlier moment, and follows a run that has ended to its end", () => {
    const [message] = linesOf("talk");
    expect(linesOf("talk", "--at", `event:${(message?.seq ?? 0) - 1}`)).toEqual([]);
    expect(linesOf("talk", "--at", `event:${message?.seq}`)).toEqual([message]);
    expect(linesOf("talk", "--follow")).toEqual([message]);
    const both = sim(folder, "inbox", "talk", "--follow", "--at", "1s");
    expectRefusal(both, 2, "use either --at or --follow, not both");
  });

  it("keeps the messages of the past of a fork", () => {
    expect(sim(folder, "fork", "talk", "--name", "next", "--duration", "5").code).toBe(0);
    expect(linesOf("next", "--of", "bob")).toMatchObject([{ id: 1, read: true }]);
    expect(linesOf("next", "--of", "ada")).toMatchObject([{ id: 3, text: "3 scrip." }]);
    expect(linesOf("next")).toMatchObject([{ id: 2, read: false }]);
  });

  it("names the principal that was meant", () => {
    const why = 'there is no principal "adda" in this run; did you mean `ada`?';
    expectRefusal(sim(folder, "inbox", "talk", "--of", "adda"), 2, why);
    const { code, err } = sim(folder, "inbox", "talk", "--of", "genesis_store");
    expect([code, err]).toEqual([2, expect.stringMatching(/^sim: there is no principal/)]);
  });
});

describe("a run whose agents write messages", () => {
  it("prints what they say to the operator, in one line, and counts all messages", () => {
    expect(ran.code).toBe(0);
    expect(ran.err).toMatch(/^message 2 from ada at [\d.]+ s: I have asked bob\. He is slow\.$/m);
    expect(ran.out).toMatch(/^messages {2}3 delivered, 1 refused$/m);
    const { metrics, messages } = jsonOf(folder, "report", "talk");
    expect(messages).toEqual({ delivered: 3, refused: 1 });
    expect(metrics.work).toMatchObject({ messages: 3, messages_refused: 1 });
  });

  it("prints nothing of this with --quiet, and nothing on stdout with --json", () => {
    const quiet = sim(folder, "--quiet", "run", "--name", "quiet", "--duration", "60", ...VIRTUAL);
    expect(quiet.err).toBe("");
    const json = sim(folder, "run", "--json", "--name", "json", "--duration", "60", ...VIRTUAL);
    expect(JSON.parse(json.out)).toMatchObject({ run_id: "json" });
  });
});

describe("a live run", () => {
  it("shows the answer of an agent, which is read when the operator writes again", async () => {
    const smith = "id: smith\nmind: tools\ntools: { turns: on_message }\n";
    const cwd = folderWith({ "agents/smith/agent.yaml": smith });
    const flags = ["--clock", "wall", "--duration", "36000", ...setFlags("memory.embedder=hashed")];
    const run = spawnSim(cwd, "run", "--model", "mock", "--name", "live", ...flags);
    onTestFinished(async () => {
      run.kill("SIGTERM");
      await run.ended;
    });
    await run.until(/run live in/);
    const following = spawnSim(cwd, "inbox", "live", "--follow");
    expect(sim(cwd, "send", "live", "smith", "What do you sell?").code).toBe(0);
    const answer = /message 2 from smith at [\d.]+ s: Thank you for your message\. I/;
    await run.until(answer);
    await following.until(/message 2 from smith to operator \(thread 1; answers message 1; not r/);
    const again = sim(cwd, "send", "live", "smith", "And why?", "--reply-to", "2");
    expect(again.out).toBe("sent to smith as message 3\n");
    const inbox = (...of: readonly string[]): readonly object[] =>
      sim(cwd, "inbox", "live", ...of, "--json")
        .out.trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    expect(inbox()[0]).toMatchObject({ id: 2, read: true });
    expect(inbox("--of", "smith")).toMatchObject([
      { id: 1, read: true },
      { id: 3, reply_to: 2, thread: 1 },
    ]);
    // A person may ask more in the thread, so its answer is answered too.
    await following.until(/message 4 from smith to operator \(thread 1; answers message 3; not r/);
    run.kill("SIGINT");
    expect((await run.ended).code).toBe(130);
    expect((await following.ended).code).toBe(0);
  });
});
