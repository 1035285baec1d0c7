import { afterAll, describe, expect, it, vi } from "vitest";
import { asId, type Event, emptyState, type Json, type Wake } from "../../../src/kernel/index.ts";
import type { Mind, Thought } from "../../../src/mind/index.ts";
import { AgentLoops } from "../../../src/run/agents/agent-loops.ts";
import { ThoughtQueue } from "../../../src/run/agents/thought-queue.ts";
import { openingRequests, sandboxFor, VirtualClock, World } from "../../../src/world/index.ts";
import { changesState } from "../../support/iterations.ts";
import { PHYSICS, physicsWith } from "../../support/physics.ts";

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
  sleep: null,
});

const NOOP = decided({ noop: {} });

const mindThat = (decide: Mind["decide"], about: Partial<Mind> = {}): Mind => ({
  price: { micros: 0, calls: 0, tokens: 0 },
  exactPrice: null,
  thinkMs: [200, 200],
  parallel: null,
  recollect: null,
  hasLazyView: false,
  decide,
  ...about,
});

/** A mind whose thoughts cost 600 micro-dollars. */
const DEAR = mindThat(() => ({ ...NOOP, usage: { ...NOTHING, cost_micros: 600 } }), {
  price: { micros: 600, calls: 0, tokens: 0 },
});

const ledger = (method: string, ...args: readonly Json[]) =>
  decided({ invoke_artifact: { artifact_id: "genesis_ledger", method, args } });

/** A mind that thinks these thoughts, one after the other, and then does nothing. */
const thinking = (...thoughts: readonly Thought[]): Mind => {
  let turn = 0;
  return mindThat(() => thoughts[turn++] ?? NOOP);
};

const ENDOWMENT = { scrip: 100, llm_budget_micros: 1_000, disk_bytes: 10_000 };

type Life = {
  readonly physics?: typeof PHYSICS;
  readonly minds: { readonly [agent: string]: Mind };
  readonly untilMs: number;
  /** Agents that others are to bear. */
  readonly later?: readonly string[];
  /** What someone outside does while they live. */
  readonly meanwhile?: (lives: Lives) => void;
};

type Lives = {
  readonly world: World;
  readonly clock: VirtualClock;
  readonly events: readonly Event[];
  readonly end: () => void;
};

/** The lives of some agents, and of those they bear, as events. */
const live = async (life: Life): Promise<readonly Event[]> => {
  const { physics = PHYSICS, minds, untilMs, meanwhile } = life;
  const clock = new VirtualClock(0);
  const events: Event[] = [];
  let loops: AgentLoops | null = null;
  const world = new World({
    state: emptyState(),
    journal: { append: () => null },
    sandbox,
    agentProblem: () => null,
    checkEvery: 1,
    happened: (caused) => {
      events.push(...caused);
      loops?.onEvents(caused);
    },
  });
  for (const request of openingRequests(physics)) world.submit(request);
  for (const id of Object.keys(minds)) {
    if (life.later?.includes(id) === true) continue;
    world.submit({
      kind: "create_agent",
      at_ms: 0,
      id: asId(id),
      content: "{}",
      memory: "[]",
      endowment: { ...ENDOWMENT, quotas: physics.resources.windows },
      group: null,
      starts_at_ms: 0,
    });
  }
  const over = new AbortController();
  loops = new AgentLoops({
    world,
    clock,
    minds: { of: (id: string) => minds[id] ?? mindThat(() => NOOP), whenReady: () => null },
    queue: new ThoughtQueue(() => 0),
    stopAtMs: untilMs,
    warn: () => {},
    onOverBudget: () => {},
    signal: over.signal,
  });
  loops.start([]);
  const end = (): void => over.abort();
  clock.spawn(async () => {
    await clock.until(untilMs, -1, over.signal);
    end();
  });
  meanwhile?.({ world, clock, events, end });
  await clock.run();
  return events;
};

/** When events of these kinds happened, such as `0 thought, 200 action, 300 frozen`. */
const at = (events: readonly Event[], ...kinds: readonly string[]): string =>
  events
    .map(({ at_ms, kind }) => ({ at_ms, kind: kind.replace(/^agent_|_completed$/g, "") }))
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ at_ms, kind }) => `${at_ms} ${kind}`)
    .join(", ");

