import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { Dice } from "../../../src/kernel/core/dice.ts";
import { agentProblem } from "../../../src/run/index.ts";
import {
  type Checkpoint,
  readCheckpoint,
  replay,
  stateHash,
  verifyJournal,
} from "../../../src/world/index.ts";
import type { Row } from "../../support/auditor.ts";
import { donor } from "./agents.ts";
import {
  copyJournal,
  damageLogEnd,
  damageMemoryIndex,
  dropLaterCheckpoints,
  newestCheckpoint,
  restoreJournal,
} from "./disk.ts";
import type { Crash } from "./fault-injector.ts";
import { newWorldFolder, writeAgents, writeLibrary, writePersona } from "./folders.ts";
import { interruptionPoints } from "./interruption-points.ts";
import { checkpointAt, divergenceOf, Finding, lastOpeningEvent, withJournal } from "./journals.ts";
import { FAULTLESS, simulatedModels } from "./models.ts";
import { type Interruption, planOf, type WorldPlan } from "./plan.ts";
import { configOf, runSession, type Session, type SessionOutcome, type Start } from "./session.ts";

/** The report of a world in which no check failed. */
export type WorldReport = {
  readonly events: number;
  readonly sessions: number;
  readonly audits: number;
  readonly repeatable: boolean;
  readonly kinds: ReadonlyMap<string, number>;
  /** How interrupted sessions ended. */
  readonly ends: readonly string[];
};

