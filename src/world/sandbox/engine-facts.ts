/**
 * Facts about one exact build of QuickJS: its minified names, its memory layout, and the bytes that
 * are changed before compilation. Written by `npx node scripts/engine-facts.ts`: do not edit.
 */
export const ENGINE_RELEASE = "quickjs-2025-09-13";
export const WASM_FILE = "@jitl/quickjs-wasmfile-release-sync/wasm";
export const WASM_SHA256 = "105c3bed22d457e43e3d1c3c1c6959fda62a8fe06f0fc8a985303c3a2be72232";

/** Linear memory has, from low to high: constants and variables, the C stack, the heap. */
export const STATICS_END = 90_208;
export const HEAP_START = 5_333_088;
/** Address of the variable that holds the end of the heap. The heap only grows. */
export const HEAP_END_ADDRESS = 86_864;
/** The engine needs at least this many pages. */
export const PAGES_MIN = 256;

/** Offset of `JSContext.interrupt_counter`. At 0, the engine resets it and calls the host. */
export const POLL_COUNTER_OFFSET = 232;
export const POLL_COUNTER_RESET = 10_000;
/** The number of steps after which a regular expression calls the host (see `PATCHES`). */
export const REGEXP_STEPS_PER_TICK = 100;

/** Minified names of the exports that we call. */
export const EXPORT_NAMES = {
  initialize: "u",
  malloc: "v",
  free: "M",
  newRuntime: "K",
  newContext: "N",
  setMemoryLimit: "y",
  setMaxStackSize: "D",
  enableInterrupts: "Fa",
  newFunction: "Da",
  newString: "_",
  getString: "$",
  getFloat64: "Z",
  freeCString: "S",
  evaluate: "pa",
  call: "ma",
  resolveException: "na",
  getUndefined: "E",
  stackRestore: "Ma",
  stackPointer: "Oa",
} as const;

/** Minified names of the imports. Imports that could reach the system fail or return constants. */
export const IMPORT_NAMES = {
  memory: "a",
  callHost: "s",
  interrupt: "i",
  clock: "p",
  growMemory: "k",
  environmentSizes: "f",
  environment: "e",
  refused: ["b", "c", "d", "g", "h", "j", "l", "m", "n", "o", "q", "r", "t"],
} as const;

/** Replaces bytes at an offset of the file. If the new bytes trap, V8 reports this offset. */
export type EnginePatch = {
  readonly offset: number;
  readonly bytes: readonly number[];
  readonly trap?: "stack_exhausted" | "memory_exhausted";
};

/**
 * - If memory or stack runs out, the engine traps, because a program could catch an error.
 * - Regular expressions poll every 100 steps instead of every 10000, so that many short matches
 *   cannot hide work from the gas meter.
 * - A BigInt has at most 128 limbs instead of 32768, because operators have no guard: one
 *   multiplication of the longest BigInts would take a second without a poll.
 */
export const PATCHES: readonly EnginePatch[] = [
  { offset: 3909, bytes: [0x00, 0x01, 0x01], trap: "stack_exhausted" },
  { offset: 17_977, bytes: [0x00, 0x01, 0x01], trap: "stack_exhausted" },
  { offset: 41_382, bytes: [0x00, 0x01, 0x01], trap: "stack_exhausted" },
  { offset: 116_882, bytes: [0x00, 0x01, 0x01], trap: "stack_exhausted" },
  { offset: 191_578, bytes: [0x00, 0x01, 0x01], trap: "stack_exhausted" },
  { offset: 55_064, bytes: [0x00, 0x01, 0x01], trap: "memory_exhausted" },
  { offset: 97_003, bytes: [0x00, 0x01, 0x01], trap: "memory_exhausted" },
  { offset: 215_734, bytes: [0x00, 0x01, 0x01, 0x01], trap: "memory_exhausted" },
  { offset: 308_404, bytes: [0x00, 0x01, 0x01, 0x01], trap: "memory_exhausted" },
  { offset: 151_272, bytes: [0x41, 0xe4, 0x80, 0x00] },
  { offset: 209_910, bytes: [0x41, 0xe4, 0x80, 0x00] },
  { offset: 14_949, bytes: [0x41, 0x81, 0x81, 0x00] },
];
