import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Event,
  type EventOf,
  emptyState,
  must,
  type Physics,
  wholeOf,
} from "../kernel/index.ts";
import { CallWriter, llmScorer, type MindParts, type RecordedCall } from "../mind/index.ts";
import {
  type Clock,
  Journal,
  JournalFailure,
  type JournalRow,
  noteRun,
  openingRequests,
  type Scorer,
  sandboxFor,
  takeSnapshot,
  usageScorer,
  VirtualClock,
  World,
  wallClock,
} from "../world/index.ts";
import { AgentLoops } from "./agent-loops.ts";
import { createAgentArtifacts, type Newcomer } from "./create-agent-artifacts.ts";
import { evaluatorIn } from "./expression-evaluator.ts";
import { AlarmBell, type HealthBounds, HealthMonitor } from "./health/index.ts";
import { type LanguageModels, type LlmPlan, openLanguageModels } from "./language-models.ts";
import { agentProblem, MindsOfWorld } from "./minds-of-world.ts";
import { MintKeeper, type MintPlan } from "./mint-keeper.ts";
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
};

export type RunResult = {
  readonly stoppedBy: StopReason;
  readonly atMs: number;
  readonly wallMs: number;
  readonly stateHash: string;
  readonly journalHash: string;
  readonly lastSeq: number;
  /** Set when the run could not go on. */
  readonly problem: string | null;
};

/** Before all: what stops a run at some moment comes before what happens in it. */
const STOP_ORDER = -2;

/** Before all agents, who see in the same moment how an auction ended. */
const MINT_ORDER = -1;

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
  readonly #calls = new CallWriter();
  readonly #warned = new Set<string>();
  #loops: AgentLoops | null = null;
  #stoppedBy: StopReason | null = null;

  /** For `start`, which opens the journal. */
  constructor(plan: RunPlan, journal: Journal) {
    this.#plan = plan;
    this.journal = journal;
    this.clock = plan.clock === "virtual" ? new VirtualClock(0) : wallClock(0);
    this.#sandbox = sandboxFor(plan.physics);
    const limits = plan.maxActions === null ? [] : [afterActions(plan.maxActions)];
    this.#health = new HealthMonitor(plan.health);
    this.#rule = firstOf([...limits, whenIdle()]);
    this.world = new World({
      state: emptyState(),
      journal,
      sandbox: this.#sandbox,
      agentProblem,
      checkEvery: plan.checkEvery,
      happened: (events) => this.#happened(events),
    });
    this.#models = this.#openModels();
  }

  /** Opens the journal and creates the world with its agents, or says why that cannot be. */
  static start(
    plan: RunPlan,
  ):
    | { readonly ok: true; readonly runner: SimulationRunner }
    | { readonly ok: false; readonly problem: string } {
    const opened = Journal.create(join(plan.folder, "journal.db"), plan.journal);
    if (!opened.ok) return opened;
    const runner = new SimulationRunner(plan, opened.journal);
    const [problem] = runner.#open();
    return problem === undefined ? { ok: true, runner } : { ok: false, problem };
  }

  get engineVersion(): string {
    return this.#sandbox.engineVersion;
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
      const keeper = { tasks, scorer: this.#scorer(), world, clock, order: MINT_ORDER, signal };
      new MintKeeper(keeper).begin();
      this.clock.spawn(() => this.#waitForEnd(), STOP_ORDER);
      this.clock.spawn(() => this.#watchHealth(), LOOK_ORDER);
      await this.clock.run();
    } catch (error) {
      if (!(error instanceof JournalFailure)) throw error;
      problem = error.message;
    } finally {
      await this.#closeMemory();
    }
    const ended = this.#end(problem);
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

  /** Returns what keeps the world from being as it is planned. */
  #open(): readonly string[] {
    const { version, clock, physics, newcomers } = this.#plan;
    const body = { version, engine: this.engineVersion, clock, seed: physics.seed };
    noteRun(this.journal, { atMs: 0, kind: "run_started", body });
    for (const request of openingRequests(physics)) this.world.submit(request);
    return createAgentArtifacts(this.world, newcomers);
  }

  #openModels(): LanguageModels {
    const { physics, folder, llm } = this.#plan;
    return openLanguageModels(llm, {
      folder,
      runId: basename(folder),
      now: () => this.clock.now(),
      sleepMaxMs: physics.agents.sleep_max_ms,
      jsonDepthMax: physics.artifacts.json_depth_max,
      evaluate: evaluatorIn(this.#sandbox, physics),
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
    if (!call.reply.ok && call.reply.fault === "over_budget") this.stop("max_cost");
  }

  #warn(text: string): void {
    if (this.#warned.has(text) || this.journal.failure() !== null) return;
    this.#warned.add(text);
    noteRun(this.journal, { atMs: this.clock.now(), kind: "warning_raised", body: { text } });
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
    for (let atMs = every_ms; ; atMs += every_ms) {
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

  #end(problem: string | null): Omit<RunResult, "wallMs"> {
    const stoppedBy = problem === null ? (this.#stoppedBy ?? "idle") : "error";
    const atMs = stoppedBy === "duration" ? this.#plan.stopAtMs : this.clock.now();
    if (problem !== null) {
      return { stoppedBy, atMs, stateHash: "", journalHash: "", lastSeq: 0, problem };
    }
    noteRun(this.journal, { atMs, kind: "run_stopped", body: { stopped_by: stoppedBy } });
    const stateHash = takeSnapshot(this.journal, this.world.state);
    const { seq: lastSeq, hash: journalHash } = this.journal.head();
    this.journal.close();
    return { stoppedBy, atMs, stateHash, journalHash, lastSeq, problem };
  }
}