const countOf = (events: readonly Event[], kind: Event["kind"]): number =>
  events.filter((event) => event.kind === kind).length;

const of = (events: readonly Event[], who: string): readonly Event[] =>
  events.filter(({ principal }) => principal === who);

describe("one iteration", () => {
  it("thinks, acts after the thinking time, waits for the minimum delay, and repeats", async () => {
    const events = await live({ minds: { ann: mindThat(() => NOOP) }, untilMs: 700 });
    expect(at(events, "thought", "action")).toBe(
      "0 thought, 200 action, 300 thought, 500 action, 600 thought",
    );
  });

  it("runs one loop per agent: a slow mind delays no other agent", async () => {
    const slow = mindThat(() => NOOP, { thinkMs: [5_000, 5_000] });
    const events = await live({ minds: { ann: slow, bob: mindThat(() => NOOP) }, untilMs: 3_000 });
    const acted = events.filter((event) => event.kind === "action_completed");
    expect(acted.map((event) => event.principal)).toEqual(Array(10).fill("bob"));
  });

  it("drops a thought that arrives after the end of the run", async () => {
    const late = mindThat(
      (_view, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve(NOOP));
          setImmediate(() => resolve(NOOP));
        }),
    );
    const events = await live({ minds: { ann: late }, untilMs: 150 });
    expect(at(events, "thought", "action")).toBe("0 thought");
  });
});

describe("a thought of a language model in simulated time", () => {
  const PAID = { ...NOTHING, calls: 1, cost_micros: 7 };
  const ABOUT = { thinkMs: [500, 500], parallel: { maxMicros: 10 } } as const;
  const answers = (): Promise<Thought> =>
    new Promise((resolve) => setImmediate(() => resolve({ ...NOOP, usage: PAID })));
  const thinker = (decide: Mind["decide"] = answers): Mind => mindThat(decide, ABOUT);

  it("starts with a view of that moment, and becomes an event when it ends", async () => {
    const seen: number[] = [];
    const ann = thinker((view) => {
      seen.push(view.now);
      return answers();
    });
    const events = await live({ minds: { ann }, untilMs: 1_300 });
    expect(at(events, "thought_started", "thought", "action")).toBe(
      "0 thought_started, 500 thought, 500 action, 600 thought_started, 1100 thought, 1100 action, " +
        "1200 thought_started",
    );
    expect(seen).toEqual([0, 600]);
  });

  it("is dropped and paid when the agent is paused", async () => {
    const events = await live({
      minds: { ann: thinker(), bob: mindThat(() => NOOP) },
      untilMs: 1_000,
      meanwhile: ({ world, clock }) => {
        clock.spawn(async () => {
          await clock.until(300, -1);
          world.submit({ ...changesState("ann", "paused"), at_ms: 300 });
        });
      },
    });
    const ann = events.filter(({ principal }) => principal === "ann");
    expect(at(ann, "thought_started", "state_changed", "thought_dropped", "thought")).toBe(
      "0 thought_started, 300 state_changed, 300 thought_dropped",
    );
    expect(ann.find(({ kind }) => kind === "thought_dropped")).toMatchObject({ usage: PAID });
  });

  it("is not asked for if it ends after the run", async () => {
    const asked: number[] = [];
    const ann = thinker((view) => {
      asked.push(view.now);
      return answers();
    });
    const events = await live({ minds: { ann }, untilMs: 1_000 });
    expect(at(events, "thought_started")).toBe("0 thought_started, 600 thought_started");
    expect(asked).toEqual([0]);
  });
});

