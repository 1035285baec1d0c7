import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectToRun } from "../../src/index.ts";
import {
  calls,
  coderFolder,
  eventsOf,
  processesOf,
  processIn,
  publishes,
  resumeIn,
  runIn,
  stop,
} from "../support/coding-agents.ts";
import { dashboardOf } from "../support/dashboard.ts";
import type { Step } from "../support/fake-coding-agent/plan.ts";
import { sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

const TELL = (text: string): Step => calls("send_message", { to: "operator", text });
const SOLD: readonly Step[] = [
  { does: "think", text: "People need doubled numbers." },
  publishes("coder_double"),
  { does: "write", path: "notes.md", text: "I sell coder_double.\n" },
  TELL("done"),
  { does: "say", text: "I sell coder_double." },
  { does: "report", input: 100, output: 20, usd: 0.02 },
];

const workspaces = (cwd: string) =>
  eventsOf(cwd, "artifact_written").filter(({ artifact_id: id }) => id === "coder_workspace");

/** What the customer has paid to the coding agent. */
const paidFor = (cwd: string) =>
  eventsOf(cwd, "scrip_transferred", "customer").filter(({ to }) => to === "coder");

describe("mind: cli", () => {
  it("publishes a program that others pay for, and keeps its files", async () => {
    const cwd = coderFolder({ steps: SOLD });
    const run = runIn(cwd);
    await run.until(/message 1 from coder/);
    await expect.poll(() => workspaces(cwd).length).toBe(1);
    await expect.poll(() => paidFor(cwd).length).toBeGreaterThan(0);
    expect(await stop(run)).toBe(130);
    const said = eventsOf(cwd, "thought_completed");
    expect(said[0].reasoning).toMatch(/^💭 People need doubled numbers\./);
    expect(said[0].action).toMatchObject({ write_artifact: { artifact_id: "coder_double" } });
    expect(said[2]).toMatchObject({
      action: { noop: {} },
      usage: { input_tokens: 100, output_tokens: 20, cost_micros: 20_000 },
    });
    expect(said[2].reasoning).toMatch(/^I sell coder_double\./);
    expect(JSON.stringify(workspaces(cwd))).toContain("I sell coder_double.");
    expect(paidFor(cwd)[0]).toMatchObject({ from: "customer", amount: 3 });
    expect(sim(cwd, "verify", "live").code).toBe(0);
    expect(sim(cwd, "verify", "live", "--replay").code).toBe(0);
    expect(processesOf(cwd)).toEqual([]);
  });

  it("is killed in the middle of a turn, resumed, and starts a new turn", async () => {
    const steps: readonly Step[] = [
      { does: "record", path: "seen.json" },
      publishes("coder_double"),
      TELL("half"),
      { does: "hang" },
    ];
    const cwd = coderFolder({ steps });
    const run = processIn(cwd);
    await run.until(/message 1 from coder/);
    run.kill("SIGKILL");
    await run.ended;
    const resumed = resumeIn(cwd);
    await resumed.until(/message 2 from coder/);
    const seen = readFileSync(join(cwd, "runs/live/turns/coder/seen.json"), "utf8");
    expect(JSON.parse(seen).prompt).toContain("Your last turn was interrupted");
    expect(JSON.parse(seen).args.join(" ")).toContain("--resume=session-1");
    expect(await stop(resumed)).toBe(130);
    expect(sim(cwd, "verify", "live").code).toBe(0);
    expect(processesOf(cwd)).toEqual([]);
  });

  it("ends a program that does not end, and keeps what it has said and written", async () => {
    const steps: readonly Step[] = [
      { does: "ignore_sigterm" },
      { does: "say", text: "I never end." },
      { does: "write", path: "draft.md", text: "a draft\n" },
      { does: "fork", group: "own" },
      { does: "hang" },
    ];
    const cwd = coderFolder({ steps, settings: ["timeout_s: 1", "rest_s: 100"] });
    const run = runIn(cwd);
    await run.until(/the turn of coder failed: it timed out after 1 s/);
    await expect.poll(() => workspaces(cwd).length).toBe(1);
    expect(JSON.stringify(workspaces(cwd))).toContain("a draft");
    const [thought] = eventsOf(cwd, "thought_completed");
    expect(thought.reasoning).toMatch(/^the turn failed: it timed out after 1 s\n📝 I never end\./);
    expect(await stop(run)).toBe(130);
    expect(processesOf(cwd)).toEqual([]);
  });

  it("resumes its session, and says what a failed program has written", async () => {
    const resumed: readonly Step[] = [
      { does: "print_error", text: "no credit left\n" },
      { does: "exit", code: 3 },
    ];
    const steps: readonly Step[] = [TELL("first"), { does: "say", text: "ok" }];
    const given = { session: "s-1", resumed };
    const cwd = coderFolder({ steps, given, settings: ["rest_s: 0"] });
    const run = runIn(cwd);
    // A session that cannot be continued is tried once. Then the turn has a new session.
    await run.until(/message 2 from coder/);
    expect(await stop(run)).toBe(130);
    const broken = coderFolder({ steps: resumed });
    const failing = runIn(broken);
    await failing.until(/the turn of coder failed: it ended with exit code 3: no credit left/);
    expect(await stop(failing)).toBe(130);
    const [failed] = eventsOf(broken, "thought_failed");
    expect(failed).toMatchObject({ reason: "llm_error", message: expect.stringMatching(/credit/) });
  });

  it("says live what its program does, and that it is unsafe", async () => {
    const steps: readonly Step[] = [TELL("now"), { does: "think", text: "Hm." }, { does: "hang" }];
    const cwd = coderFolder({ steps, settings: ["unsafe: true"] });
    const run = runIn(cwd);
    await run.until(/cli\.unsafe: coder can do on this machine what you can/);
    await run.until(/message 1 from coder/);
    const connected = await connectToRun(join(cwd, "runs/live"));
    if (!connected.ok) throw new Error(connected.problem);
    const { client } = connected;
    onTestFinished(() => client.close());
    const status = async () => {
      const answer = await client.call("turn_status", { agent: "coder" });
      return answer.ok ? answer.value.turn?.kind : answer.problem;
    };
    await expect.poll(status).toBe("thinking");
    const dashboard = await dashboardOf(join(cwd, "runs"));
    const { origin } = new URL(dashboard.addressOf(null));
    const shown = await fetch(`${origin}/api/runs/live/agents/coder/turn`);
    expect(await shown.json()).toMatchObject({ turn: { kind: "thinking" } });
    const other = await client.call("turn_status", { agent: "customer" });
    expect(other).toEqual({ ok: true, value: { turn: null } });
    expect(await stop(run)).toBe(130);
  });

  it.each([
    [["--clock", "virtual"], /coder has mind: cli, which needs real time; add --clock wall/],
    [["--set", "run.clock=virtual"], /which needs real time/],
  ])("is refused with %j", (flags, problem) => {
    expectRefusal(
      sim(coderFolder({ steps: [] }), "run", "--agents", "agents", ...flags),
      2,
      problem,
    );
  });

  it.each([
    ["mind: cli", "mind: cli needs cli.provider"],
    ["mind: cli\ncli: { provider: emacs }", "cli.provider"],
    ["mind: cli\ncli: { provider: command }", "provider: command needs cli.command"],
    [
      "mind: cli\ncli: { provider: claude, command: [ls] }",
      "only provider: command has cli.command",
    ],
    ["mind: cli\ncli: { provider: command, command: [ls], llm_model: m }", "has no cli.llm_model"],
    ["mind: policy/worker\ncli: { provider: claude }", "only mind: cli has cli"],
  ])("reports the persona %j", (text, problem) => {
    const cwd = coderFolder({ steps: [] });
    const { code, err } = sim(cwd, "run", "--agents", "agents", "--agents", personas(text));
    expect([code, err]).toEqual([2, expect.stringContaining(problem)]);
  });
});

const personas = (text: string): string =>
  folderWith({ "wrong/agent.yaml": `id: wrong\n${text}\n` });
