import {
  closesAt,
  type Event,
  hasMint,
  invariant,
  nextSaleAt,
  offersCompute,
  type ScheduledChange,
  type Submission,
  worldRow,
} from "../../kernel/index.ts";
import {
  type Clock,
  candidateOf,
  ORDERS,
  type Request,
  type Scorer,
  type World,
} from "../../world/index.ts";
import type { Config, WorldTask } from "../config/index.ts";
import { physicsWith } from "../schedule/plan.ts";

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

/**
 * Executes the sale of model budget at the end of each period. Waits while the world sells no model
 * budget, because the schedule of the run can start the sale later. Returns a function to be called
 * after each transaction, which notices changed physics.
 */
export const runComputeSales = (
  world: World,
  clock: Clock,
  signal: AbortSignal,
): ((events: readonly Event[]) => void) => {
  const timer = clock.timer(ORDERS.sales);
  const dueMs = (): number =>
    offersCompute(world.state) ? nextSaleAt(world.state) : Number.POSITIVE_INFINITY;
  clock.spawn(async () => {
    for (;;) {
      if ((await timer.until(dueMs(), signal)) === "cancelled") return;
      // The physics may have changed since this task fell asleep, even in this millisecond.
      if (dueMs() > clock.now()) continue;
      const { success } = world.submit({ kind: "sell_compute", at_ms: clock.now() });
      invariant(success, "a sale of model budget must happen when it is due");
    }
  }, ORDERS.sales);
  return (events) => {
    if (events.some(({ kind }) => kind === "physics_amended")) timer.poke();
  };
};

/** Executes each entry of the world's schedule at its time, in the order of the schedule. */
export const executeSchedule = (
  config: Config,
  world: World,
  clock: Clock,
  signal: AbortSignal,
): void => {
  const commandFor = (change: ScheduledChange): Request => {
    const command = { kind: "execute_scheduled", at_ms: clock.now() } as const;
    if (change.kind === "set") {
      const before = worldRow(world.state).schedule.settings;
      const after = physicsWith(config, { ...before, ...change.settings });
      return after.ok
        ? { ...command, physics: after.physics }
        : { ...command, problem: after.problem };
    }
    const code = change.kind === "install" ? (change.fields.code ?? null) : null;
    return code === null ? command : { ...command, code_check: world.checkCode(code) };
  };
  if (worldRow(world.state).schedule.entries.length === 0) return;
  clock.spawn(async () => {
    for (;;) {
      const [next] = worldRow(world.state).schedule.entries;
      if (next === undefined) return;
      if ((await clock.until(next.at_ms, ORDERS.schedule, signal)) === "cancelled") return;
      world.submit(commandFor(next.change));
    }
  }, ORDERS.schedule);
};
