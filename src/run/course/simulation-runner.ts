import { basename } from "node:path";
import { type Event, must, type Physics, type Result, type Schedule } from "../../kernel/index.ts";
import { llmScorer } from "../../mind/index.ts";
import { CallWriter, type Model, type RecordedCall } from "../../model/index.ts";
import {
  appendRunEvent,
  type Clock,
  Journal,
  type JournalRow,
  type OpenThought,
  ORDERS,
  openingRequests,
  type Scorer,
  sandboxFor,
  usageScorer,
  VirtualClock,
  World,
  wallClock,
} from "../../world/index.ts";
import { AgentLoops } from "../agents/agent-loops.ts";
import { AgentMinds, agentProblem } from "../agents/agent-minds.ts";
import { type LanguageModels, openLanguageModels } from "../agents/language-models.ts";
import { ThoughtQueue } from "../agents/thought-queue.ts";
import { msOf, tasksFor } from "../config/index.ts";
import {
  type ControlMethods,
  controlMethod,
  OPERATOR_METHODS,
  RUN_OVER,
  refusal,
} from "../control/protocol.ts";
import { failureIn, unlessFailed, untilFailed, warningsIn } from "../core/journal-failure.ts";
import type { OpenFeature, RunFeature } from "../core/run-feature.ts";
import type { RunPlan } from "../core/run-plan.ts";
import { runPaths } from "../files/run-files.ts";
import { modulesOf } from "../files/run-modules.ts";
import { HealthWatch } from "../health/health-watch.ts";
import { described, installMechanisms } from "../mechanisms/install-mechanisms.ts";
import type { RunMindParts } from "../minds/kinds.ts";
import { applyChange, createAgents, newcomersOf } from "../persona/newcomers.ts";
import { physicsWith, planSchedule, scheduleOf, unreached } from "../schedule/plan.ts";
import { CheckpointSaver } from "./checkpoint-saver.ts";
import { Operator } from "./operator.ts";
import { journalSettings, type ResumePoint, startOf } from "./resume-point.ts";
import { idleReason, type StopReason, type StopRule, stopRuleFor } from "./stop-rule.ts";
import { executeSchedule, runComputeSales, runMint } from "./world-tasks.ts";

type Started = Result<{ runner: SimulationRunner }>;

export type RunResult = {
  readonly stoppedBy: StopReason;
  /** `fromMs` and `atMs` are the run times at which this process started and stopped the run. */
  readonly fromMs: number;
  readonly atMs: number;
  readonly wallMs: number;
  readonly stateHash: string;
  readonly journalHash: string;
  readonly lastSeq: number;
  readonly checkpoint: string | null;
  readonly problem: string | null;
};

const NO_END = { stateHash: "", journalHash: "", lastSeq: 0, checkpoint: null } as const;

/** A maximum cost that lets no thought start at the same time. */
const WHOLE_BUDGET = Number.MAX_SAFE_INTEGER;

type Subscriber = (events: readonly Event[]) => void;

/** One run from start to end: a journal, a world, a clock and one loop per agent. */
export class SimulationRunner {
  readonly journal: Journal;
  readonly world: World;
  readonly clock: Clock;
  readonly lastSeqBefore: number;
  readonly openLimits = () => this.#models.openLimits();
  readonly memoryProblem = () => this.#models.memoryProblem();
  readonly #plan: RunPlan;
  readonly #schedule: Schedule;
  readonly #physics: Physics;
  readonly #fromMs: number;
  readonly #sandbox: ReturnType<typeof sandboxFor>;
  readonly #minds: AgentMinds;
  readonly #ending = new AbortController();
  readonly #stopRule: StopRule;
  readonly #health: HealthWatch;
  readonly #models: LanguageModels;
  readonly #queue: ThoughtQueue;
  readonly #checkpoints: CheckpointSaver;
  readonly #calls = new CallWriter();
  readonly #warn: (text: string) => void;
  readonly #operator: Operator;
  readonly #features: ReadonlyMap<RunFeature, OpenFeature>;
  readonly #subscribers: readonly Subscriber[];
  /** The thoughts in progress when this process started. */
  readonly #openThoughts: readonly OpenThought[];
  #loops: AgentLoops | null = null;
  #sales: Subscriber | null = null;
  #stoppedBy: StopReason | null = null;

