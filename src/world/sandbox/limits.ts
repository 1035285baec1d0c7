import assert from "node:assert/strict";
import type { GasTable, SandboxPhysics } from "../../kernel/index.ts";

/**
 * The limits of programs. A call cannot request more than these.
 *
 * - `memory_bytes`: the heap of one running program, including the engine's own 150 kB.
 * - `log_bytes_max`: longer logs are truncated without an error.
 * - `wall_timeout_ms`: engine time of an outermost call and its nested calls. The time for handling
 *   syscalls does not count. Engine time is CPU time on Linux and wall time on other systems.
 * - `gas_table`: prices in gas. `per_kb_input` is charged per started kilobyte of input and state.
 *   `per_kb_native` is charged per kilobyte of work in native functions (searching, sorting,
 *   parsing). `tick` is the price of `POLLS_PER_TICK` polls. A program polls at each loop turn,
 *   call and backward jump.
 */
export type SandboxLimits = Omit<SandboxPhysics, "invoke_depth_max"> & {
  /** The maximum number of calls that can be suspended while another call runs. */
  readonly depth_max: number;
};

const POLLS_PER_TICK = 10_000;

const STACK_BYTES_MIN = 32 * 1024;
const STACK_BYTES_MAX = 4 * 1024 * 1024;
/** The maximum size of an outcome. An outcome must fit into one message. */
const OUTCOME_BYTES_MAX = 7 * 1024 * 1024;
const MEMORY_BYTES_MIN = 512 * 1024;
const MEMORY_BYTES_MAX = 1024 * 1024 * 1024;

/** Expects whole numbers, 0 or more. Throws if the engine does not support these limits. */
export const assertSupported = (limits: SandboxLimits): void => {
  const { wall_timeout_ms, stack_bytes, memory_bytes } = limits;
  assert(wall_timeout_ms >= 1, "sandbox limits: wall_timeout_ms must be at least 1");
  assert(
    stack_bytes >= STACK_BYTES_MIN && stack_bytes <= STACK_BYTES_MAX,
    `sandbox limits: stack_bytes must be between ${STACK_BYTES_MIN} and ${STACK_BYTES_MAX}`,
  );
  assert(
    memory_bytes >= MEMORY_BYTES_MIN && memory_bytes <= MEMORY_BYTES_MAX,
    `sandbox limits: memory_bytes must be between ${MEMORY_BYTES_MIN} and ${MEMORY_BYTES_MAX}`,
  );
  assert(
    limits.result_bytes_max + limits.state_bytes_max + limits.log_bytes_max <= OUTCOME_BYTES_MAX,
    "sandbox limits: result_bytes_max, state_bytes_max, log_bytes_max: " +
      `at most ${OUTCOME_BYTES_MAX} together`,
  );
};

/** The work of loading a program. A load from the cache is charged for the same work. */
export type Work = { readonly polls: number; readonly nativeBytes: number };

const KB = 1024;

export const kilobytes = (bytes: number): number => Math.ceil(bytes / KB);

/** Counts gas in integers, so that equal work costs equal gas on all machines. */
export class GasMeter {
  readonly #table: GasTable;
  readonly #gasMax: number;
  #fixed = 0;
  #polls = 0;
  #nativeBytes = 0;

  constructor(table: GasTable, gasMax: number) {
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

  /** The number of polls until the gas is used up, at least 1. */
  get pollsLeft(): number {
    if (this.#table.tick === 0) return Number.MAX_SAFE_INTEGER;
    const forPolls = this.#gasMax - this.#withoutPolls + 1;
    return Math.max(1, Math.ceil((forPolls * POLLS_PER_TICK) / this.#table.tick) - this.#polls);
  }

  get #total(): number {
    return this.#withoutPolls + Math.floor((this.#polls * this.#table.tick) / POLLS_PER_TICK);
  }

  get #withoutPolls(): number {
    return this.#fixed + Math.floor((this.#nativeBytes * this.#table.per_kb_native) / KB);
  }
}
