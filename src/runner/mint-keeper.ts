import { closesAt, hasMint, invariant, type Submission, wholeOf } from "../kernel/index.ts";
import { type Clock, dossierOf, type Scored, type Scorer, type World } from "../world/index.ts";
import type { WorldTask } from "./config/index.ts";

export type MintPlan = { readonly scorer: Scorer; readonly tasks: readonly WorldTask[] };

/**
 * The places of its tasks among those due at one moment, all different: a run that was cut in that
 * moment must go on in the same order. Before all agents, who then see what came of it.
 */
export type MintOrders = {
  readonly auctions: number;
  readonly scores: number;
  readonly tasks: number;
};

export type MintKeeperParts = MintPlan & {
  readonly world: World;
  readonly clock: Clock;
  readonly orders: MintOrders;
  readonly signal: AbortSignal;
};

type Judgement = Extract<Scored, { readonly ok: true }>;

/**
 * Keeps the mint's hours: ends each auction at its close, has the winners scored, and offers the
 * world's own tasks when their time comes. A scorer may take long: the next auctions go on without
 * it. In a world without a mint it does nothing.
 */
export class MintKeeper {
  readonly #parts: MintKeeperParts;
  /** Winners that a scorer looks at now. */
  readonly #scoring = new Set<string>();

  constructor(parts: MintKeeperParts) {
    this.#parts = parts;
  }

  begin(): void {
    const { world, clock, orders } = this.#parts;
    if (!hasMint(world.state)) return;
    clock.spawn(() => this.#offerTasks(), orders.tasks);
    clock.spawn(() => this.#holdAuctions(), orders.auctions);
  }

  /** Those whose time is still to come; one of this very moment the world may have had already. */
  async #offerTasks(): Promise<void> {
    const { world, clock, orders, signal, tasks } = this.#parts;
    const startMs = clock.now();
    const later = tasks.filter(({ atMs }) => atMs >= startMs).sort((a, b) => a.atMs - b.atMs);
    for (const { atMs, ...task } of later) {
      if ((await clock.until(atMs, orders.tasks, signal)) === "cancelled") return;
      world.submit({ kind: "open_task", at_ms: clock.now(), ...task });
    }
  }

  async #holdAuctions(): Promise<void> {
    const { world, clock, orders, signal } = this.#parts;
    for (;;) {
      this.#scoreWinners();
      const { auctions, physics } = wholeOf(world.state);
      const wake = await clock.until(closesAt(physics.mint, auctions), orders.auctions, signal);
      if (wake === "cancelled") return;
      const { success } = world.submit({ kind: "resolve_auction", at_ms: clock.now() });
      invariant(success, "an auction that has closed can be resolved");
    }
  }

  #scoreWinners(): void {
    const { world, clock, orders } = this.#parts;
    const winners = [...world.state.submissions.rows()]
      .filter(({ id, stage }) => stage === "won" && !this.#scoring.has(id))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const winner of winners) {
      this.#scoring.add(winner.id);
      clock.spawn(() => this.#score(winner), orders.scores);
    }
  }

  async #score(winner: Submission): Promise<void> {
    const { world, clock, scorer, signal } = this.#parts;
    const { id: submission } = winner;
    const scored = await scorer.score(dossierOf(world, winner, clock.now()), signal);
    if (signal.aborted) return;
    this.#scoring.delete(submission);
    const failure = scored.ok ? this.#record(submission, scored) : scored.reason;
    if (failure === null) return;
    world.submit({ kind: "fail_scoring", at_ms: clock.now(), submission, reason: failure });
  }

  /** Null when the world takes the score; otherwise why it cannot be one. */
  #record(submission: string, { score, reason, memo }: Judgement): string | null {
    const { world, clock } = this.#parts;
    const at_ms = clock.now();
    const command = { kind: "score_artifact", at_ms, submission, score, reason, memo } as const;
    const { success, message } = world.submit(command);
    return success ? null : message;
  }
}
