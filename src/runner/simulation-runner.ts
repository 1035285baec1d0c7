import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  asId,
  decodeEvent,
  type Event,
  type EventOf,
  emptyState,
  must,
  type Physics,
  type State,
  wholeOf,
} from "../kernel/index.ts";
import { CallWriter, llmScorer, type MindParts, type RecordedCall } from "../mind/index.ts";
import {
  type Clock,
  isBookkeeping,
  Journal,
  JournalFailure,
  type JournalRow,
  memoriesUpTo,
  noteRun,
  openingRequests,
  type Scorer,
  sandboxFor,
  usageScorer,
  VirtualClock,
  World,
  wallClock,
} from "../world/index.ts";
import { AgentLoops } from "./agent-loops.ts";
import { CheckpointKeeper, type CheckpointPlan } from "./checkpoint-keeper.ts";
import { createAgentArtifacts, type Newcomer } from "./create-agent-artifacts.ts";
import { evaluatorIn } from "./expression-evaluator.ts";
import { goOnWith } from "./going-on.ts";
import { AlarmBell, type HealthBounds, HealthMonitor } from "./health/index.ts";
import { type LanguageModels, type LlmPlan, openLanguageModels } from "./language-models.ts";
import { agentProblem, MindsOfWorld } from "./minds-of-world.ts";
import { MintKeeper, type MintOrders, type MintPlan } from "./mint-keeper.ts";
import { nextMultiple } from "./next-multiple.ts";
import { afterActions, firstOf, type StopReason, type StopRule, whenIdle } from "./stop-rule.ts";
import { VIEW_BOUNDS } from "./view-bounds.ts";

/** Everything a run depends on. The folder exists and is this process's to write. */
export type RunPlan = {
  readonly folder: string;
  readonly version: string;
  readonly physics: Physics;
  readonly clock: "wall" | "virtual";
  readonly newcomers: readonly Newcomer[];
  readonly minds: Omit<MindParts, "seed" | "llm">;
  readonly llm: LlmPlan;
  readonly journal: { readonly sync: "full" | "normal"; readonly groupMs: number };
  readonly checkEvery: number;
  readonly health: HealthBounds;
  readonly mint: Pick<MintPlan, "tasks"> & { readonly scorer: "usage" | "llm" };
  /** Run time at which to stop; the horizon or earlier. */
  readonly stopAtMs: number;
  readonly maxActions: number | null;
  /** How long minds may take to end their thoughts when the run is over. */
  readonly shutdownMs: number;
  readonly checkpoints: CheckpointPlan;
};

/** A journal that holds a past, and the state in which it ends. */
export type Past = {
  readonly journal: Journal;
  readonly state: State;
  /** Run time of its last event. */
  readonly atMs: number;
  /** What calls of models had cost by then. */
  readonly spentMicros: number;
};

export type Started =
  | { readonly ok: true; readonly runner: SimulationRunner }
  | { readonly ok: false; readonly problem: string };

export type RunResult = {
  readonly stoppedBy: StopReason;
  readonly atMs: number;
  readonly wallMs: number;
  readonly stateHash: string;
  readonly journalHash: string;
  readonly lastSeq: number;
  /** The file with the last state; null where none was to be written. */
  readonly checkpoint: string | null;
  /** Set when the run could not go on. */
  readonly problem: string | null;
};

const NOTHING_KEPT = { stateHash: "", journalHash: "", lastSeq: 0, checkpoint: null } as const;

/** Before all: what stops a run at some moment comes before what happens in it. */
const STOP_ORDER = -4;

/** Before all agents, who see in the same moment how an auction ended. */
const MINT_ORDERS: MintOrders = { auctions: -3, scores: -2, tasks: -1 };

/** After all agents: a look at the economy comes after what happens in that moment. */
const LOOK_ORDER = Number.MAX_SAFE_INTEGER;

