/**
 * What each thing costs, in gas (whole numbers).
 *
 * Gas is a count, never a time, so the same call costs the same on every machine. The engine counts
 * one poll for each loop turn, call and backward jump; `tick` is the price of `POLLS_PER_TICK` of
 * them and is charged in proportion, rounded down once for the whole call.
 */
export type GasTable = {
  readonly call: number;
  readonly perKbCode: number;
  /** For each kilobyte begun of input and state together. */
  readonly perKbInput: number;
  readonly syscall: number;
  readonly tick: number;
  /** For each kilobyte of work done inside one native function (searching, sorting, parsing). */
  readonly perKbNative: number;
};

export const POLLS_PER_TICK = 10_000;

/** Every bound of a sandbox. A program that meets one ends with the outcome named after it. */
export type SandboxLimits = {
  /** Ceiling on the `gasMax` of any single call. */
  readonly gasMax: number;
  /** Engine heap of one running program, the engine's own 150 kB included. */
  readonly memoryBytes: number;
  readonly stackBytes: number;
  readonly resultBytesMax: number;
  readonly stateBytesMax: number;
  /** Log text over this is cut off without an error. */
  readonly logBytesMax: number;
  /** Ceiling on the `syscallsMax` of any single call. */
  readonly syscallsMax: number;
  /**
   * Engine time that one outermost call may take, nested calls included, answering excluded: CPU
   * time of its thread where the system tells it (Linux), time by the clock elsewhere.
   */
  readonly wallFuseMs: number;
  /** How many calls may be suspended below the running one. */
  readonly depthMax: number;
  readonly gasTable: GasTable;
};

export const STACK_BYTES_MAX = 4 * 1024 * 1024;
/** What one message between the threads has room for, its headings left out. */
export const OUTCOME_BYTES_MAX = 7 * 1024 * 1024;
export const MEMORY_BYTES_MAX = 1024 * 1024 * 1024;

/** What is wrong with `limits`, or null. */
export const limitsProblem = (limits: SandboxLimits): string | null => {
  const { gasTable, ...bounds } = limits;
  for (const [name, value] of [...Object.entries(bounds), ...Object.entries(gasTable)]) {
    if (!Number.isSafeInteger(value) || value < 0)
      return `${name} must be a whole number, 0 or more`;
  }
  if (limits.wallFuseMs < 1) return "wallFuseMs must be at least 1";
  if (limits.stackBytes < 32_768 || limits.stackBytes > STACK_BYTES_MAX) {
    return `stackBytes must be between 32768 and ${STACK_BYTES_MAX}`;
  }
  if (limits.memoryBytes < 524_288 || limits.memoryBytes > MEMORY_BYTES_MAX) {
    return `memoryBytes must be between 524288 and ${MEMORY_BYTES_MAX}`;
  }
  const carried = limits.resultBytesMax + limits.stateBytesMax + limits.logBytesMax;
  if (carried > OUTCOME_BYTES_MAX) {
    return `resultBytesMax, stateBytesMax, logBytesMax: at most ${OUTCOME_BYTES_MAX} together`;
  }
  return null;
};
