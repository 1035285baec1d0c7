import { afterAll, describe, expect, it } from "vitest";
import { asId, type Event, emptyState, type Json, type Physics } from "../../src/kernel/index.ts";
import type { Mind, Thought } from "../../src/mind/index.ts";
import { AgentLoop } from "../../src/runner/agent-loop.ts";
import { openingRequests, sandboxFor, VirtualClock, World } from "../../src/world/index.ts";
import { PHYSICS, physicsWith } from "../support/physics.ts";

const sandbox = sandboxFor(PHYSICS);
afterAll(() => sandbox.close());

const NOTHING = { calls: 0, input_tokens: 0, output_tokens: 0, cost_micros: 0, api_cost_micros: 0 };

const decided = (action: Json): Extract<Thought, { kind: "decided" }> => ({
  kind: "decided",
  action,
  reasoning: "because",
  memory: null,
  usage: NOTHING,
  waitMs: 0,
});

const NOOP = decided({ noop: {} });

const mindThat = (decide: Mind["decide"], about: Partial<Mind> = {}): Mind => ({
  price: { micros: 0, calls: 0, tokens: 0 },
  thinkMs: [200, 200],
  backsOff: true,
  decide,
  ...about,
});

type Life = {
  readonly physics?: Physics;
  readonly minds: { readonly [agent: string]: Mind };
  readonly untilMs: number;
  readonly budgetMicros?: number;
};

/** The lives of some agents under the virtual clock, as events. */
const live = async (life: Life): Promise<readonly Event[]> => {
  const { physics = PHYSICS, minds, untilMs } = life;
  const events: Event[] = [];
  const loops = new Map<string, AgentLoop>();
  const world = new World({
    state: emptyState(),
    journal: { append: () => null },
    sandbox,
    agentProblem: () => null,
    checkEvery: 1,
    happened: (caused) => {
      events.push(...caused);
      for (const event of caused) {
        if (event.kind === "agent_unfrozen") loops.get(event.agent)?.poke();
      }
    },
  });
  for (const request of openingRequests(physics)) world.submit(request);
  const clock = new VirtualClock(0);
  const over = new AbortController();
  const source = { mindOf: (id: string) => minds[id] ?? mindThat(() => NOOP) };
  for (const id of Object.keys(minds)) {
    world.submit({
      kind: "create_agent",
      at_ms: 0,
      id: asId(id),
      content: "{}",
      memory: "[]",
      endowment: {
        scrip: 100,
        llm_budget_micros: life.budgetMicros ?? 1_000,
        disk_bytes: 10_000,
        quotas: physics.resources.windows,
      },
      starts_at_ms: 0,
    });
    const bounds = { owned: 9, popular: 9, newest: 9, events: 9, principals: 9 };
    const parts = { id: asId(id), world, clock, minds: source, bounds, signal: over.signal };
    const loop = new AgentLoop(parts);
    loops.set(id, loop);
    clock.spawn(() => loop.run());
  }
  clock.spawn(async () => {
    await clock.until(untilMs, -1);
    over.abort();
  });
  await clock.run();
  return events;
};

const at = (events: readonly Event[], ...kinds: readonly Event["kind"][]): readonly string[] =>
  events
    .filter((event) => kinds.includes(event.kind))
    .map((event) => `${event.at_ms} ${event.kind}`);

describe("one iteration", () => {
  it("thinks, acts after the thinking time, rests for the least delay, and again", async () => {
    const events = await live({
      minds: { ann: mindThat(() => NOOP) },
      untilMs: 700,
    });
    expect(at(events, "thought_completed", "action_completed")).toEqual([
      "0 thought_completed",
      "200 action_completed",
      "300 thought_completed",
      "500 action_completed",
      "600 thought_completed",
    ]);
  });

  it("gives each agent a loop of its own: a slow mind delays nobody", async () => {
    const slow = mindThat(() => NOOP, { thinkMs: [5_000, 5_000] });
    const quick = mindThat(() => NOOP);
    const events = await live({ minds: { ann: slow, bob: quick }, untilMs: 3_000 });
    const acted = events.filter((event) => event.kind === "action_completed");
    expect(acted.map((event) => event.principal)).toEqual(Array(10).fill("bob"));
  });

  it("drops what a mind answers after the end", async () => {
    const late = mindThat(
      (_view, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve(NOOP));
          setImmediate(() => resolve(NOOP));
        }),
    );
    const events = await live({ minds: { ann: late }, untilMs: 150 });
    expect(at(events, "thought_completed", "action_completed")).toEqual(["0 thought_completed"]);
  });
});

