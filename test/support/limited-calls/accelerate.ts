/**
 * Loaded before the program of a process: its clock and its timers go `TIME_FACTOR` times faster.
 * The clocks of all processes agree. They begin at `TIME_EPOCH_MS`, which is real time.
 */
const factor = Number(process.env.TIME_FACTOR);
const epochMs = Number(process.env.TIME_EPOCH_MS);

const realNow = Date.now.bind(Date);
Date.now = () => Math.floor(epochMs + (realNow() - epochMs) * factor);

const timeout = globalThis.setTimeout;
const interval = globalThis.setInterval;
const faster = (delayMs = 0): number => delayMs / factor;

Object.assign(globalThis, {
  setTimeout: (call: () => void, delayMs?: number) => timeout(call, faster(delayMs)),
  setInterval: (call: () => void, delayMs?: number) => interval(call, faster(delayMs)),
});

export {};
