import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { eventsOf as eventsIn } from "../attack/arena.ts";
import { emptyFolder, jsonOf, setFlags, sim, spawnSim } from "../support/sim.ts";

/** The shape that other programs rely on: nothing more, nothing less. */
const count = z.int().min(0);
const counts = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, count])) as Record<Name, typeof count>;
const report = z.strictObject({
  run_id: z.string(),
  run_dir: z.string(),
  stopped_by: z.enum(["duration", "max_actions", "max_cost", "idle", "signal", "error"]),
  seed: z.int(),
  clock: z.enum(["wall", "virtual"]),
  duration_s: z.number(),
  from_s: z.number(),
  wall_s: z.number(),
  counted_from: z.strictObject({ run: z.string().nullable(), seq: count, at_ms: count }),
  events: count,
  last_seq: count,
  journal_hash: z.string().length(64),
  state_hash: z.string().length(64),
  actions: z.strictObject({
    ...counts("total", "succeeded", "failed"),
    by_type: z.strictObject(counts("noop", "read_artifact", "write_artifact", "invoke_artifact")),
    by_error: z.record(z.string(), count),
  }),
  thinking: z.strictObject({
    ...counts("calls", "failed", "dropped", "input_tokens", "output_tokens"),
    failed_by: z.record(z.string(), count),
    cost_usd: z.number(),
  }),
  economy: z.strictObject({
    ...counts("scrip_total", "scrip_minted", "scrip_burned"),
    gini: z.number(),
    ...counts("trades", "invocations_paid", "artifacts", "principals"),
  }),
  agents: z.array(
    z.strictObject({
      id: z.string(),
      owner: z.string(),
      parent: z.string().nullable(),
      group: z.string().nullable(),
      state: z.string(),
      reason: z.string(),
      cause: z.string().nullable(),
      ...counts("wealth", "scrip", "held", "llm_budget_micros", "disk_used", "disk_quota"),
      ...counts("thoughts", "actions", "succeeded"),
    }),
  ),
  alarms: z.array(
    z.strictObject({
      alarm: z.string(),
      times: count,
      on_s: z.number(),
      share: z.number(),
      cause: z.string(),
    }),
  ),
  checkpoint: z.string().nullable(),
});

const folder = emptyFolder();
const run = (...args: readonly string[]) => {
  const said = sim(folder, "run", "--clock", "virtual", "--json", ...args);
  expect(said.err.split("\n").filter((line) => line.startsWith("sim:"))).toEqual([]);
  expect(said.code).toBe(0);
  return report.parse(JSON.parse(said.out));
};

const eventsOf = (id: string, ...args: readonly string[]) => eventsIn(folder, id, ...args);

describe("a run of the shipped population without API keys", () => {
  let first: z.infer<typeof report>;
  beforeAll(() => {
    first = run("--duration", "60", "--name", "first");
  });

  it("runs for 60 simulated seconds and reports in the documented shape", () => {
    expect(first.stopped_by).toBe("duration");
    expect(first.duration_s).toBe(60);
    expect(first.run_id).toBe("first");
    expect(first.events).toBe(first.last_seq);
  });

  it("has principals that pay each other to run programs", () => {
    const paid = eventsOf("first", "--kind", "artifact_invoked").filter(
      (event) => event.paid_to !== null && event.paid_to !== event.caller,
    );
    expect(paid.length).toBe(first.economy.invocations_paid);
    expect(new Set(paid.map((event) => event.caller)).size).toBeGreaterThan(2);
    expect(new Set(paid.map((event) => event.paid_to)).size).toBeGreaterThan(1);
  });

  it("has agents that run short of a resource", () => {
    const limited = eventsOf("first", "--kind", "agent_rate_limited");
    expect(limited.length + eventsOf("first", "--kind", "agent_frozen").length).toBeGreaterThan(0);
  });

  it("is the same for the same seed and differs for another seed", () => {
    const [one, again, other] = ["1", "1", "2"].map((seed) =>
      run("--duration", "10", "--seed", seed),
    );
    expect(again?.journal_hash).toBe(one?.journal_hash);
    expect(again?.state_hash).toBe(one?.state_hash);
    expect(other?.journal_hash).not.toBe(one?.journal_hash);
  });

  it("replays to the same state and verifies", () => {
    const replayed = jsonOf(folder, "verify", "first", "--replay");
    expect(replayed).toMatchObject({ last_seq: first.last_seq, state_hash: first.state_hash });
    const verified = sim(folder, "verify", "first", "--json");
    expect(verified.code).toBe(0);
    expect(JSON.parse(verified.out)).toMatchObject({ ok: true, state_hash: first.state_hash });
  });

  it("saves its configuration and personas in its folder", () => {
    const kept = readdirSync(join(folder, "runs", "first"));
    const files = ["agents", "config.yaml", "journal.db", "run.json"];
    expect(kept).toEqual(expect.arrayContaining(files));
    expect(kept).not.toContain("run.lock");
  });
});