describe("failures", () => {
  const bad = (): Thought => decided({ read_artifact: { artifact_id: "nothing" } });

  it("double the delay up to the maximum, then pause the agent", async () => {
    const events = await live({ minds: { ann: mindThat(bad) }, untilMs: 4_000 });
    expect(at(events, "action_refused")).toBe(
      "200 action_refused, 600 action_refused, 1200 action_refused",
    );
    const last = events.findLast((event) => event.kind === "action_refused");
    expect(last).toMatchObject({ code: "not_found", next_at_ms: null });
    const paused = { from: "running", to: "paused", cause: "failures", due_at_ms: 6_200 };
    expect(events.at(-1)).toMatchObject({ kind: "agent_state_changed", at_ms: 1_200, ...paused });
  });

  it("let a paused agent try again after its pause", async () => {
    const events = await live({ minds: { ann: mindThat(bad) }, untilMs: 6_500 });
    expect(at(events, "state_changed")).toBe("1200 state_changed, 6200 state_changed");
    expect(at(events, "action_refused")).toMatch(/ 6400 action_refused$/);
  });

  it("leave the agent paused if only an operator can resume it", async () => {
    const physics = physicsWith({ agents: { resume_after_ms: null } });
    const events = await live({ physics, minds: { ann: mindThat(bad) }, untilMs: 60_000 });
    expect(countOf(events, "action_refused")).toBe(3);
  });

  it("are counted from zero after a success", async () => {
    let turn = 0;
    const mixed = mindThat(() => (++turn % 3 === 0 ? NOOP : bad()));
    const events = await live({ minds: { ann: mixed }, untilMs: 20_000 });
    expect(at(events, "state_changed")).toBe("");
    expect(countOf(events, "action_refused")).toBeGreaterThan(10);
  });

  it("do not pause an agent whose mind does not back off", async () => {
    const minds = { ann: mindThat(bad, { backsOff: false }) };
    const events = await live({ minds, untilMs: 3_000 });
    expect(countOf(events, "action_refused")).toBe(10);
  });

  it("of thoughts are recorded, delay the next thought and are shown to it", async () => {
    const seen: (string | undefined)[] = [];
    const mute = mindThat((view) => {
      seen.push(view.agent.last?.message);
      const message = "no answer";
      return { kind: "failed", reason: "llm_error", message, memory: null, usage: NOTHING };
    });
    const events = await live({ minds: { ann: mute }, untilMs: 4_000 });
    expect(at(events, "thought_failed")).toBe(
      "0 thought_failed, 200 thought_failed, 600 thought_failed",
    );
    expect(seen).toEqual([undefined, "llm_error: no answer", "llm_error: no answer"]);
  });
});

describe("running short", () => {
  const busy = mindThat(() => NOOP);

  it("of actions: the loop waits until the window has room", async () => {
    const windows = { ...PHYSICS.resources.windows, actions: 2 };
    const physics = physicsWith({ resources: { windows } });
    const events = await live({ physics, minds: { ann: busy }, untilMs: 60_900 });
    expect(at(events, "action", "rate_limited")).toBe(
      "200 action, 500 action, 600 rate_limited, 60400 action, 60700 action, 60800 rate_limited",
    );
  });

  it("of actions with on_exhausted skip: the loop waits for the maximum delay", async () => {
    const windows = { ...PHYSICS.resources.windows, actions: 1 };
    const physics = physicsWith({ resources: { windows, on_exhausted: "skip" } });
    const events = await live({ physics, minds: { ann: busy }, untilMs: 4_000 });
    expect(at(events, "rate_limited")).toBe(
      "300 rate_limited, 1900 rate_limited, 3500 rate_limited",
    );
  });

  it("of model budget: the agent freezes until another agent pays", async () => {
    const gift = ledger("transfer_budget", "ann", 600);
    const paying = mindThat((view) => (view.now < 1_000 ? NOOP : gift));
    const events = await live({ minds: { ann: DEAR, bob: paying }, untilMs: 1_500 });
    const ann = of(events, "ann");
    expect(at(ann, "thought", "frozen")).toBe("0 thought, 300 frozen, 1400 thought");
    expect(at(events, "unfrozen")).toBe("1400 unfrozen");
  });
});

it("a child has its own loop from the minimum delay after it was spawned", async () => {
  const spawn = {
    artifact_id: "genesis_ledger",
    method: "spawn_principal",
    args: ["kid", null, { actions: 3, cpu_gas: 1_000 }],
    attach: { scrip: 10 },
  };
  const minds = { ann: thinking(decided({ invoke_artifact: spawn })), kid: mindThat(() => NOOP) };
  const events = await live({ minds, later: ["kid"], untilMs: 2_000 });
  const born = events.filter(({ kind }) => kind === "agent_created").at(-1);
  expect(born).toMatchObject({ id: "kid", principal: "ann", due_at_ms: 300, at_ms: 200 });
  const kid = of(events, "kid");
  expect(at(kid, "thought", "action", "rate_limited")).toBe(
    "300 thought, 500 action, 600 thought, 800 action, 900 thought, 1100 action, 1200 rate_limited",
  );
});

