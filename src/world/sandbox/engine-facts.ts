/**
 * What is known about one exact build of QuickJS, and only that one: the names its linker chose,
 * where its memory regions lie, and which bytes are changed before it is compiled. `engine-binary`
 * refuses any other file, so an upgrade of the package fails at once and loudly. To move to a new
 * build, find each of these again (the comments say what each is) and run the sandbox's tests.
 */
export const ENGINE_RELEASE = "quickjs-2025-09-13";
export const WASM_FILE = "@jitl/quickjs-wasmfile-release-sync/wasm";
export const WASM_SHA256 = "105c3bed22d457e43e3d1c3c1c6959fda62a8fe06f0fc8a985303c3a2be72232";

/** Linear memory, low to high: constants and variables, the C stack (grows down), the heap. */
export const STATICS_START = 0;
export const STATICS_END = 90_208;
export const HEAP_START = 5_333_088;
/** Address of the variable that holds the end of the heap. It only ever grows. */
export const HEAP_END_ADDRESS = 86_864;
export const WASM_PAGE_BYTES = 65_536;
/** The build declares this many pages and will not start with fewer. */
export const PAGES_MIN = 256;

/** `JSContext.interrupt_counter`: counts polls down; at 0 the engine sets it back and asks us. */
export const POLL_COUNTER_OFFSET = 232;
export const POLL_COUNTER_RESET = 10_000;
/** A regular expression asks after this many steps of its own (set by a patch below). */
export const REGEXP_STEPS_PER_TICK = 100;

/** Bytes of one JSValue, and the tags that we read. */
export const VALUE_BYTES = 8;
export const TAG_INT = 0;
export const TAG_UNDEFINED = 3;

/** Which language features a context has (`QTS_Intrinsic` of quickjs-emscripten). */
export const INTRINSICS = {
  baseObjects: 1 << 0,
  eval: 1 << 2,
  stringNormalize: 1 << 3,
  regExp: 1 << 4,
  regExpCompiler: 1 << 5,
  json: 1 << 6,
  mapSet: 1 << 8,
  bigInt: 1 << 11,
} as const;

/** Minified export names of the functions that we call. */
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

export type EngineFunction = keyof typeof EXPORT_NAMES;

/** Minified import names. Everything the engine could learn from outside is refused or constant. */
export const IMPORT_NAMES = {
  memory: "a",
  callHost: "s",
  interrupt: "i",
  clock: "p",
  growMemory: "k",
  environmentSizes: "f",
  environment: "e",
  /** assert, abort, timers, time zones, files, exit, modules, host references. */
  refused: ["b", "c", "d", "g", "h", "j", "l", "m", "n", "o", "q", "r", "t"],
} as const;

export type Patch = {
  /** Offset in the file; V8 reports a trap at the same offset. */
  readonly offset: number;
  readonly expected: readonly number[];
  readonly replacement: readonly number[];
  readonly trap?: "stack_exhausted" | "memory_exhausted";
};

const TRAP = [0x00, 0x01, 0x01];
/** `i32.const` of the address of the text "stack overflow", just before an error is made of it. */
const STACK_OVERFLOW = [0x41, 0xfa, 0x22];
const OUT_OF_MEMORY = [0x41, 0xf1, 0x1c];
const OUT_OF_MEMORY_IN_REGEXP = [0x41, 0xd7, 0xd3, 0x00];
const TEN_THOUSAND = [0x41, 0x90, 0xce, 0x00];
const ONE_HUNDRED = [0x41, 0xe4, 0x80, 0x00];

const trapAt = (
  trap: "stack_exhausted" | "memory_exhausted",
  expected: readonly number[],
  offsets: readonly number[],
): readonly Patch[] =>
  offsets.map((offset) => ({
    offset,
    expected,
    replacement: expected.map((_, index) => TRAP[index] ?? 0x01),
    trap,
  }));

/**
 * Exhaustion must not be something a program can catch. The engine makes a JavaScript error of it
 * in nine places; each becomes an `unreachable` instruction, which ends the whole call.
 */
export const PATCHES: readonly Patch[] = [
  ...trapAt("stack_exhausted", STACK_OVERFLOW, [3909, 17_977, 41_382, 116_882, 191_578]),
  ...trapAt("memory_exhausted", OUT_OF_MEMORY, [55_064, 97_003]),
  ...trapAt("memory_exhausted", OUT_OF_MEMORY_IN_REGEXP, [215_734, 308_404]),
  // Regular expressions poll every 100 steps instead of every 10,000, so that many short matches
  // cannot hide work from the gas meter.
  { offset: 151_272, expected: TEN_THOUSAND, replacement: ONE_HUNDRED },
  { offset: 209_910, expected: TEN_THOUSAND, replacement: ONE_HUNDRED },
  // The longest BigInt has 128 limbs (4,096 bits) instead of 32,768: operators cannot be guarded,
  // and one multiplication of the longest would take a second without a poll.
  { offset: 14_949, expected: [0x41, 0x81, 0x80, 0x02], replacement: [0x41, 0x81, 0x81, 0x00] },
];