  constructor(plan: RunPlan, point: ResumePoint) {
    const { config, env } = plan;
    const { journal, state, atMs } = point;
    this.#plan = plan;
    this.#schedule = scheduleOf(plan, state, atMs);
    const fitting = physicsWith(config, this.#schedule.settings);
    const physics = must(fitting.ok ? fitting.physics : null, "a run must have valid settings");
    this.#physics = physics;
    this.#fromMs = atMs;
    this.journal = journal;
    this.lastSeqBefore = journal.head().seq;
    this.clock =
      config.run.clock === "virtual" ? new VirtualClock(atMs) : wallClock(atMs, plan.stopAtMs);
    this.#sandbox = sandboxFor(this.#physics);
    this.#stopRule = stopRuleFor(config.run.max_actions, journal);
    this.world = new World({
      state,
      journal,
      sandbox: this.#sandbox,
      agentProblem,
      checkEvery: config.checks.invariants_every,
      happened: (events) => {
        for (const subscriber of this.#subscribers) subscriber(events);
      },
    });
    this.#warn = warningsIn(journal, this.clock);
    const { world, clock } = this;
    const { signal } = this.#ending;
    const shared = { journal, world, clock, signal };
    this.#health = new HealthWatch({ ...shared, settings: config.health });
    this.#openThoughts = point.thoughts;
    this.#models = this.#openModels(point);
    this.#queue = new ThoughtQueue(this.#models.leftMicros);
    this.#checkpoints = new CheckpointSaver({
      ...shared,
      config,
      dir: plan.checkpoints,
      about: {
        madeBy: { version: plan.version, engine: this.engineVersion },
        run: { id: basename(plan.folder), seed: config.run.seed, clock: config.run.clock },
      },
      thoughts: () => this.#loops?.openThoughts() ?? this.#openThoughts,
      warn: this.#warn,
    });
    this.#operator = new Operator({
      world,
      clock,
      saveCheckpoint: async () => {
        const saved = await untilFailed(() => this.#checkpoints.save());
        return typeof saved === "string" ? { ok: false, problem: saved } : saved;
      },
      stop: () => this.stop("signal"),
    });
    this.#features = this.#openFeatures();
    const sources: OpenFeature["sources"] = Object.assign(
      {},
      ...[...this.#features.values()].map((feature) => feature.sources),
    );
    const mindParts: RunMindParts = {
      ...mindTimes(config),
      physics,
      sandbox: this.#sandbox,
      env,
      warn: this.#warn,
      moduleNamed: modulesOf(runPaths(plan.folder).modules, plan.modules),
      programsFolder: plan.programsFolder,
      isPythonAllowed: config.tools.python,
      seats: null,
      turns: null,
      ...sources,
      llm: this.#models.parts,
      onMindEvent: plan.onMindEvent ?? null,
      note: (text) => plan.note?.(text),
    };
    this.#minds = new AgentMinds(world, mindParts, plan.off);
    this.#operator.onPace(() => {
      for (const feature of this.#features.values()) feature.onPace?.();
    });
    this.#subscribers = this.#subscribersInOrder();
  }

  static start(plan: RunPlan): Started {
    const { config, folder, personas } = plan;
    const created = Journal.create(runPaths(folder).journal, journalSettings(config));
    if (!created.ok) return created;
    const runner = new SimulationRunner(plan, startOf(created.journal));
    const create = (): readonly string[] => {
      runner.#noteStart("run_started");
      const { mechanisms } = plan.schedule;
      const opening = openingRequests(runner.#physics, mechanisms.map(described));
      for (const request of opening) runner.world.submit(request);
      planSchedule(runner.world, runner.#schedule, 0);
      return [
        ...createAgents(runner.world, newcomersOf(config, personas), 0),
        ...installMechanisms(runner.world, mechanisms),
      ];
    };
    return runner.#startedBy(() => created.journal.inOneCommit(create));
  }

  static resume(plan: RunPlan, point: ResumePoint): Started {
    const runner = new SimulationRunner(plan, point);
    return runner.#startedBy(() => {
      const { world } = runner;
      runner.#noteStart("run_resumed");
      void runner.#models.memory?.restore(new Map(world.state.memories.entries()));
      runner.#health.restore();
      const newcomers = newcomersOf(plan.config, plan.personas);
      const change = { physics: runner.#physics, newcomers };
      planSchedule(world, runner.#schedule, runner.clock.now());
      return applyChange(world, change, runner.clock.now());
    });
  }

  /** The run times at which this process started or resumed the run, and at which it stops. */
  get span(): { readonly fromMs: number; readonly stopAtMs: number } {
    return { fromMs: this.#fromMs, stopAtMs: this.#plan.stopAtMs };
  }

  get engineVersion(): string {
    return this.#sandbox.engineVersion;
  }

  get replayed(): ReturnType<LanguageModels["replayed"]> {
    return this.#models.replayed();
  }

  /**
   * From now on, the run does not stop while an operator can let an agent continue: one that is
   * paused, or whose action waits for a reviewer.
   */
  operate(): Operator {
    this.#operator.attend("operator");
    return this.#operator;
  }

  /** From now on, the run does not stop while an action waits for a reviewer. */
  awaitReviews(): void {
    this.#operator.attend("reviewer");
  }

  /** What other processes can ask of the run. An answer waits until its events are on disk. */
  async controlMethods(): Promise<ControlMethods> {
    const operate = controlMethod(OPERATOR_METHODS.operate, async (command) => {
      const operator = this.operate();
      if (operator.pace === "over") return RUN_OVER;
      const outcome = await untilFailed(async () => {
        const executed = await operator.execute(command);
        if (executed.ok) await this.journal.durable();
        return executed;
      });
      return typeof outcome === "string" ? refusal(outcome) : { ok: true, value: outcome };
    });
    const others = [...this.#features.values()].map(async (feature) => await feature.methods?.());
    return Object.assign({ operate }, ...(await Promise.all(others)));
  }

  /** Tells the features that other processes can connect. Returns what does not work, or null. */
  controlled(): string | null {
    const problems = [...this.#features.values()].map((feature) => feature.controlled?.() ?? null);
    return problems.find((problem) => problem !== null) ?? null;
  }

  follow(listener: (rows: readonly JournalRow[]) => void): () => void {
    return this.journal.onCommitted(listener);
  }

  /** Stops the run after the current transaction. A later call does not change the reason. */
  stop(reason: StopReason): void {
    if (this.#stoppedBy !== null) return;
    this.#stoppedBy = reason;
    this.#ending.abort();
    this.#operator.release();
    setTimeout(() => this.clock.stop(), this.#shutdownMs).unref();
  }

  /** Runs to the end, saves the last state and closes the journal. Call this only once. */
  async run(): Promise<RunResult> {
    const startedAt = performance.now();
    let problem: string | null = null;
    try {
      await this.#minds.loadAll();
      this.#startTasks();
      this.#stopFor(idleReason(this.world.state));
      await this.clock.run();
    } catch (error) {
      problem = failureIn(error);
    } finally {
      this.#operator.release();
      for (const feature of this.#features.values()) await feature.close?.();
      await this.#models.memory?.close(this.#shutdownMs);
      await this.#models.close();
    }
    const ended = await this.#end(problem);
    this.#plan.modules.close();
    await this.#sandbox.close();
    await this.#minds.close();
    return { ...ended, fromMs: this.#fromMs, wallMs: performance.now() - startedAt };
  }

  get #shutdownMs(): number {
    return msOf(this.#plan.config.timeouts.shutdown_s);
  }

  #startTasks(): void {
    const { config } = this.#plan;
    const { world, clock } = this;
    const { signal } = this.#ending;
    this.#loops = new AgentLoops({
      world,
      clock,
      minds: this.#minds,
      queue: this.#queue,
      stopAtMs: this.#plan.stopAtMs,
      warn: this.#warn,
      onOverBudget: () => this.stop("max_cost"),
      signal,
    });
    for (const feature of this.#features.values()) feature.start?.();
    this.#loops.start(this.#openThoughts);
    runMint({ tasks: tasksFor(config), scorer: this.#scorer(), world, clock, signal });
    this.#sales = runComputeSales(world, clock, signal);
    executeSchedule(config, world, clock, signal);
    const late = unreached(this.#schedule, this.#plan);
    if (late !== null) this.#plan.note?.(late);
    this.#checkpoints.start();
    clock.spawn(() => this.#stopAtEnd(), ORDERS.stop);
    this.#health.start();
  }

  /** Starts the run. `work` writes the first events and returns problems that prevent the run. */
  #startedBy(work: () => readonly string[]): Started {
    const problem = unlessFailed(() => work()[0] ?? null);
    if (problem !== null) this.abandon();
    return problem === null ? { ok: true, runner: this } : { ok: false, problem };
  }

  /** Closes a run that does not begin. */
  abandon(): void {
    this.#closeFailedJournal();
    this.#plan.modules.close();
    void this.#sandbox.close();
    void this.#minds.close();
    void this.#models.memory?.close(this.#shutdownMs);
    void this.#models.close();
  }

  #noteStart(kind: "run_started" | "run_resumed"): void {
    const { version, config } = this.#plan;
    const { clock, seed } = config.run;
    const body = { version, engine: this.engineVersion, clock, seed };
    appendRunEvent(this.journal, { atMs: this.clock.now(), kind, body });
  }

  /** Ignores a journal failure, because the caller already reports a problem. */
  #closeFailedJournal(): void {
    unlessFailed(() => this.journal.close());
  }

  #openModels({ usage, calls }: ResumePoint): LanguageModels {
    return openLanguageModels(this.#plan, {
      usage,
      resumed: calls,
      physics: this.#physics,
      sink: (call) => this.#noteCall(call),
      durable: () => this.journal.durable(),
      clock: this.clock,
      journal: this.journal,
      warn: this.#warn,
    });
  }

  #scorer(): Scorer {
    const { mint, llm } = this.#plan.config;
    if (mint.scorer === "usage") return usageScorer;
    const { model } = this.#models;
    // A score waits for the thoughts in progress, so that it finds the budget that they leave.
    const asked: Model = {
      ask: (request, signal) => this.#queue.start(WHOLE_BUDGET, () => model.ask(request, signal)),
    };
    return llmScorer({
      model: asked,
      modelId: llm.default_model,
      maxTokens: llm.max_tokens,
      reasoning: llm.reasoning,
      repairAttempts: llm.repair_attempts,
    });
  }

  #noteCall(call: RecordedCall): void {
    this.journal.noteModelCall((id) => this.#calls.write(call, id));
    // The loop of an agent stops the run when the thought of a refused call ends.
    const { reply, request } = call;
    const isRefused = !reply.ok && reply.fault === "over_budget";
    if (isRefused && request.agent === null) this.stop("max_cost");
  }

  async #stopAtEnd(): Promise<void> {
    const { signal } = this.#ending;
    const wake = await this.clock.until(this.#plan.stopAtMs, ORDERS.stop, signal);
    if (wake === "reached") this.stop("duration");
  }

  #openFeatures(): ReadonlyMap<RunFeature, OpenFeature> {
    const { folder, env, features, note } = this.#plan;
    const opened = new Map<RunFeature, OpenFeature>();
    for (const feature of features) {
      opened.set(
        feature,
        feature.open({
          world: this.world,
          journal: this.journal,
          clock: this.clock,
          folder,
          env,
          budget: this.#models.turnAccount,
          warn: this.#warn,
          note: (text) => note?.(text),
          signal: this.#ending.signal,
          // A feature opens what its type says.
          opened: <Opened extends OpenFeature>(other: RunFeature<Opened>) =>
            (opened.get(other) ?? null) as Opened | null,
        }),
      );
    }
    return opened;
  }

  /** All that is told of each committed transaction. The last one can stop the run. */
  #subscribersInOrder(): readonly Subscriber[] {
    return [
      (events) => this.#health.onEvents(events),
      (events) => this.#models.memory?.note(events, this.journal.head().seq),
      (events) => this.#loops?.onEvents(events),
      (events) => this.#operator.onEvents(events),
      ...[...this.#features.values()].map(
        (feature): Subscriber =>
          (events) =>
            feature.onEvents?.(events),
      ),
      (events) => this.#sales?.(events),
      (events) => this.#stopFor(this.#stopRule(events, this.world.state)),
    ];
  }

  #stopFor(reason: StopReason | null): void {
    const why = this.#operator.stopReason(reason);
    if (why !== null) this.stop(why);
  }

  async #end(problem: string | null): Promise<Omit<RunResult, "fromMs" | "wallMs">> {
    const stoppedBy = this.#stoppedBy ?? "idle";
    const atMs = stoppedBy === "duration" ? this.#plan.stopAtMs : this.clock.now();
    const end = problem ?? (await this.#saveEnd(stoppedBy, atMs));
    if (typeof end !== "string") return { stoppedBy, atMs, ...end, problem: null };
    this.#closeFailedJournal();
    return { stoppedBy: "error", atMs: this.clock.now(), ...NO_END, problem: end };
  }

  /** Saves the last state and closes the journal. Returns the problem if the journal fails. */
  async #saveEnd(stoppedBy: StopReason, atMs: number): Promise<RunEnd | string> {
    try {
      const { stateHash, file: checkpoint } = await this.#checkpoints.saveFinal(atMs);
      appendRunEvent(this.journal, { atMs, kind: "run_stopped", body: { stopped_by: stoppedBy } });
      const { seq: lastSeq, hash: journalHash } = this.journal.head();
      this.journal.close();
      return { stateHash, journalHash, lastSeq, checkpoint };
    } catch (error) {
      return failureIn(error);
    }
  }
}

const mindTimes = ({ run, policy, virtual }: RunPlan["config"]) => ({
  seed: run.seed,
  policyPrice: { micros: policy.thought_micros, calls: 0, tokens: policy.thought_tokens },
  policyThinkMs: virtual.think_ms.policy,
  scriptThinkMs: virtual.think_ms.script,
});

type RunEnd = Pick<RunResult, "stateHash" | "journalHash" | "lastSeq" | "checkpoint">;