describe("sleeping", () => {
  const sleepy = (until: readonly Wake[], for_ms = 5_000): Thought => ({
    ...NOOP,
    sleep: { for_ms, until },
  });

  it("ends after its time", async () => {
    const events = await live({ minds: { ann: thinking(sleepy([], 1_000)) }, untilMs: 1_600 });
    expect(at(events, "thought", "state_changed")).toBe(
      "0 thought, 200 state_changed, 1200 state_changed, 1200 thought, 1500 thought",
    );
  });

  it("ends at the moment its wake condition holds", async () => {
    const minds = {
      ann: thinking(sleepy([{ scrip_at_least: 130 }])),
      bob: thinking(ledger("transfer", "ann", 20), NOOP, ledger("transfer", "ann", 10)),
    };
    const events = await live({ minds, untilMs: 1_000 });
    const ann = events.filter((event) => event.principal === "ann" || "agent" in event);
    expect(at(ann, "thought", "state_changed")).toBe(
      "0 thought, 200 state_changed, 800 state_changed, 800 thought",
    );
    expect(
      events.find((event) => event.kind === "agent_state_changed" && event.from === "sleeping"),
    ).toMatchObject({ ...{ principal: "bob", agent: "ann", reason: "it has 130 scrip" } });
  });

  it("does not shorten the delay after an action", async () => {
    const ann = mindThat(() => sleepy([{ scrip_at_least: 1 }]), { thinkMs: [0, 0] });
    const events = await live({ minds: { ann }, untilMs: 250 });
    expect(at(events, "thought")).toBe("0 thought, 100 thought, 200 thought");
  });
});

describe("an agent without money for a thought", () => {
  it("goes bankrupt if no agent pays in time, and the world continues", async () => {
    const late = thinking({ ...NOOP, waitMs: 21_000 }, ledger("transfer_budget", "ann", 600));
    const events = await live({ minds: { ann: DEAR, bob: late }, untilMs: 30_000 });
    const ann = of(events, "ann");
    expect(at(ann, "thought", "frozen", "bankrupt")).toBe("0 thought, 300 frozen, 20300 bankrupt");
    expect(at(events, "budget_transferred", "unfrozen")).toBe("21500 budget_transferred");
    expect(events.at(-1)).toMatchObject({ principal: "bob" });
  });

  it("does not loop if an operator froze it in a world without bankruptcy", async () => {
    const physics = physicsWith({ agents: { bankrupt_after_ms: null } });
    let asked = 0;
    const events = await live({
      physics,
      minds: { ann: mindThat(() => NOOP) },
      untilMs: 3_000,
      meanwhile: ({ world, clock }) => {
        const submit = world.submit.bind(world);
        vi.spyOn(world, "submit").mockImplementation((request) => {
          // Without an end, nothing else would ever have its turn.
          if (++asked > 100) throw new Error("the loop asks again and again");
          return submit(request);
        });
        const state = (to: "frozen" | "running", at_ms: number, due_at_ms: number) =>
          world.submit({ ...changesState("ann", to, due_at_ms), at_ms });
        clock.spawn(async () => {
          await clock.until(450, 9);
          state("frozen", 450, 1_000);
          await clock.until(2_000, 9);
          state("running", 2_000, 2_100);
        });
      },
    });
    expect(at(events, "action", "bankrupt")).toBe(
      "200 action, 2300 action, 2600 action, 2900 action",
    );
    // Its end of patience came at 1,000 and was asked for once.
    expect(asked).toBeLessThan(20);
  });

  it("thinks again if another agent pays, and can be frozen again", async () => {
    const help = thinking({ ...NOOP, waitMs: 19_000 }, ledger("transfer_budget", "ann", 600));
    const events = await live({ minds: { ann: DEAR, bob: help }, untilMs: 41_000 });
    const kinds = ["frozen", "unfrozen", "bankrupt"];
    expect(at(events, ...kinds)).toBe("300 frozen, 19500 unfrozen, 19800 frozen, 39800 bankrupt");
  });
});

