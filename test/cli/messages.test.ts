import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connectToRun } from "../../src/index.ts";
import {
  emptyFolder,
  jsonOf,
  type RunningSim,
  type SimResult,
  setFlags,
  sim,
  simWith,
  spawnSim,
  startSim,
} from "../support/sim.ts";
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

const VIRTUAL = ["--clock", "virtual", ...setFlags("memory.backend=none")];

type Line = { readonly id: number; readonly to: string; readonly seq: number };

const linesOf = (...args: readonly string[]): readonly Line[] =>
  sim(folder, "messages", ...args, "--json")
    .out.split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));

const folder = filled(sharedFolder(), PEOPLE);
let ran: SimResult;

beforeAll(() => {
  ran = sim(folder, "run", "--name", "talk", "--duration", "60", ...VIRTUAL);
});

describe("sim messages", () => {
  it("prints what the operator has received", () => {
    expect(linesOf("talk")).toEqual([
      {
        ...{ id: 2, seq: expect.any(Number), at_ms: expect.any(Number) },
        ...{ from: "ada", to: "operator", text: "I have asked bob.\nHe is slow." },
        ...{ reply_to: null, thread: 2, attached_scrip: 0, read: false },
      },
    ]);
    const { code, out, err } = sim(folder, "messages", "talk");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^\d+\.\d{3} s {2}message 2 from ada to operator \(not read\)\n/);
    expect(out).toMatch(/\n {2}I have asked bob\.\n {2}He is slow\.\n\n$/);
  });

  it("prints what an agent has received, with thread and attachment", () => {
    expect(linesOf("talk", "bob")).toMatchObject([
      { id: 1, from: "ada", text: "What does it cost?", attached_scrip: 2, read: true },
    ]);
    expect(linesOf("talk", "ada")).toMatchObject([
      { id: 3, from: "bob", text: "3 scrip.", reply_to: 1, thread: 1, attached_scrip: 0 },
    ]);
    expect(sim(folder, "messages", "talk", "bob").out).toContain(
      "message 1 from ada to bob (2 scrip attached)\n  What does it cost?\n",
    );
  });

  it("looks at an earlier moment, and follows a run that has ended to its end", () => {
    const [message] = linesOf("talk");
    expect(linesOf("talk", "--at", `event:${(message?.seq ?? 0) - 1}`)).toEqual([]);
    expect(linesOf("talk", "--at", `event:${message?.seq}`)).toEqual([message]);
    expect(linesOf("talk", "--follow")).toEqual([message]);
    const both = sim(folder, "messages", "talk", "--follow", "--at", "1s");
    expectRefusal(both, 2, "use either --at or --follow, not both");
  });

  it("keeps the messages of the past of a fork", () => {
    expect(sim(folder, "fork", "talk", "--name", "next", "--duration", "5").code).toBe(0);
    expect(linesOf("next", "bob")).toMatchObject([{ id: 1, read: true }]);
    expect(linesOf("next", "ada")).toMatchObject([{ id: 3, text: "3 scrip." }]);
    expect(linesOf("next")).toMatchObject([{ id: 2, read: false }]);
  });

  it("names the principal that was meant", () => {
    const why = 'there is no principal "adda" in this run; did you mean `ada`?';
    expectRefusal(sim(folder, "messages", "talk", "adda"), 2, why);
    const { code, err } = sim(folder, "messages", "talk", "genesis_store");
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

const PERSONAS = {
  "agents/smith/agent.yaml": "id: smith\nmind: tools\ntools: { turns: on_message }\n",
  "agents/mute/agent.yaml": "id: mute\nmind: script\nscript: [{ noop: {} }]\n",
};

const HASHED = setFlags("memory.backend=none");
const FOREVER = ["--clock", "wall", "--duration", "36000"];

/** A run that has begun: on the wall clock, unless `given` says more. */
const liveRun = async (...given: readonly string[]) => {
  const cwd = folderWith(PERSONAS);
  const clock = given.length > 0 ? given : FOREVER;
  const run = startSim(cwd, "run", "--model", "mock", "--name", "live", ...clock, ...HASHED);
  onTestFinished(async () => void (await stopped(run)));
  await run.until(/run live in/);
  return { cwd, run };
};

const stopped = async (run: RunningSim): Promise<number | null> => {
  run.kill("SIGINT");
  return (await run.ended).code;
};

const operate = async (cwd: string, kind: "pause" | "stop") => {
  const connected = await connectToRun(join(cwd, "runs/live"));
  if (!connected.ok) throw new Error(connected.problem);
  const answer = await connected.client.call("operate", { kind });
  connected.client.close();
  return answer;
};

describe("a message to an agent of a live run", () => {
  it("sends messages to an agent of a live run, and the journal records them", async () => {
    const { cwd, run } = await liveRun();
    const first = sim(cwd, "messages", "live", "smith", "What do you sell?");
    expect(first).toEqual({ code: 0, out: "sent to smith as message 1\n", err: "" });
    const second = sim(cwd, "messages", "latest", "smith", "And why?", "--json");
    expect(JSON.parse(second.out)).toEqual({ id: 2, delivered: true });
    const lines = ["Dear smith,", "", "write to me."];
    const third = simWith({ lines }, cwd, ["messages", "live", "smith", "-"]);
    expect(third.out).toBe("sent to smith as message 3\n");
    const events = sim(cwd, "events", "live", "--kind", "message_sent", "--json").out;
    const texts = events
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).text);
    expect(texts).toEqual(["What do you sell?", "And why?", "Dear smith,\n\nwrite to me."]);
    const transcript = () => sim(cwd, "transcript", "live", "smith").out;
    await expect.poll(transcript).toContain("What do you sell?");
    expect(await stopped(run)).toBe(130);
    expect(sim(cwd, "verify", "live").code).toBe(0);
  });

  it("says why the world refuses a message", async () => {
    const { cwd } = await liveRun();
    const refused = (...args: readonly string[]) => sim(cwd, "messages", "live", ...args);
    expectRefusal(refused("smiht", "hi"), 1, 'there is no agent "smiht"; did you mean `smith`?');
    await expect.poll(() => refused("mute", "hi").err).toBe("sim: mute has stopped for good\n");
    const unknown = /^sim: your mailbox has no message 7; /;
    expectRefusal(refused("smith", "Yes.", "--reply-to", "7"), 1, unknown);
    expectRefusal(refused("smith", "Yes.", "--reply-to", "x"), 2, /a whole number, 1 or more/);
    const long = /a message has at most \d+ characters, not 30000/;
    expectRefusal(refused("smith", "x".repeat(30_000)), 1, long);
    expectRefusal(refused("smith", " "), 2, "the message is empty; give a text");
    expectRefusal(refused("smith", "hi", "--follow"), 2, /^sim: --at and --follow print messages/);
    expectRefusal(refused("smith", "--reply-to", "1"), 2, "--reply-to needs a text to send");
  });

  it("names the cure if the run is over, or if its process was killed", async () => {
    const cwd = folderWith(PERSONAS);
    const cure = "live is not running; `sim resume live` continues it";
    const to = ["messages", "live", "smith", "hi"];
    const run = spawnSim(cwd, "run", "--model", "mock", "--name", "live", ...FOREVER, ...HASHED);
    await run.until(/run live in/);
    expect(existsSync(join(cwd, "runs/live/control.json"))).toBe(true);
    run.kill("SIGKILL");
    await run.ended;
    expectRefusal(sim(cwd, ...to), 3, cure);
    const resume = startSim(cwd, "resume", "live");
    await resume.until(/run live in/);
    expect(sim(cwd, ...to).code).toBe(0);
    expect(await stopped(resume)).toBe(130);
    expect(existsSync(join(cwd, "runs/live/control.json"))).toBe(false);
    expectRefusal(sim(cwd, ...to), 3, cure);
  });

  it("fills a mailbox while another client has paused the run", async () => {
    const { cwd, run } = await liveRun(
      ...["--clock", "virtual", "--duration", "1000000", "--set", "messages.unread_max=4"],
    );
    expect(await operate(cwd, "pause")).toMatchObject({ value: { ok: true } });
    for (let sent = 0; sent < 8; sent += 1) {
      expect(sim(cwd, "messages", "live", "smith", "hi").code).toBe(0);
    }
    const full = "the mailbox of smith is full: it has 8 unread messages; send this one later";
    expectRefusal(sim(cwd, "messages", "live", "smith", "hi"), 1, full);
    expect(await operate(cwd, "stop")).toMatchObject({ value: { ok: true } });
    expect((await run.ended).code).toBe(0);
  });

  it("says that the run has too many connections", async () => {
    const { cwd } = await liveRun();
    const found = await Promise.all(
      Array.from({ length: 128 }, () => connectToRun(join(cwd, "runs/live"))),
    );
    const clients = found.flatMap((each) => (each.ok ? [each.client] : []));
    onTestFinished(() => {
      for (const client of clients) client.close();
    });
    expect(clients).toHaveLength(128);
    for (let again = 0; again < 3; again += 1) {
      const refused = sim(cwd, "messages", "live", "smith", "hi");
      expectRefusal(refused, 3, "a run has at most 128 connections; close one of them");
    }
    clients[0]?.close();
    await expect.poll(() => sim(cwd, "messages", "live", "smith", "hi").code).toBe(0);
  });

  it("does not know a run that does not exist", () => {
    expectRefusal(
      sim(emptyFolder(), "messages", "nope", "smith", "hi"),
      2,
      /there are no runs in runs/,
    );
  });

  it("shows the answer of an agent, which is read when the operator writes again", async () => {
    const { cwd, run } = await liveRun();
    const following = startSim(cwd, "messages", "live", "--follow");
    expect(sim(cwd, "messages", "live", "smith", "What do you sell?").code).toBe(0);
    const answer = /message 2 from smith at [\d.]+ s: Thank you for your message\. I/;
    await run.until(answer);
    await following.until(/message 2 from smith to operator \(thread 1; answers message 1; not r/);
    const again = sim(cwd, "messages", "live", "smith", "And why?", "--reply-to", "2");
    expect(again.out).toBe("sent to smith as message 3\n");
    const inbox = (...of: readonly string[]): readonly object[] =>
      sim(cwd, "messages", "live", ...of, "--json")
        .out.trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    expect(inbox()[0]).toMatchObject({ id: 2, read: true });
    expect(inbox("smith")).toMatchObject([
      { id: 1, read: true },
      { id: 3, reply_to: 2, thread: 1 },
    ]);
    // A person may ask more in the thread, so its answer is answered too.
    await following.until(/message 4 from smith to operator \(thread 1; answers message 3; not r/);
    expect(await stopped(run)).toBe(130);
    expect((await following.ended).code).toBe(0);
  });
});
