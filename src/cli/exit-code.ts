/** What the process ends with. */
export const EXIT = {
  done: 0,
  /** The thing asked about does not hold: verify, validate, compare. */
  doesNotHold: 1,
  /** Wrong usage or configuration. */
  wrongUsage: 2,
  /** Disk, network or port. */
  couldNotRun: 3,
  /** Stopped by SIGINT, after a clean stop. */
  interrupted: 130,
  /** Stopped by SIGTERM, after a clean stop. */
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What a process ends with that has stopped well because of a signal. */
export const exitCodeOf = (signal: "SIGINT" | "SIGTERM"): ExitCode =>
  signal === "SIGINT" ? EXIT.interrupted : EXIT.terminated;
