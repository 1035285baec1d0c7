import { basename } from "node:path";
import { type Event, emptyState } from "../kernel/index.ts";
import { CallWriter, llmScorer, type RecordedCall } from "../mind/index.ts";
import {
  type Clock,
  Journal,
  type JournalRow,
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
import { agentProblem } from "./agent-problem.ts";
import { CheckpointKeeper } from "./checkpoint-keeper.ts";
import { createAgentArtifacts } from "./create-agent-artifacts.ts";
import { evaluatorIn } from "./expression-evaluator.ts";
import { goOnWith } from "./going-on.ts";
import { HealthWatch } from "./health/index.ts";
import { failureIn, unlessFailed } from "./journal-trouble.ts";
import { type LanguageModels, openLanguageModels } from "./language-models.ts";
import { MindsOfWorld } from "./minds-of-world.ts";
import { MintKeeper, type MintOrders } from "./mint-keeper.ts";
import { Operator } from "./operator.ts";
import type { Past } from "./past.ts";
import { RunMemory } from "./run-memory.ts";
import { runPaths } from "./run-paths.ts";
import type { RunPlan } from "./run-plan.ts";
import { type Asked, NOTHING_ASKED } from "./spending.ts";
import { isIdle, type StopReason, type StopRule, stopRuleFor } from "./stop-rule.ts";
import { VIEW_BOUNDS } from "./view-bounds.ts";
import { Warnings } from "./warnings.ts";

export type Started =
  | { readonly ok: true; readonly runner: SimulationRunner }
  | { readonly ok: false; readonly problem: string };

export type RunResult = {
  readonly stoppedBy: StopReason;
  /** Run time at the beginning and at the end of what this process lived of it. */
  readonly fromMs: number;
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
  readonly #fromMs: number;
  readonly #sandbox: ReturnType<typeof sandboxFor>;
  readonly #over = new AbortController();
  readonly #rule: StopRule;
  readonly #health: HealthWatch;
  readonly #models: LanguageModels;
  /** Null where memories are kept in artifacts, or not at all. */
  readonly #memory: RunMemory | null;
  readonly #checkpoints: CheckpointKeeper;
  readonly #calls = new CallWriter();
  readonly #warnings: Warnings;
  readonly #operator: Operator;
  #isAttended = false;
  #loops: AgentLoops | null = null;
  #stoppedBy: StopReason | null = null;

  /** For `start` and `goOn`. */
  constructor(plan: RunPlan, { journal, state, atMs, asked }: Past) {
    this.#plan = plan;
    this.#fromMs = atMs;
    this.journal = journal;
    this.clock = plan.clock === "virtual" ? new VirtualClock(atMs) : wallClock(atMs);
    this.#sandbox = sandboxFor(plan.physics);
    this.#rule = stopRuleFor(plan.maxActions, journal);
    this.world = new World({
      state,
      journal,
      sandbox: this.#sandbox,
      agentProblem,
      checkEvery: plan.checkEvery,
      happened: (events) => this.#happened(events),
    });
    this.#warnings = new Warnings(journal, this.clock);
    this.#health = new HealthWatch({
      bounds: plan.health,
      journal,
      world: this.world,
      clock: this.clock,
      order: LOOK_ORDER,
      signal: this.#over.signal,
    });
    this.#models = this.#openModels(asked);
    const { store } = this.#models;
    this.#memory = store === null ? null : new RunMemory(store);
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
      warn: (text) => this.#warnings.tell(text),
    });
    this.#operator = new Operator({
      world: this.world,
      clock: this.clock,
      keep: async () => {
        try {
          return await this.#checkpoints.now();
        } catch (error) {
          return { ok: false, problem: failureIn(error) };
        }
      },
      stop: () => this.stop("signal"),
    });
  }

  /** Opens the journal and creates the world with its agents, or says why that cannot be. */
  static start(plan: RunPlan): Started {
    const opened = Journal.create(runPaths(plan.folder).journal, plan.journal);
    if (!opened.ok) return opened;
    const { journal } = opened;
    const runner = new SimulationRunner(plan, {
      journal,
      state: emptyState(),
      atMs: 0,
      asked: NOTHING_ASKED,
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

  /**
   * For whoever watches the run and may give it orders. From then on it does not end for want of
   * anybody who goes on while somebody rests whom an operator can resume.
   */
  attend(): Operator {
    this.#isAttended = true;
    return this.#operator;
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
    this.#operator.letGo();
    setTimeout(() => this.clock.stop(), this.#plan.shutdownMs).unref();
  }

  /** Runs to the end, keeps the last state in the journal and closes it. Call it once. */
  async run(): Promise<RunResult> {
    const startedAt = performance.now();
    let problem: string | null = null;
    try {
      const { seed } = this.#plan.physics;
      const shared = { ...this.#plan.minds, seed, llm: this.#models };
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
      this.#health.begin();
      if (isIdle(this.world.state) && !this.#awaits("idle")) this.stop("idle");
      await this.clock.run();
    } catch (error) {
      problem = failureIn(error);
    } finally {
      this.#operator.letGo();
      await this.#memory?.close(this.#plan.shutdownMs);
    }
    const ended = await this.#end(problem);
    await this.#sandbox.close();
    return { ...ended, fromMs: this.#fromMs, wallMs: performance.now() - startedAt };
  }

  /** `work` returns what keeps the world from beginning; a disk that is full does so too. */
  #begin(work: () => readonly string[]): Started {
    const problem = unlessFailed(() => work()[0] ?? null);
    if (problem === null) return { ok: true, runner: this };
    // Where it has failed, that is told already.
    unlessFailed(() => this.journal.close());
    void this.#sandbox.close();
    void this.#memory?.close(this.#plan.shutdownMs);
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
    this.#memory?.recall(this.journal, this.world.state);
    this.#health.recall();
    return goOnWith(this.world, { physics, newcomers }, atMs);
  }

  #openModels(asked: Asked): LanguageModels {
    const { physics, folder, llm } = this.#plan;
    return openLanguageModels(llm, {
      asked,
      folder,
      runId: basename(folder),
      now: () => this.clock.now(),
      sleepMaxMs: physics.agents.sleep_max_ms,
      jsonDepthMax: physics.artifacts.json_depth_max,
      evaluator: evaluatorIn(this.#sandbox, physics),
      sink: (call) => this.#noteCall(call),
      durable: () => this.journal.durable(),
      clock: this.clock,
      warn: (text) => this.#warnings.tell(text),
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

  async #waitForEnd(): Promise<void> {
    const { signal } = this.#over;
    const wake = await this.clock.until(this.#plan.stopAtMs, STOP_ORDER, signal);
    if (wake === "reached") this.stop("duration");
  }

  /** Tells the loops what others have changed for them, and asks the stop rules. */
  #happened(events: readonly Event[]): void {
    for (const event of events) {
      this.#health.note(event);
      this.#memory?.note(event);
    }
    this.#loops?.hear(events);
    this.#operator.hear(events);
    const reason = this.#rule(events, this.world.state);
    if (reason !== null && !this.#awaits(reason)) this.stop(reason);
  }

  /** Nothing happens by itself any more, but whoever attends the run can resume somebody. */
  #awaits(reason: StopReason): boolean {
    return reason === "idle" && this.#isAttended && this.#operator.keepsWaiting(this.world.state);
  }

  async #end(trouble: string | null): Promise<Omit<RunResult, "fromMs" | "wallMs">> {
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
