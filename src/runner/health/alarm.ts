/** What can be wrong with an economy as a whole. */
export const ALARMS = [
  "no_trade",
  "identical_behaviour",
  "no_scarcity",
  "read_only",
  "repeated_failure",
  "inflation",
] as const;
export type AlarmName = (typeof ALARMS)[number];

/** An alarm that rings now; the cause is one line in plain words, with the figures behind it. */
export type Alarm = { readonly name: AlarmName; readonly cause: string };

/** When each alarm rings. Shares are of the actions within one window. */
export type HealthBounds = {
  readonly every_ms: number;
  readonly window_ms: number;
  /** Fewer actions than this say nothing about behaviour. */
  readonly actions_min: number;
  /** `identical_behaviour`: the commonest action makes up at least this share. */
  readonly identical_share: number;
  /** `read_only`: reads and noops make up at least this share. */
  readonly passive_share: number;
  /** `repeated_failure`: one agent failed so often in a row at the same thing. */
  readonly repeats: number;
  /** `inflation`: the supply grew by more than this part of itself. */
  readonly growth_share: number;
};
