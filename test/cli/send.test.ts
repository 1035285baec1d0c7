import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectToRun } from "../../src/index.ts";
import { emptyFolder, type RunningSim, setFlags, sim, simWith, spawnSim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

const PERSONAS = {
  "agents/smith/agent.yaml": "id: smith\nmind: tools\ntools: { turns: on_message }\n",
  "agents/mute/agent.yaml": "id: mute\nmind: script\nscript: [{ noop: {} }]\n",
};

/** A run in a process of its own, which has begun: on the wall clock, unless `given` says more. */
const liveRun = async (...given: readonly string[]) => {
  const cwd = folderWith(PERSONAS);
  const sets = setFlags("memory.embedder=hashed");
  const clock = given.length > 0 ? given : ["--clock", "wall", "--duration", "36000"];
  const run = spawnSim(cwd, "run", "--model", "mock", "--name", "live", ...clock, ...sets);
  onTestFinished(async () => {
    run.kill("SIGTERM");
    await run.ended;
  });
  await run.until(/run live in/);
  return { cwd, run };
};

const stopped = async (run: RunningSim<NodeJS.Signals>): Promise<number | null> => {
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

describe("sim send", () => {
  it("sends messages to an agent of a live run, and the journal records them", async () => {
    const { cwd, run } = await liveRun();
    const first = sim(cwd, "send", "live", "smith", "What do you sell?");
    expect(first).toEqual({ code: 0, out: "sent to smith as message 1\n", err: "" });
    const second = sim(cwd, "send", "latest", "smith", "And why?", "--json");
    expect(JSON.parse(second.out)).toEqual({ id: 2, delivered: true });
    const lines = ["Dear smith,", "", "write to me."];
    const third = simWith({ lines }, cwd, ["send", "live", "smith", "-"]);
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
    const refused = (...args: readonly string[]) => sim(cwd, "send", "live", ...args);
    expectRefusal(refused("smiht", "hi"), 1, 'there is no agent "smiht"; did you mean `smith`?');
    await expect.poll(() => refused("mute", "hi").err).toBe("sim: mute has stopped for good\n");
    const unknown = /^sim: your mailbox has no message 7; /;
    expectRefusal(refused("smith", "Yes.", "--reply-to", "7"), 1, unknown);
    expectRefusal(refused("smith", "Yes.", "--reply-to", "x"), 2, /a whole number, 1 or more/);
    const long = /a message has at most \d+ characters, not 30000/;
    expectRefusal(refused("smith", "x".repeat(30_000)), 1, long);
    expectRefusal(refused("smith", " "), 2, "the message is empty; give a text");
  });

  it("names the cure if the run is over, or if its process was killed", async () => {
    const { cwd, run } = await liveRun();
    const cure = "live is not running; `sim resume live` continues it";
    expect(existsSync(join(cwd, "runs/live/control.json"))).toBe(true);
    run.kill("SIGKILL");
    await run.ended;
    expectRefusal(sim(cwd, "send", "live", "smith", "hi"), 3, cure);
    const resume = spawnSim(cwd, "resume", "live");
    await resume.until(/run live in/);
    expect(sim(cwd, "send", "live", "smith", "hi").code).toBe(0);
    expect(await stopped(resume)).toBe(130);
    expect(existsSync(join(cwd, "runs/live/control.json"))).toBe(false);
    expectRefusal(sim(cwd, "send", "live", "smith", "hi"), 3, cure);
  });

  it("fills a mailbox while another client has paused the run", async () => {
    const { cwd, run } = await liveRun(
      ...["--clock", "virtual", "--duration", "1000000", "--set", "messages.unread_max=4"],
    );
    expect(await operate(cwd, "pause")).toMatchObject({ value: { ok: true } });
    for (let sent = 0; sent < 8; sent += 1) {
      expect(sim(cwd, "send", "live", "smith", "hi").code).toBe(0);
    }
    const full = "the mailbox of smith is full: it has 8 unread messages; send this one later";
    expectRefusal(sim(cwd, "send", "live", "smith", "hi"), 1, full);
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
      const refused = sim(cwd, "send", "live", "smith", "hi");
      expectRefusal(refused, 3, "a run has at most 128 connections; close one of them");
    }
    clients[0]?.close();
    await expect.poll(() => sim(cwd, "send", "live", "smith", "hi").code).toBe(0);
  });

  it("does not know a run that does not exist", () => {
    expectRefusal(
      sim(emptyFolder(), "send", "nope", "smith", "hi"),
      2,
      /there are no runs in runs/,
    );
  });
});