describe("--trace", () => {
  const traced = (...args: readonly string[]): readonly string[] => {
    const { code, err } = sim(folder, ...args, "--trace", "--quiet");
    expect(code).toBe(0);
    return err.split("\n").filter((line) => /^[\d.]+ s {2}/.test(line));
  };

  it("prints each command with its events, the same for the same seed", () => {
    const run = ["run", "--clock", "virtual", "--duration", "15", "--stop-after", "10"];
    const lines = traced(...run, "--name", "traced");
    const commands = lines.map((line) => line.split("  ")[1]);
    expect(commands.slice(0, 2)).toEqual(["note_run", "create_world"]);
    const paid = /execute_decision {2}(\w+) {2}.*scrip_transferred from=\1 to=\w+ .*amount=\d/;
    expect(lines).toContainEqual(expect.stringMatching(paid));
    expect(lines.at(-1)).toBe("10.000 s  note_run  -  run_stopped");
    const events = lines.flatMap((line) => line.split("  ").slice(3).join("  ").split("; "));
    expect(events.map((event) => event.split(" ")[0])).toEqual(
      eventsOf("traced").map(({ kind }) => kind),
    );
    expect(traced(...run, "--name", "traced-again")).toEqual(lines);
  });

  it("of a resumed run starts where the run continues", () => {
    const lines = traced("resume", "traced");
    expect(lines[0]).toBe("10.000 s  note_run  -  run_resumed");
    expect(lines.at(-1)).toBe("15.000 s  note_run  -  run_stopped");
  });
});

describe("stopping", () => {
  it("stops after --max-actions", () => {
    const stopped = run("--duration", "600", "--max-actions", "10", "--name", "ten");
    expect(stopped.stopped_by).toBe("max_actions");
    expect(stopped.actions.total).toBe(10);
  });

  it("stops early at --stop-after without telling the agents", () => {
    const short = run("--duration", "60", "--stop-after", "20", "--name", "short");
    expect(short.duration_s).toBe(20);
    // It ends with two notes of its own: of its checkpoint and of its end.
    const whole = eventsOf("first", "--limit", String(short.last_seq - 2));
    expect(eventsOf("short", "--limit", String(short.last_seq - 2))).toEqual(whole);
  });

  it("notes that --stop-after is later than the end", () => {
    const args = ["run", "--clock", "virtual", "--duration", "2", "--only", "zed"];
    const late = sim(folder, ...args, "--stop-after", "60");
    expect(late.code).toBe(0);
    expect(late.err).toMatch(/note: --stop-after 60: the run ends earlier, after 2 s; extend it /);
    expect(sim(folder, ...args, "--stop-after", "1").err).not.toContain("note:");
  });

  it("stops when no agent can act any more", () => {
    const sets = setFlags("policy.thought_micros=400000", "compute.sale=none");
    const idle = run("--duration", "600", "--only", "zed", ...sets);
    expect(idle.stopped_by).toBe("idle");
    expect(idle.agents.map((agent) => agent.state)).toEqual(["stopped"]);
    const [bankrupt] = eventsOf(idle.run_id, "--kind", "agent_bankrupt");
    expect(bankrupt).toMatchObject({ principal: "zed", frozen_ms: 60_000 });
    for (const verb of ["state", "report"]) {
      expect(sim(folder, verb, idle.run_id).out).toMatch(/^zed\tbankrupt\t/m);
    }
  });

  it("stops cleanly on a signal, with its exit code", async () => {
    const wall = spawnSim(folder, "run", "--clock", "wall", "--duration", "600", "--json");
    await wall.until(/^run .* in /m);
    wall.kill("SIGINT");
    const said = await wall.ended;
    expect(said.code).toBe(130);
    const ended = report.parse(JSON.parse(said.out));
    expect(ended.stopped_by).toBe("signal");
    expect(sim(folder, "verify", ended.run_id).code).toBe(0);
  });
});

it("stops cleanly on a signal during its start and can be resumed", async () => {
  const flags = ["--clock", "virtual", "--duration", "600", "--name", "early"];
  const made = spawnSim(folder, "run", ...flags);
  await expect.poll(() => existsSync(join(folder, "runs/early")), { interval: 1 }).toBe(true);
  made.kill("SIGTERM");
  const said = await made.ended;
  expect(said.code).toBe(143);
  expect(said.err).toContain("next: sim resume early");
  const early = { run_id: "early", status: "stopped" };
  expect(jsonOf(folder, "runs")).toContainEqual(expect.objectContaining(early));
  expect(sim(folder, "resume", "early", "--stop-after", "1", "--json").code).toBe(0);
});

it("replays a run on the wall clock to the same state", () => {
  const said = sim(folder, "run", "--clock", "wall", "--duration", "1", "--json");
  const wall = report.parse(JSON.parse(said.out));
  expect(wall.clock).toBe("wall");
  expect(jsonOf(folder, "verify", wall.run_id, "--replay").state_hash).toBe(wall.state_hash);
});
