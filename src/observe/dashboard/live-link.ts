import type { OperatorOrder, OrderOutcome, Pace } from "../../runner/index.ts";

/** The way from the page to a run that goes on in this process. */
export type LiveLink = {
  /** Which run it is; null: none yet. */
  readonly runId: () => string | null;
  readonly pace: () => Pace;
  /** Calls `listener` with each change of pace. Returns the way to end that. */
  readonly onPace: (listener: (pace: Pace) => void) => () => void;
  readonly carryOut: (order: OperatorOrder) => Promise<OrderOutcome>;
};
