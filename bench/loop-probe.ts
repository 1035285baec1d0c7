/**
 * Loaded with `--import` into a process of `sim run`. Writes each second how long its event loop
 * was held, in ms, as a line of JSON in the file of `CATALLAXY_LOOP_PROBE`.
 */
import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

export type LoopSecond = { readonly wallMs: number; readonly p50: number; readonly max: number };

const RESOLUTION_MS = 10;
const file = process.env.CATALLAXY_LOOP_PROBE;

if (isMainThread && file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const heldMs = (ns: number): number => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  const timer = setInterval(() => {
    const [p50, max] = [heldMs(delays.percentile(50)), heldMs(delays.max)];
    const second: LoopSecond = { wallMs: Date.now(), p50, max };
    appendFileSync(file, `${JSON.stringify(second)}\n`);
    delays.reset();
  }, 1_000);
  timer.unref();
}