/** One run from start to end: a journal, a world, a clock and one loop for each agent. */
export class SimulationRunner {
  readonly journal: Journal;
  readonly world: World;
  readonly clock: Clock;
  readonly #plan: RunPlan;
  readonly #sandbox: ReturnType<typeof sandboxFor>;
  readonly #over = new AbortController();
  readonly #rule: StopRule;
  readonly #health: HealthMonitor;
  readonly #models: LanguageModels;
  readonly #checkpoints: CheckpointKeeper;
  readonly #calls = new CallWriter();
  readonly #warned = new Set<string>();
  #loops: AgentLoops | null = null;
  #stoppedBy: StopReason | null = null;

  /** For `start` and `goOn`. */
  constructor(plan: RunPlan, { journal, state, atMs, spentMicros }: Past) {
    this.#plan = plan;
    this.journal = journal;
    this.clock = plan.clock === "virtual" ? new VirtualClock(atMs) : wallClock(atMs);
    this.#sandbox = sandboxFor(plan.physics);
    const limits =
      plan.maxActions === null ? [] : [afterActions(plan.maxActions, actionsIn(state))];
    this.#health = new HealthMonitor(plan.health, journal.baseMark()?.atMs ?? 0);
    this.#rule = firstOf([...limits, whenIdle()]);
    this.world = new World({
      state,
      journal,
      sandbox: this.#sandbox,
      agentProblem,
      checkEvery: plan.checkEvery,
      happened: (events) => this.#happened(events),
    });
    this.#models = this.#openModels(spentMicros);
    this.#checkpoints = new CheckpointKeeper({
      ...plan.checkpoints,
      about: {
        madeBy: { version: plan.version, engine: this.engineVersion },
        run: { id: basename(plan.folder), seed: plan.physics.seed, clock: plan.clock },
      },
      journal,
      world: this.world,
      clock: this.clock,
      order: LOOK_ORDER,
      signal: this.#over.signal,
      warn: (text) => this.#warn(text),
    });
  }

  /** Opens the journal and creates the world with its agents, or says why that cannot be. */
  static start(plan: RunPlan): Started {
    const opened = Journal.create(join(plan.folder, "journal.db"), plan.journal);
    if (!opened.ok) return opened;
    const { journal } = opened;
    const runner = new SimulationRunner(plan, {
      journal,
      state: emptyState(),
      atMs: 0,
      spentMicros: 0,
    });
    return runner.#begin(() => journal.inOneCommit(() => runner.#open()));
  }

  /** Goes on from a past, with what the plan changes in it, or says why that cannot be. */
  static goOn(plan: RunPlan, past: Past): Started {
    const runner = new SimulationRunner(plan, past);
    return runner.#begin(() => runner.#goOn());
  }

  get engineVersion(): string {
    return this.#sandbox.engineVersion;
  }

  /** What became of the model calls that are replayed; null where none are. */
  get replayed(): ReturnType<LanguageModels["replayed"]> {
    return this.#models.replayed();
  }

  /** Calls `listener` with events that are on disk. Returns the way to end that. */
  follow(listener: (rows: readonly JournalRow[]) => void): () => void {
    return this.journal.onCommitted(listener);
  }

  /** Ends the run after what is being done now. The first reason counts. */
  stop(reason: StopReason): void {
    if (this.#stoppedBy !== null) return;
    this.#stoppedBy = reason;
    this.#over.abort();
    setTimeout(() => this.clock.stop(), this.#plan.shutdownMs).unref();
  }

  /** Runs to the end, keeps the last state in the journal and closes it. Call it once. */
  async run(): Promise<RunResult> {
    const startedAt = performance.now();
    let problem: string | null = null;
    try {
      const { seed } = this.#plan.physics;
      const { parts, defaults } = this.#models;
      const shared = { ...this.#plan.minds, seed, llm: { parts, defaults } };
      const minds = new MindsOfWorld(this.world, shared);
      const { world, clock } = this;
      const { signal } = this.#over;
      this.#loops = new AgentLoops({ world, clock, minds, bounds: VIEW_BOUNDS, signal });
      this.#loops.beginAll();
      const { tasks } = this.#plan.mint;
      const keeper = { tasks, scorer: this.#scorer(), world, clock, orders: MINT_ORDERS, signal };
      new MintKeeper(keeper).begin();
      this.#checkpoints.begin();
      this.clock.spawn(() => this.#waitForEnd(), STOP_ORDER);
      this.clock.spawn(() => this.#watchHealth(), LOOK_ORDER);
      await this.clock.run();
    } catch (error) {
      problem = failureIn(error);
    } finally {
      await this.#closeMemory();
    }
    const ended = await this.#end(problem);
    await this.#sandbox.close();
    return { ...ended, wallMs: performance.now() - startedAt };
  }

  /** What is not in the index by then can be put into it from the journal. */
  async #closeMemory(): Promise<void> {
    const { store } = this.#models;
    if (store === null) return;
    const enough = new AbortController();
    const { signal } = enough;
    const waiting = delay(this.#plan.shutdownMs, undefined, { signal }).catch(() => undefined);
    await Promise.race([store.flush(), waiting]);
    enough.abort();
    await store.close();
  }

  /** `work` returns what keeps the world from beginning; a disk that is full does so too. */
  #begin(work: () => readonly string[]): Started {
    const problem = unlessFailed(() => work()[0] ?? null);
    if (problem === null) return { ok: true, runner: this };
    // Where it has failed, that is told already.
    unlessFailed(() => this.journal.close());
    void this.#sandbox.close();
    void this.#closeMemory();
    return { ok: false, problem };
  }

  /** Returns what keeps the world from being as it is planned. */
  #open(): readonly string[] {
    const { version, clock, physics, newcomers } = this.#plan;
    const body = { version, engine: this.engineVersion, clock, seed: physics.seed };
    noteRun(this.journal, { atMs: 0, kind: "run_started", body });
    for (const request of openingRequests(physics)) this.world.submit(request);
    return createAgentArtifacts(this.world, newcomers, 0);
  }

  #goOn(): readonly string[] {
    const { version, clock, physics, newcomers } = this.#plan;
    const atMs = this.clock.now();
    const body = { version, engine: this.engineVersion, clock, seed: physics.seed };
    noteRun(this.journal, { atMs, kind: "run_resumed", body });
    this.#recall();
    return goOnWith(this.world, { physics, newcomers }, atMs);
  }

  /** Brings to the memory's index, to the monitor and to its bell what they would know by now. */
  #recall(): void {
    const { store } = this.#models;
    if (store !== null) {
      const agents = [...this.world.state.agents.rows()];
      void store.cutBack(new Map(agents.map(({ id, memories }) => [id, memories.count])));
      const known = memoriesUpTo(this.journal, this.journal.head().seq);
      store.add(known.map((memory) => ({ ...memory, agent: asId(memory.agent) })));
    }
    const sinceMs = this.clock.now() - this.#plan.health.window_ms;
    for (const row of this.journal.events({ sinceMs })) {
      if (!isBookkeeping(row.kind)) this.#health.note(decodeEvent(row));
    }
  }

  #openModels(spentMicros: number): LanguageModels {
    const { physics, folder, llm } = this.#plan;
    return openLanguageModels(llm, {
      spentMicros,
      folder,
      runId: basename(folder),
      now: () => this.clock.now(),
      sleepMaxMs: physics.agents.sleep_max_ms,
      jsonDepthMax: physics.artifacts.json_depth_max,
      evaluator: evaluatorIn(this.#sandbox, physics),
      sink: (call) => this.#noteCall(call),
      warn: (text) => this.#warn(text),
    });
  }

  #scorer(): Scorer {
    const { mint, llm } = this.#plan;
    if (mint.scorer === "usage") return usageScorer;
    const { model } = this.#models;
    const { maxTokens, repairAttempts, model: modelId } = llm.defaults;
    return llmScorer({ model, modelId, maxTokens, repairAttempts });
  }

  /** A call that there was no money left for is the last one. */
  #noteCall(call: RecordedCall): void {
    this.journal.noteModelCall((id) => this.#calls.write(call, id));
    const isRefused = !call.reply.ok && call.reply.fault === "over_budget";
    if (isRefused || this.#models.isSpent()) this.stop("max_cost");
  }

  /** Whoever warns waits for nothing: a journal that fails by it says so to the next who writes. */
  #warn(text: string): void {
    if (this.#warned.has(text) || this.journal.failure() !== null) return;
    this.#warned.add(text);
    const note = { atMs: this.clock.now(), kind: "warning_raised", body: { text } } as const;
    unlessFailed(() => noteRun(this.journal, note));
  }

  async #waitForEnd(): Promise<void> {
    const { signal } = this.#over;
    const wake = await this.clock.until(this.#plan.stopAtMs, STOP_ORDER, signal);
    if (wake === "reached") this.stop("duration");
  }

  /** Looks at the economy as a whole every so often, and notes what is wrong with it. */
  async #watchHealth(): Promise<void> {
    const { signal } = this.#over;
    const bell = new AlarmBell(this.journal);
    const { every_ms } = this.#plan.health;
    for (let atMs = nextMultiple(this.clock.now(), every_ms); ; atMs += every_ms) {
      if ((await this.clock.until(atMs, LOOK_ORDER, signal)) === "cancelled") return;
      const { endowed, minted, burned } = wholeOf(this.world.state).supply;
      bell.ring(this.#health.judge(atMs, endowed + minted - burned), this.clock.now());
    }
  }

  /** Tells the loops what others have changed for them, and asks the stop rules. */
  #happened(events: readonly Event[]): void {
    for (const event of events) {
      this.#health.note(event);
      if (event.kind === "memory_recorded") this.#keep(event);
    }
    this.#loops?.hear(events);
    const reason = this.#rule(events, this.world.state);
    if (reason !== null) this.stop(reason);
  }

  /** The index of memories is made of what has happened. */
  #keep({ principal, number, at_ms, memory, text }: EventOf<"memory_recorded">): void {
    const agent = must(principal, "an agent remembers");
    this.#models.store?.add([{ agent, number, atMs: at_ms, kind: memory, text }]);
  }

  async #end(trouble: string | null): Promise<Omit<RunResult, "wallMs">> {
    const stoppedBy = this.#stoppedBy ?? "idle";
    const atMs = stoppedBy === "duration" ? this.#plan.stopAtMs : this.clock.now();
    const kept = trouble ?? (await this.#keepEnd(stoppedBy, atMs));
    if (typeof kept !== "string") return { stoppedBy, atMs, ...kept, problem: null };
    // Where it has failed, that is told already.
    unlessFailed(() => this.journal.close());
    const now = this.clock.now();
    return { stoppedBy: "error", atMs: now, ...NOTHING_KEPT, problem: kept };
  }

  /** Keeps the last state and closes the journal, or says why it cannot. */
  async #keepEnd(stoppedBy: StopReason, atMs: number): Promise<Kept | string> {
    try {
      const { stateHash, file: checkpoint } = await this.#checkpoints.end(atMs);
      noteRun(this.journal, { atMs, kind: "run_stopped", body: { stopped_by: stoppedBy } });
      const { seq: lastSeq, hash: journalHash } = this.journal.head();
      this.journal.close();
      return { stateHash, journalHash, lastSeq, checkpoint };
    } catch (error) {
      return failureIn(error);
    }
  }
}

type Kept = Pick<RunResult, "stateHash" | "journalHash" | "lastSeq" | "checkpoint">;

/** What a journal failed with; whatever else was thrown is a bug. */
const failureIn = (error: unknown): string => {
  if (error instanceof JournalFailure) return error.message;
  throw error;
};

/** The failure in place of what is not done because of it. */
const unlessFailed = <T>(work: () => T): T | string => {
  try {
    return work();
  } catch (error) {
    return failureIn(error);
  }
};

/** All that agents have done up to now. */
const actionsIn = (state: State): number =>
  [...state.agents.rows()].reduce((sum, { counters }) => sum + counters.actions, 0);
