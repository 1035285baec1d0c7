import { closesAt, hasMint, invariant, type Submission, worldRow } from "../../kernel/index.ts";
import {
  type Clock,
  candidateOf,
  type Scored,
  type Scorer,
  type World,
} from "../../world/index.ts";
import type { WorldTask } from "../config/index.ts";

/**
 * The order of the mint's tasks among all tasks that are due at the same run time. The mint comes
 * before the agents, so that agents see the result of an auction as soon as the auction ends. The
 * three values differ, so that a resumed run has the same order as an uninterrupted run.
 */
const ORDERS = { auctions: -4, scores: -3, tasks: -2 } as const;

export type MintSchedulerParts = {
  readonly scorer: Scorer;
  readonly tasks: readonly WorldTask[];
  readonly world: World;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

type Judgement = Extract<Scored, { readonly ok: true }>;

/**
 * Runs the schedule of the mint. Resolves each auction when it closes, lets the scorer score the
 * winners, and opens the configured tasks. The next auction does not wait for a slow scorer. Does
 * nothing in a world without a mint.
 */
export class MintScheduler {
  readonly #parts: MintSchedulerParts;
  readonly #scoring = new Set<string>();

  constructor(parts: MintSchedulerParts) {
    this.#parts = parts;
  }

  start(): void {
    const { world, clock } = this.#parts;
    if (!hasMint(world.state)) return;
    clock.spawn(() => this.#openTasks(), ORDERS.tasks);
    clock.spawn(() => this.#resolveAuctions(), ORDERS.auctions);
  }

  /** Waits for the time of each future task and opens it. The world refuses tasks opened before. */
  async #openTasks(): Promise<void> {
    const { world, clock, signal, tasks } = this.#parts;
    const startMs = clock.now();
    const later = tasks.filter(({ atMs }) => atMs >= startMs).sort((a, b) => a.atMs - b.atMs);
    for (const { atMs, ...task } of later) {
      if ((await clock.until(atMs, ORDERS.tasks, signal)) === "cancelled") return;
      world.submit({ kind: "open_task", at_ms: clock.now(), ...task });
    }
  }

  async #resolveAuctions(): Promise<void> {
    const { world, clock, signal } = this.#parts;
    for (;;) {
      this.#scoreWinners();
      const { auctions, physics } = worldRow(world.state);
      const wake = await clock.until(closesAt(physics.mint, auctions), ORDERS.auctions, signal);
      if (wake === "cancelled") return;
      const { success } = world.submit({ kind: "resolve_auction", at_ms: clock.now() });
      invariant(success, "a closed auction must be resolvable");
    }
  }

  #scoreWinners(): void {
    const { world, clock } = this.#parts;
    const winners = [...world.state.submissions.rows()]
      .filter(({ id, stage }) => stage === "won" && !this.#scoring.has(id))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const winner of winners) {
      this.#scoring.add(winner.id);
      clock.spawn(() => this.#score(winner), ORDERS.scores);
    }
  }

  async #score(winner: Submission): Promise<void> {
    const { world, clock, scorer, signal } = this.#parts;
    const { id: submission } = winner;
    const scored = await scorer.score(candidateOf(world, winner, clock.now()), signal);
    if (signal.aborted) return;
    this.#scoring.delete(submission);
    const failure = scored.ok ? this.#record(submission, scored) : scored.reason;
    if (failure === null) return;
    world.submit({ kind: "fail_scoring", at_ms: clock.now(), submission, reason: failure });
  }

  /** Submits a score to the world. Returns why the world refused the score, or null on success. */
  #record(submission: string, { score, reason, memo }: Judgement): string | null {
    const { world, clock } = this.#parts;
    const at_ms = clock.now();
    const command = { kind: "score_artifact", at_ms, submission, score, reason, memo } as const;
    const { success, message } = world.submit(command);
    return success ? null : message;
  }
}
