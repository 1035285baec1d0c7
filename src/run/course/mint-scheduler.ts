import { closesAt, hasMint, invariant, type Submission, worldRow } from "../../kernel/index.ts";
import { type Clock, candidateOf, type Scorer, type World } from "../../world/index.ts";
import type { WorldTask } from "../config/index.ts";

/**
 * The order of the mint's tasks among all tasks that are due at the same run time. The mint comes
 * before the agents, so that agents see the result of an auction as soon as the auction ends. The
 * three values differ, so that a resumed run has the same order as an uninterrupted run.
 */
const ORDERS = { auctions: -4, scores: -3, tasks: -2 } as const;

export type MintParts = {
  readonly scorer: Scorer;
  readonly tasks: readonly WorldTask[];
  readonly world: World;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/**
 * Runs the schedule of the mint. Resolves each auction when it closes, lets the scorer score the
 * winners, and opens the configured tasks. The next auction does not wait for a slow scorer. Does
 * nothing in a world without a mint.
 */
export const runMint = ({ scorer, tasks, world, clock, signal }: MintParts): void => {
  if (!hasMint(world.state)) return;
  const scoring = new Set<string>();

  const judge = async (winner: Submission): Promise<void> => {
    const { id: submission } = winner;
    const scored = await scorer.score(candidateOf(world, winner, clock.now()), signal);
    if (signal.aborted) return;
    scoring.delete(submission);
    const at_ms = clock.now();
    let failure: string | null = null;
    if (scored.ok) {
      const { score, reason, memo } = scored;
      const command = { kind: "score_artifact", at_ms, submission, score, reason, memo } as const;
      const { success, message } = world.submit(command);
      failure = success ? null : message;
    } else failure = scored.reason;
    if (failure === null) return;
    world.submit({ kind: "fail_scoring", at_ms, submission, reason: failure });
  };

  const scoreWinners = (): void => {
    const winners = [...world.state.submissions.rows()]
      .filter(({ id, stage }) => stage === "won" && !scoring.has(id))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const winner of winners) {
      scoring.add(winner.id);
      clock.spawn(() => judge(winner), ORDERS.scores);
    }
  };

  /** Waits for the time of each future task and opens it. The world refuses tasks opened before. */
  const openTasks = async (): Promise<void> => {
    const startMs = clock.now();
    const later = tasks.filter(({ atMs }) => atMs >= startMs).sort((a, b) => a.atMs - b.atMs);
    for (const { atMs, ...task } of later) {
      if ((await clock.until(atMs, ORDERS.tasks, signal)) === "cancelled") return;
      world.submit({ kind: "open_task", at_ms: clock.now(), ...task });
    }
  };

  const resolveAuctions = async (): Promise<void> => {
    for (;;) {
      scoreWinners();
      const { auctions, physics } = worldRow(world.state);
      const wake = await clock.until(closesAt(physics.mint, auctions), ORDERS.auctions, signal);
      if (wake === "cancelled") return;
      const { success } = world.submit({ kind: "resolve_auction", at_ms: clock.now() });
      invariant(success, "a closed auction must be resolvable");
    }
  };

  clock.spawn(openTasks, ORDERS.tasks);
  clock.spawn(resolveAuctions, ORDERS.auctions);
};