describe("an agent that is sold", () => {
  const offer = ledger("transfer_ownership", "ann", "bob");
  const take = ledger("accept", "ann");
  const sell = ({ world, clock }: Lives): void => {
    for (const [who, { action }] of Object.entries({ ann: offer, bob: take })) {
      const request = { at_ms: clock.now(), principal: asId(who), action };
      world.submit({ kind: "take_action", ...request });
    }
  };
  const untilThere = async ({ events }: Lives, kind: Event["kind"], who: string): Promise<void> => {
    while (!events.some((event) => event.kind === kind && event.principal === who)) {
      await new Promise(setImmediate);
    }
  };

  it("between its thought and its action drops the action and thinks again", async () => {
    const slow = { ...ledger("transfer", "bob", 50), waitMs: 1_000 };
    const minds = { ann: thinking(offer, slow), bob: thinking(NOOP, { ...take, waitMs: 100 }) };
    const events = await live({ minds, untilMs: 1_500 });
    expect(at(events, "handed_over", "scrip_transferred")).toBe("600 handed_over");
    const ann = of(events, "ann");
    expect(at(ann, "thought", "action")).toBe(
      "0 thought, 200 action, 300 thought, 700 thought, 900 action, " +
        "1000 thought, 1200 action, 1300 thought",
    );
    const sale = events.find(({ kind }) => kind === "agent_handed_over");
    expect(sale).toMatchObject({ dropped: true });
  });

  /** A mind that answers when it is told to, and whether it has been asked to stop. */
  const patient = (respects: boolean) => {
    const asked = Promise.withResolvers<AbortSignal>();
    const answer = Promise.withResolvers<Thought>();
    let thoughts = 0;
    const mind = mindThat((_view, signal) => {
      thoughts += 1;
      if (thoughts > 1) return NOOP;
      asked.resolve(signal);
      if (respects) signal.addEventListener("abort", () => answer.resolve(PAID));
      return answer.promise;
    });
    return { mind, asked: asked.promise, answer: answer.resolve };
  };
  const PAID: Thought = { ...NOOP, usage: { ...NOTHING, calls: 1, cost_micros: 70 } };

  it.each([
    ["respects its signal", true],
    ["ignores its signal", false],
  ])("in the middle of a thought of a mind that %s waits for it no longer", async (_, respects) => {
    const { mind, asked, answer } = patient(respects);
    const late = Promise.withResolvers<void>();
    const events = await live({
      minds: { ann: mind, bob: mindThat(() => NOOP, { thinkMs: [1, 1] }) },
      untilMs: 1e9,
      meanwhile: (lives) => {
        void asked.then(async (signal) => {
          sell(lives);
          expect(signal.aborted).toBe(true);
          await untilThere(lives, "thought_completed", "ann");
          answer(PAID);
          late.resolve();
          await untilThere(lives, "thought_dropped", "ann");
          lives.end();
        });
      },
    });
    await late.promise;
    const dropped = events.filter(({ kind }) => kind === "thought_dropped");
    const reason = expect.stringMatching(/bob owns it/);
    expect(dropped).toMatchObject([{ principal: "ann", usage: { cost_micros: 70 }, reason }]);
  });

  it("is not stopped by a thought from before the sale", async () => {
    const asked = Promise.withResolvers<void>();
    let thoughts = 0;
    const done = mindThat(async (_view, signal) => {
      thoughts += 1;
      if (thoughts > 1) return NOOP;
      asked.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { kind: "finished", reason: "script_finished" };
    });
    const events = await live({
      minds: { ann: done, bob: mindThat(() => NOOP, { thinkMs: [1, 1] }) },
      untilMs: 1e9,
      meanwhile: (lives) => {
        void asked.promise.then(async () => {
          sell(lives);
          await untilThere(lives, "thought_completed", "ann");
          lives.end();
        });
      },
    });
    const changes = events.filter(({ kind }) => kind === "agent_state_changed");
    expect(changes).toMatchObject([{ to: "running", reason: "bob owns it now" }]);
  });
});

it("an agent stops when its mind is finished", async () => {
  const done = mindThat(() => ({ kind: "finished", reason: "script_finished" }));
  const events = await live({ minds: { ann: done }, untilMs: 10_000 });
  expect(events.at(-1)).toMatchObject({ kind: "agent_state_changed", to: "stopped" });
});