/** Simulates the world of a seed. Throws if a check fails. */
export const simulateWorld = async (seed: number): Promise<WorldReport> => {
  const root = newWorldFolder();
  try {
    return await new WholeWorld(planOf(seed), root).run();
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

type Ended = Extract<SessionOutcome, { readonly kind: "ended" }>;

/** One world, run with interruptions and once without. */
class WholeWorld {
  readonly #plan: WorldPlan;
  readonly #root: string;
  readonly #dice: Dice;
  readonly #ends: string[] = [];
  #sessions = 0;
  #audits = 0;

  constructor(plan: WorldPlan, root: string) {
    this.#plan = plan;
    this.#root = root;
    // The label is part of the seed: another label changes what every seed draws.
    this.#dice = Dice.of(plan.seed, "mishaps");
  }

  async run(): Promise<WorldReport> {
    const { agents, repeatable, resumeChecks } = this.#plan;
    writeAgents(join(this.#root, "agents"), agents);
    writeLibrary(join(this.#root, "library"));
    const uninterrupted = await this.#runSession({ start: this.#startNew("whole") });
    const twin = this.#finished(uninterrupted, "the uninterrupted world");
    const twinHash = this.#replayedHash(twin);
    for (let n = 0; n < resumeChecks; n += 1) await this.#checkResume(twin);
    const { last, hash } = await this.#runWithInterruptions(twin.rows);
    const divergence = repeatable ? divergenceOf(twin.rows, last.rows) : null;
    if (divergence !== null || (repeatable && hash !== twinHash)) {
      const where =
        divergence ?? `no event, but the states have the hashes ${twinHash} and ${hash}`;
      throw new Finding(`the interrupted world differs from its uninterrupted twin: ${where}`);
    }
    await this.#checkRecovery(last);
    const kinds = new Map<string, number>();
    for (const { kind } of last.rows) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    return {
      events: last.rows.length,
      sessions: this.#sessions,
      audits: this.#audits,
      repeatable,
      kinds,
      ends: this.#ends,
    };
  }

  #startNew(out: string): Start {
    const folder = join(this.#root, "agents");
    return { kind: "new", out: join(this.#root, out), runId: this.#nextRunId(), folder };
  }

  #nextRunId(): string {
    return `session${this.#sessions}`;
  }

  async #runSession(some: Partial<Session> & Pick<Session, "start">): Promise<SessionOutcome> {
    this.#sessions += 1;
    const { settings, models, auditedEvery } = this.#plan;
    const outcome = await runSession({
      sets: settings,
      fetch: simulatedModels(models),
      history: [],
      auditedEvery,
      crash: null,
      crashed: () => {},
      freeBytes: null,
      stopAfterS: null,
      checkpoints: join(this.#root, "checkpoints"),
      library: join(this.#root, "library"),
      ...some,
    });
    if (outcome.kind === "ended") this.#audits += outcome.audits;
    return outcome;
  }

  #finished(outcome: SessionOutcome, what: string): Ended {
    if (outcome.kind === "refused") throw new Finding(`${what} did not start: ${outcome.problem}`);
    if (outcome.problem !== null) throw new Finding(`${what} failed: ${outcome.problem}`);
    return outcome;
  }

  /** Returns the hash of the replayed journal, which must be the final hash of the run. */
  #replayedHash({ folder, result }: Pick<Ended, "folder" | "result">): string {
    const hash = withJournal(folder, (journal) => stateHash(replay(journal).state));
    if (result === null || result.stateHash === hash) return hash;
    throw new Finding(`the run ended with state ${result.stateHash}, its replay with ${hash}`);
  }

  /** Returns the replayed hash after it has verified the journal. */
  #verifiedHash(ended: Pick<Ended, "folder" | "result">): string {
    const hash = this.#replayedHash(ended);
    const { checks } = withJournal(ended.folder, (journal) => verifyJournal(journal, agentProblem));
    const failed = checks.filter((check) => !check.ok);
    if (failed.length === 0) return hash;
    const problems = failed.map(({ name, detail }) => `${name}: ${detail}`).join("; ");
    throw new Finding(`the journal does not verify: ${problems}`);
  }

  /** Resumes the world from a random event. The next seconds must be the same as in the twin. */
  async #checkResume({ folder, rows }: Ended): Promise<void> {
    const point = this.#dice.choose(interruptionPoints(rows, this.#dice));
    if (point === undefined) return;
    const from = await checkpointAt(folder, point);
    const outcome = await this.#runSession({
      start: this.#forkOf(from),
      history: rows.slice(0, from.seq),
      stopAfterS: RESUME_CHECK_S,
    });
    if (isAtHorizon(outcome)) return;
    const resumed = this.#finished(outcome, `the world resumed from event ${from.seq}`);
    const untilMs = from.atMs + RESUME_CHECK_S * 1_000;
    const early = (all: readonly Row[]) => all.filter(({ atMs }) => atMs < untilMs);
    const divergence = divergenceOf(early(rows), early(resumed.rows));
    if (divergence === null) return;
    throw new Finding(`resumed from event ${from.seq}, the world differs: ${divergence}`);
  }

  #forkOf(from: Checkpoint): Extract<Start, { readonly kind: "fork" }> {
    const out = join(this.#root, "forks");
    return { kind: "fork", out, runId: this.#nextRunId(), from, folder: null, additionalS: null };
  }

  async #runWithInterruptions(rows: readonly Row[]): Promise<Finished> {
    let beginning: Beginning = { start: this.#startNew("interrupted"), history: [] };
    for (const interruption of this.#plan.interruptions) {
      const copy = join(this.#root, `copy${this.#sessions}`);
      const { freeBytes } = interruption;
      const crash = freeBytes === null ? this.#crashOf(interruption, rows) : null;
      const crashed = (folder: string): void => copyJournal(folder, copy);
      const outcome = await this.#runSession({ ...beginning, crash, crashed, freeBytes });
      const next = await this.#afterInterruption(outcome, { ...beginning, interruption, copy });
      if ("hash" in next) return next;
      beginning = next;
    }
    const outcome = await this.#runSession(beginning);
    if (isAtHorizon(outcome)) return this.#finishedEarlier(beginning);
    const last = this.#finished(outcome, "the world after its interruptions");
    return { last, hash: this.#verifiedHash(last) };
  }

  /** The write at which a session crashes. `rows` are the events of the uninterrupted twin. */
  #crashOf(interruption: Interruption, rows: readonly Row[]): Crash {
    const { part, write, betweenSteps, done } = interruption;
    const points = betweenSteps ? interruptionPoints(rows, this.#dice) : [];
    const point = points[Math.floor(part * points.length)];
    const kind = point === undefined ? undefined : rows[point]?.kind;
    if (point === undefined || kind === undefined) {
      return { seq: Math.floor(part * rows.length), write, kind: null, done };
    }
    return { seq: point, write: "append", kind, done };
  }

  /** The world reached its horizon before the last interruption. */
  #finishedEarlier({ start, history }: Beginning): Finished {
    if (start.kind !== "resume") throw new Finding("a new run is refused as finished");
    const { folder } = start;
    const rows = withJournal(folder, (journal) => [...history, ...journal.events()]);
    return { last: { folder, rows }, hash: this.#verifiedHash({ folder, result: null }) };
  }

  async #afterInterruption(
    outcome: SessionOutcome,
    session: Interrupted,
  ): Promise<Beginning | Finished> {
    const { interruption } = session;
    if (outcome.kind === "refused") return this.#afterRefusal(outcome.problem, session);
    if (outcome.result !== null) return { last: outcome, hash: this.#verifiedHash(outcome) };
    const { folder, rows, crashed, problem } = outcome;
    if (crashed) restoreJournal(session.copy, folder);
    else if (interruption.freeBytes === null) throw new Finding(`a session failed: ${problem}`);
    if (crashed && interruption.logDamaged) damageLogEnd(folder, this.#dice);
    if (interruption.indexDamaged) damageMemoryIndex(folder, this.#dice);
    const crashName = `${interruption.logDamaged ? "damaged " : ""}${outcome.interruptedAt}`;
    this.#ends.push(crashed ? crashName : "disk full");
    const head = this.#checkedHead(outcome, interruption);
    dropLaterCheckpoints(this.#checkpointsOf(folder), head);
    if (head < lastOpeningEvent(rows)) return { start: this.#startNew("interrupted"), history: [] };
    const from =
      interruption.next === "resume"
        ? null
        : await this.#forkPoint(outcome, { interruption, head });
    if (from === null) {
      const base = withJournal(folder, (journal) => journal.baseMark()?.seq ?? 0);
      return { start: { kind: "resume", folder }, history: rows.slice(0, base) };
    }
    return { start: this.#forkOf(from), history: rows.slice(0, from.seq) };
  }

  #afterRefusal(problem: string, session: Interrupted): Beginning | Finished {
    const { interruption, start, history } = session;
    if (HORIZON_REACHED.test(problem)) return this.#finishedEarlier({ start, history });
    if (interruption.freeBytes === null) throw new Finding(`a session did not start: ${problem}`);
    this.#ends.push("no space to start");
    // A refused new run leaves nothing behind, so the next session can use its name.
    return { start, history };
  }

  #checkpointsOf(folder: string): string {
    return join(this.#root, "checkpoints", basename(folder));
  }

  /** Compares the journal on disk with the written events. Returns the number of its last event. */
  #checkedHead(ended: Ended, { logDamaged }: Interruption): number {
    const { folder, rows, acknowledged, crashed } = ended;
    return withJournal(folder, (journal) => {
      const { seq } = journal.head();
      if (seq < acknowledged && !(logDamaged && crashed)) {
        const lost = `event ${acknowledged} was acknowledged`;
        throw new Finding(`${lost}, but the journal ends with event ${seq}`);
      }
      for (const row of journal.events()) {
        const written = rows[row.seq - 1];
        if (written?.body !== row.body || written.kind !== row.kind || written.atMs !== row.atMs) {
          throw new Finding(`event ${row.seq} differs from what was written`);
        }
      }
      return seq;
    });
  }

  /** Returns the checkpoint from which to fork; null if the world is already at its horizon. */
  async #forkPoint(ended: Ended, kept: Kept): Promise<Checkpoint | null> {
    const checkpoint = await this.#checkpointOf(ended, kept);
    const { duration_s } = configOf(this.#plan.settings).run;
    return checkpoint.atMs >= duration_s * 1000 ? null : checkpoint;
  }

  async #checkpointOf({ folder, rows }: Ended, { interruption, head }: Kept): Promise<Checkpoint> {
    const checkpoints = this.#checkpointsOf(folder);
    const file = interruption.next === "checkpoint" ? newestCheckpoint(checkpoints, head) : null;
    if (file !== null) {
      const read = readCheckpoint(file);
      if (!read.ok) throw new Finding(`${file}: ${read.problem}`);
      return read.checkpoint;
    }
    const base = withJournal(folder, (journal) => journal.baseMark()?.seq ?? 0);
    const first = Math.max(base, lastOpeningEvent(rows));
    return checkpointAt(folder, this.#eventToForkFrom(rows.slice(0, head), first));
  }

  /** Mostly an event between two steps of an agent or of the mint. */
  #eventToForkFrom(rows: readonly Row[], first: number): number {
    const points = this.#dice.chance(0.8) ? interruptionPoints(rows, this.#dice) : [];
    const point = this.#dice.choose(points.filter((each) => each > first));
    return point ?? first + this.#dice.pick(rows.length - first + 1);
  }

  /** Without faults and with budget for all agents, some agent that can still act must succeed. */
  async #checkRecovery({ folder, rows }: Pick<Ended, "folder" | "rows">): Promise<void> {
    const head = withJournal(folder, (journal) => journal.head().seq);
    const from = await checkpointAt(folder, head);
    const agents = withJournal(folder, (journal) => [...replay(journal).state.agents.rows()]);
    const alive = agents.filter(({ state }) => state !== "stopped").map(({ id }) => String(id));
    const donors = join(this.#root, "donors");
    writePersona(donors, "donor", donor(alive));
    const start: Start = {
      kind: "fork",
      out: join(this.#root, "recovered"),
      runId: "recovered",
      from,
      folder: donors,
      additionalS: RECOVERY_S,
    };
    const until = new Set(alive.length === 0 ? ["donor"] : alive);
    const outcome = await this.#runSession({
      start,
      sets: [...this.#plan.settings, ...RECOVERY_SETTINGS],
      fetch: simulatedModels({ ...this.#plan.models, ...FAULTLESS }),
      until,
      history: rows.slice(0, head),
    });
    const recovered = this.#finished(outcome, "the world without faults");
    this.#replayedHash(recovered);
    if (recovered.succeeded) return;
    throw new Finding(`the world does not recover: no action of ${[...until]} succeeds`);
  }
}

/** Simulated seconds; enough for the next thought of most agents. */
const RESUME_CHECK_S = 3;
const RECOVERY_S = 130;
const RECOVERY_SETTINGS = [
  "resources.stock.llm_budget_usd=20",
  "spawn.principals_max=10000",
  "budget.max_api_cost_usd=1000",
  "llm.timeout_s=60",
  "journal.group_ms=0",
  "virtual.think_ms.llm=[100,900]",
];

/** How a session starts, and the events before the first event of its journal. */
type Beginning = { readonly start: Start; readonly history: readonly Row[] };

/** A session with its interruption, and the folder of the files at the crash. */
type Interrupted = Beginning & { readonly interruption: Interruption; readonly copy: string };

/** An interruption and the number of the last event that is still on disk. */
type Kept = { readonly interruption: Interruption; readonly head: number };

/** A world that reached its end, with the hash of its state. */
type Finished = { readonly last: Pick<Ended, "folder" | "rows">; readonly hash: string };

const HORIZON_REACHED = /has reached its horizon/;

const isAtHorizon = (outcome: SessionOutcome): boolean =>
  outcome.kind === "refused" && HORIZON_REACHED.test(outcome.problem);