describe("failures", () => {
  const bad = (): Thought => decided({ read_artifact: { artifact_id: "nothing" } });

  it("double the delay up to its bound, and then pause the agent with the reason", async () => {
    const events = await live({ minds: { ann: mindThat(bad) }, untilMs: 4_000 });
    expect(at(events, "action_refused")).toEqual([
      "200 action_refused",
      "600 action_refused",
      "1200 action_refused",
    ]);
    const last = events.findLast((event) => event.kind === "action_refused");
    expect(last).toMatchObject({ paused: true, code: "not_found", next_at_ms: 6_200 });
  });

  it("let a paused agent try again when it has rested", async () => {
    const events = await live({ minds: { ann: mindThat(bad) }, untilMs: 6_500 });
    expect(at(events, "agent_state_changed")).toEqual(["6200 agent_state_changed"]);
    expect(at(events, "action_refused").at(-1)).toBe("6400 action_refused");
  });

  it("leave it paused for good where the operator is to decide", async () => {
    const physics = physicsWith({ agents: { resume_after_ms: null } });
    const events = await live({ physics, minds: { ann: mindThat(bad) }, untilMs: 60_000 });
    expect(at(events, "action_refused")).toHaveLength(3);
  });

  it("are forgotten at the first success", async () => {
    let turn = 0;
    const mixed = mindThat(() => (++turn % 3 === 0 ? NOOP : bad()));
    const events = await live({ minds: { ann: mixed }, untilMs: 20_000 });
    expect(at(events, "agent_state_changed")).toEqual([]);
    expect(at(events, "action_refused").length).toBeGreaterThan(10);
  });

  it("do not stop a confederate, who does what it is told", async () => {
    const script = mindThat(bad, { backsOff: false });
    const events = await live({ minds: { ann: script }, untilMs: 3_000 });
    expect(at(events, "action_refused")).toHaveLength(10);
  });

  it("of thinking are recorded, rested after, and read in the next thought", async () => {
    const seen: (string | undefined)[] = [];
    const mute = mindThat((view) => {
      seen.push(view.agent.last?.message);
      const message = "no answer";
      return { kind: "failed", reason: "llm_error", message, usage: NOTHING };
    });
    const events = await live({ minds: { ann: mute }, untilMs: 4_000 });
    expect(at(events, "thought_failed")).toEqual([
      "0 thought_failed",
      "200 thought_failed",
      "600 thought_failed",
    ]);
    expect(seen).toEqual([undefined, "llm_error: no answer", "llm_error: no answer"]);
  });
});

describe("running short", () => {
  const busy = mindThat(() => NOOP);

  it("of actions: the loop waits until the window frees, and no longer", async () => {
    const windows = { ...PHYSICS.resources.windows, actions: 2 };
    const physics = physicsWith({ resources: { windows } });
    const events = await live({ physics, minds: { ann: busy }, untilMs: 60_900 });
    expect(at(events, "action_completed", "agent_rate_limited")).toEqual([
      "200 action_completed",
      "500 action_completed",
      "600 agent_rate_limited",
      "60400 action_completed",
      "60700 action_completed",
      "60800 agent_rate_limited",
    ]);
  });

  it("of actions, where turns are skipped: it looks again after the longest delay", async () => {
    const windows = { ...PHYSICS.resources.windows, actions: 1 };
    const physics = physicsWith({ resources: { windows, on_exhausted: "skip" } });
    const events = await live({ physics, minds: { ann: busy }, untilMs: 4_000 });
    expect(at(events, "agent_rate_limited")).toEqual([
      "300 agent_rate_limited",
      "1900 agent_rate_limited",
      "3500 agent_rate_limited",
    ]);
  });

  it("of money for thoughts: the agent freezes, and goes on when somebody pays", async () => {
    const paying = mindThat((view) => {
      const gift = ["ann", 600];
      const method = "transfer_budget";
      return view.now < 1_000
        ? NOOP
        : decided({ invoke_artifact: { artifact_id: "genesis_ledger", method, args: gift } });
    });
    const usage = { ...NOTHING, cost_micros: 600 };
    const thinking = mindThat(() => ({ ...NOOP, usage }), {
      price: { micros: 600, calls: 0, tokens: 0 },
    });
    const minds = { ann: thinking, bob: paying };
    const events = await live({ minds, untilMs: 1_500 });
    const ann = events.filter((event) => event.principal === "ann");
    expect(at(ann, "thought_completed", "agent_frozen")).toEqual([
      "0 thought_completed",
      "300 agent_frozen",
      "1400 thought_completed",
    ]);
    expect(at(events, "agent_unfrozen")).toEqual(["1400 agent_unfrozen"]);
  });
});

it("is finished when its mind says so", async () => {
  const done = mindThat(() => ({ kind: "finished", reason: "script_finished" }));
  const events = await live({ minds: { ann: done }, untilMs: 10_000 });
  expect(events.at(-1)).toMatchObject({ kind: "agent_state_changed", to: "stopped" });
});
