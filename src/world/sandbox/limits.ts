/**
 * Prices in gas, whole numbers. The engine counts a poll for each loop turn, call and backward
 * jump; `tick` is the price of `POLLS_PER_TICK` polls, rounded down once a call.
 */
type GasPrices = {
  readonly call: number;
  readonly perKbCode: number;
  /** For each started kilobyte of input and state together. */
  readonly perKbInput: number;
  readonly syscall: number;
  readonly tick: number;
  /** For each kilobyte of work inside a native function (searching, sorting, parsing). */
  readonly perKbNative: number;
};

const POLLS_PER_TICK = 10_000;

export type SandboxLimits = {
  /** Ceiling on the `gasMax` of any single call. */
  readonly gasMax: number;
  /** Engine heap of one running program, the engine's own 150 kB included. */
  readonly memoryBytes: number;
  readonly stackBytes: number;
  readonly resultBytesMax: number;
  readonly stateBytesMax: number;
  /** Longer logs are cut off without an error. */
  readonly logBytesMax: number;
  /** Ceiling on the `syscallsMax` of any single call. */
  readonly syscallsMax: number;
  /**
   * Engine time of an outermost call and its nested calls, without answering syscalls. CPU time on
   * Linux, wall time elsewhere.
   */
  readonly wallTimeoutMs: number;
  /** Calls suspended below the running one. */
  readonly depthMax: number;
  readonly gasTable: GasPrices;
};

const STACK_BYTES_MAX = 4 * 1024 * 1024;
/** One message carries an outcome. */
const OUTCOME_BYTES_MAX = 7 * 1024 * 1024;
const MEMORY_BYTES_MAX = 1024 * 1024 * 1024;

export const limitsProblem = (limits: SandboxLimits): string | null => {
  const { gasTable, ...bounds } = limits;
  for (const [name, value] of [...Object.entries(bounds), ...Object.entries(gasTable)]) {
    if (!Number.isSafeInteger(value) || value < 0)
      return `${name} must be a whole number, 0 or more`;
  }
  if (limits.wallTimeoutMs < 1) return "wallTimeoutMs must be at least 1";
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

/** The work of loading a program, charged again when it comes from the cache. */
export type Work = { readonly polls: number; readonly nativeBytes: number };

const KB = 1024;

export const kilobytes = (bytes: number): number => Math.ceil(bytes / KB);

/** Counts in integers, so that equal work gives equal gas everywhere. */
export class GasMeter {
  readonly #table: GasPrices;
  readonly #gasMax: number;
  #fixed = 0;
  #polls = 0;
  #nativeBytes = 0;

  constructor(table: GasPrices, gasMax: number) {
    this.#table = table;
    this.#gasMax = gasMax;
  }

  addFixed(gas: number): void {
    this.#fixed += gas;
  }

  addPolls(polls: number): void {
    this.#polls += polls;
  }

  addNative(bytes: number): void {
    this.#nativeBytes += bytes;
  }

  addWork(work: Work): void {
    this.#polls += work.polls;
    this.#nativeBytes += work.nativeBytes;
  }

  get work(): Work {
    return { polls: this.#polls, nativeBytes: this.#nativeBytes };
  }

  get exhausted(): boolean {
    return this.#total > this.#gasMax;
  }

  get spent(): number {
    return Math.min(this.#total, this.#gasMax);
  }

  get left(): number {
    return this.#gasMax - this.spent;
  }

  /** At least 1. */
  get pollsLeft(): number {
    if (this.#table.tick === 0) return Number.MAX_SAFE_INTEGER;
    const forPolls = this.#gasMax - this.#withoutPolls + 1;
    return Math.max(1, Math.ceil((forPolls * POLLS_PER_TICK) / this.#table.tick) - this.#polls);
  }

  get #total(): number {
    return this.#withoutPolls + Math.floor((this.#polls * this.#table.tick) / POLLS_PER_TICK);
  }

  get #withoutPolls(): number {
    return this.#fixed + Math.floor((this.#nativeBytes * this.#table.perKbNative) / KB);
  }
}
