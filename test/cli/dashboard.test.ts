import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { seatWorld } from "../support/seat-world.ts";
import { emptyFolder, type SimResult, startSim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const takenPort = async (): Promise<string> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return String(typeof address === "object" ? address?.port : 0);
};

const sim = (cwd: string, ...args: readonly string[]): Promise<SimResult> =>
  startSim(cwd, ...args).ended;

describe("a dashboard that cannot start", () => {
  it.each([
    ["dashboard", "--port", "--port"],
    ["run", "--dashboard", "--dashboard <port>"],
  ])("says in one line that a port is in use, for sim %s", async (verb, flag, cure) => {
    const cwd = emptyFolder();
    const port = await takenPort();
    const reason = `port ${port} of 127.0.0.1 is in use; choose another with ${cure}`;
    expectRefusal(await sim(cwd, verb, flag, port), 3, reason);
    expect(existsSync(join(cwd, "runs"))).toBe(false);
  });

  it.each([
    [["--port", "65536"], "It must be a port number from 0 to 65535"],
    [["--port", "-1"], "It must be a port number"],
    [["--port", "web"], "It must be a port number"],
    [["--port", "1e3"], "It must be a port number"],
    [["--port", "0x50"], "It must be a port number"],
    [["--host", "10.255.255.254"], "10.255.255.254 is not an address of this machine"],
    [["--host", ""], "dashboard.host"],
    [["--set", "dashboard.port=70000"], "dashboard.port"],
    [["ghost"], "there are no runs"],
    [["--seat", "ada"], "--seat needs a run: sim dashboard RUN --seat ada"],
  ])("is wrong usage with %j", async (args, text) => {
    expectRefusal(await sim(emptyFolder(), "dashboard", "--no-open", ...args), 2, new RegExp(text));
  });
});

describe("a dashboard next to a run", () => {
  const RUN = ["run", "--clock", "virtual", "--duration", "5", "--json", "--name"];

  it("ends with a run that has no terminal, and does not change the run", async () => {
    const cwd = emptyFolder();
    const { code, out, err } = await sim(cwd, ...RUN, "one", "--dashboard");
    expect(code).toBe(0);
    expect(err).toMatch(/dashboard at http:\/\/127\.0\.0\.1:\d+\/#\/runs\/one\?token=/);
    const alone = await sim(cwd, ...RUN, "alone");
    expect(JSON.parse(alone.out).journal_hash).toBe(JSON.parse(out).journal_hash);
  });

  it.each(["resume", "fork"])("works with sim %s", async (verb) => {
    const cwd = emptyFolder();
    await sim(cwd, ...RUN, "one");
    const more = ["--duration", "5", "--json", "--dashboard", "0"];
    const { code, out, err } = await sim(cwd, verb, "one", ...more);
    expect({ code, duration: JSON.parse(out).duration_s }).toEqual({ code: 0, duration: 10 });
    expect(err).toContain("dashboard at http://127.0.0.1:");
  });
});

describe("the page of a seat", () => {
  it("opens with the address that sim dashboard --seat prints", async () => {
    const { cwd } = await seatWorld("--clock", "wall");
    const ghost = await sim(cwd, "dashboard", "live", "--seat", "adda", "--no-open");
    expectRefusal(ghost, 1, 'live has no seat "adda"; did you mean `ada`?');
    const dashboard = startSim(cwd, "dashboard", "live", "--seat", "ada", "--no-open");
    await dashboard.until(/dashboard at \S+\n/);
    const { out } = dashboard.outputSoFar();
    const [, origin, token] = /at (http\S+)\/#\/runs\/live\/seat\/ada\?token=(\S+)/.exec(out) ?? [];
    const answer = await fetch(`${origin}/api/runs/live/seats/ada`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ kind: "look" }),
    });
    expect(await answer.json()).toMatchObject({ ok: true, value: { id: "ada" } });
    expect((await fetch(`${origin}/api/runs`)).status).toBe(401);
    dashboard.kill("SIGINT");
    expect((await dashboard.ended).code).toBe(130);
  });
});
