/**
 * Writes `src/world/sandbox/engine-facts.ts` from the installed build of QuickJS:
 * `npx node scripts/engine-facts.ts`. Run it after an upgrade of the engine, then run the sandbox's
 * tests. It finds everything by pattern and fails if a pattern does not match as often as expected.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const FACTS_FILE = join(import.meta.dirname, "../src/world/sandbox/engine-facts.ts");
const WASM_FILE = "@jitl/quickjs-wasmfile-release-sync/wasm";
const LOADER_FILE = "emscripten-module.mjs";

/** The C stack that quickjs-emscripten links with; it lies between the variables and the heap. */
const C_STACK_BYTES = 5 * 1024 * 1024;
const POLL_COUNTER_RESET = 10_000;
const REGEXP_STEPS_PER_TICK = 100;
const PAGE_BYTES = 65_536;
/** `JS_BIGINT_MAX_SIZE` plus one, and what it becomes. A limb has 32 bits. */
const BIGINT_LIMBS = { found: 32_769, replaced: 129 };

const SECTION = { import: 2, global: 6, data: 11 } as const;
const OPCODE = { i32Const: 0x41, i32Load: 0x28, i32Store: 0x36 } as const;
const TRAP = [0x00, 0x01, 0x01] as const;

/** Functions that we call, by our name for them, and what the loader calls them. */
const LOADER_NAMES = {
  malloc: "_malloc",
  free: "_free",
  newRuntime: "_QTS_NewRuntime",
  newContext: "_QTS_NewContext",
  setMemoryLimit: "_QTS_RuntimeSetMemoryLimit",
  setMaxStackSize: "_QTS_RuntimeSetMaxStackSize",
  enableInterrupts: "_QTS_RuntimeEnableInterruptHandler",
  newFunction: "_QTS_NewFunction",
  newString: "_QTS_NewString",
  getString: "_QTS_GetString",
  getFloat64: "_QTS_GetFloat64",
  freeCString: "_QTS_FreeCString",
  evaluate: "_QTS_Eval",
  call: "_QTS_Call",
  resolveException: "_QTS_ResolveException",
  getUndefined: "_QTS_GetUndefined",
} as const;

/** One match of a pattern in text, or an error that names what is missing. */
const matched = (text: string, pattern: RegExp, what: string): string => {
  const found = [...text.matchAll(new RegExp(pattern, "g"))];
  assert(found.length === 1, `${what}: expected one match of ${pattern}, found ${found.length}`);
  const name = found[0]?.[1];
  assert(name !== undefined, `${what}: ${pattern} captures a name`);
  return name;
};

/** A number as WebAssembly writes it: signed LEB128. Offsets of memory are small and fit as well. */
const leb = (value: number): readonly number[] => {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const low = rest & 0x7f;
    rest >>= 7;
    const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
};

const i32Const = (value: number): readonly number[] => [OPCODE.i32Const, ...leb(value)];

/** Reads unsigned and signed LEB128 numbers, bytes and names, one after the other. */
class Reader {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number {
    this.at += 1;
    return this.#bytes[this.at - 1] ?? assert.fail("the file ends too early");
  }

  unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  take(length: number): Buffer {
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }
}

const sectionOf = (wasm: Buffer, id: number): Reader => {
  const reader = new Reader(wasm, 8);
  while (reader.at < wasm.length) {
    const found = reader.byte();
    const length = reader.unsigned();
    if (found === id) return reader;
    reader.at += length;
  }
  return assert.fail(`the engine has no section ${id}`);
};

/** Linear memory as the engine starts with it: its constants and variables. */
const staticsOf = (wasm: Buffer): Buffer => {
  const reader = sectionOf(wasm, SECTION.data);
  const segments = Array.from({ length: reader.unsigned() }, () => {
    assert(reader.unsigned() === 0 && reader.byte() === OPCODE.i32Const, "a data segment");
    const address = reader.unsigned();
    assert(reader.byte() === 0x0b, "the address of a data segment is a constant");
    return { address, bytes: reader.take(reader.unsigned()) };
  });
  const statics = Buffer.alloc(
    Math.max(...segments.map((each) => each.address + each.bytes.length)),
  );
  for (const { address, bytes } of segments) statics.set(bytes, address);
  return statics;
};

/** Import names in order, and the pages that the memory must have. */
const importsOf = (wasm: Buffer): { readonly names: readonly string[]; readonly pages: number } => {
  const reader = sectionOf(wasm, SECTION.import);
  let pages = 0;
  const names = Array.from({ length: reader.unsigned() }, () => {
    reader.take(reader.unsigned());
    const name = reader.take(reader.unsigned()).toString();
    const kind = reader.byte();
    if (kind === 2) {
      const hasMaximum = reader.byte() === 1;
      pages = reader.unsigned();
      if (hasMaximum) reader.unsigned();
    } else reader.unsigned();
    return name;
  });
  return { names, pages };
};

/** Every place at which `bytes` holds `sought`, which must be as many as expected. */
const placesOf = (
  bytes: Buffer,
  sought: Buffer,
  expected: { readonly what: string; readonly count: number },
): readonly number[] => {
  const places: number[] = [];
  for (let at = bytes.indexOf(sought); at >= 0; at = bytes.indexOf(sought, at + 1)) places.push(at);
  const { what, count } = expected;
  assert(places.length === count, `${what}: expected ${count} places, found ${places.length}`);
  return places;
};

type Patch = { readonly offset: number; readonly bytes: readonly number[]; readonly trap?: string };

/**
 * `JS_CallInternal` and others count `JSContext.interrupt_counter` down; `__js_poll_interrupts` sets
 * it back to 10,000. The regular expressions have two counters of their own, set to the same.
 */
const pollsOf = (wasm: Buffer): { readonly counterOffset: number; readonly patches: Patch[] } => {
  const reset = [...i32Const(POLL_COUNTER_RESET), OPCODE.i32Store, 2];
  const what = "stores of 10,000 to a poll counter";
  const stores = placesOf(wasm, Buffer.from(reset), { what, count: 3 }).map((offset) => {
    const field = new Reader(wasm, offset + reset.length).unsigned();
    return { offset, field };
  });
  // JSContext is by far the largest of the three structures.
  const [context, ...regexps] = stores.sort((a, b) => b.field - a.field);
  assert(context !== undefined && context.field > 100, "one poll counter is of a JSContext");
  const expected = i32Const(POLL_COUNTER_RESET);
  const bytes = paddedConst(REGEXP_STEPS_PER_TICK, expected.length);
  const patches = regexps
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ offset }) => ({ offset, bytes }));
  return { counterOffset: context.field, patches };
};

/** The same instruction with another constant, in as many bytes. */
const paddedConst = (value: number, length: number): readonly number[] => {
  const bytes = [...i32Const(value)];
  const last = bytes.length - 1;
  for (let at = last; at < length - 1; at++) {
    bytes[at] = (bytes[at] ?? 0) | 0x80;
    bytes.push(0);
  }
  return bytes;
};

type Exhaustion = { readonly text: string; readonly trap: string; readonly count: number };

/** Each place that pushes the address of this text, to make an error of it, becomes a trap. */
const trapsFor = (wasm: Buffer, { text, trap, count }: Exhaustion): readonly Patch[] => {
  const isText = { what: `texts "${text}"`, count: 1 };
  const [before = 0] = placesOf(staticsOf(wasm), Buffer.from(`\0${text}\0`), isText);
  const expected = i32Const(before + 1);
  const bytes = expected.map((_, at) => TRAP[at] ?? 0x01);
  const isUse = { what: `uses of "${text}"`, count };
  const offsets = placesOf(wasm, Buffer.from(expected), isUse);
  return offsets.map((offset) => ({ offset, bytes, trap }));
};

const EXHAUSTIONS: readonly Exhaustion[] = [
  { text: "stack overflow", trap: "stack_exhausted", count: 5 },
  { text: "out of memory", trap: "memory_exhausted", count: 2 },
  { text: "out of memory in regexp execution", trap: "memory_exhausted", count: 2 },
];

const bigIntPatch = (wasm: Buffer): Patch => {
  const expected = i32Const(BIGINT_LIMBS.found);
  const isCheck = { what: "checks of a BigInt's size", count: 1 };
  const [offset = 0] = placesOf(wasm, Buffer.from(expected), isCheck);
  return { offset, bytes: paddedConst(BIGINT_LIMBS.replaced, expected.length) };
};

const memoryOf = (wasm: Buffer) => {
  const globals = sectionOf(wasm, SECTION.global);
  assert(globals.unsigned() === 1, "the only global is the stack pointer");
  globals.take(2);
  assert(globals.byte() === OPCODE.i32Const, "the stack pointer starts as a constant");
  const heapStart = globals.unsigned();
  const staticsEnd = heapStart - C_STACK_BYTES;
  const statics = staticsOf(wasm);
  const bssBytes = staticsEnd - statics.length;
  const isNext = bssBytes >= 0 && bssBytes < PAGE_BYTES;
  assert(isNext, `constants end at ${statics.length}: the C stack does not start at ${staticsEnd}`);
  const start = Buffer.alloc(4);
  start.writeInt32LE(heapStart);
  const isBreak = { what: "variables that start as the start of the heap", count: 1 };
  const [heapEndAddress = 0] = placesOf(statics, start, isBreak);
  return { staticsEnd, heapStart, heapEndAddress };
};

const exportNames = (loader: string): Readonly<Record<string, string>> => {
  const named = Object.entries(LOADER_NAMES).map(([name, known]) => [
    name,
    matched(loader, new RegExp(`d\\.${known}=\\s*b\\.([\\w$]+)`), known),
  ]);
  // The last four exports: a timer, and the three functions of the C stack.
  const stack = /;\w+=b\.\w+;(\w+)=b\.(\w+);\w+=b\.\w+;(\w+)=b\.(\w+);return \w+\}/.exec(loader);
  assert(stack !== null, "the loader names the functions of the C stack");
  return {
    initialize: matched(loader, /;Z\.(\w+)\(\);/, "initialize"),
    ...Object.fromEntries(named),
    stackRestore: stack[2] ?? "",
    stackPointer: stack[4] ?? "",
  };
};

const importNames = (loader: string, names: readonly string[]) => {
  const hostCall = (what: string): string =>
    matched(
      loader,
      new RegExp(`(\\w+):function\\([^)]*\\)\\{return d\\.callbacks\\.${what}\\(`),
      what,
    );
  const used: Readonly<Record<string, string>> = {
    memory: matched(loader, /,(\w+):t,/, "memory"),
    callHost: hostCall("callFunction"),
    interrupt: hostCall("shouldInterrupt"),
    clock: matched(loader, /(\w+):\(\)=>Date\.now\(\)/, "clock"),
    growMemory: matched(loader, /(\w+):a=>\{var c=K\.length;/, "growMemory"),
    environmentSizes: matched(loader, /(\w+):\(a,c\)=>\{var b=ra\(\);/, "environmentSizes"),
    environment: matched(
      loader,
      /(\w+):\(a,c\)=>\{var b=0,e=0,f;for\(f of ra\(\)\)/,
      "environment",
    ),
  };
  const refused = names.filter((name) => !Object.values(used).includes(name)).sort();
  return { used, refused };
};

const grouped = (value: number): string =>
  String(value).replace(/\B(?=(\d{3})+$)/g, value > 9999 ? "_" : "");

const hexList = (bytes: readonly number[]): string =>
  `[${bytes.map((byte) => `0x${byte.toString(16).padStart(2, "0")}`).join(", ")}]`;

const patchLine = ({ offset, bytes, trap }: Patch): string => {
  const end = trap === undefined ? "" : `, trap: "${trap}"`;
  return `  { offset: ${grouped(offset)}, bytes: ${hexList(bytes)}${end} },`;
};

const nameLines = (names: Readonly<Record<string, string>>): string =>
  Object.entries(names)
    .map(([name, minified]) => `  ${name}: "${minified}",`)
    .join("\n");

/** The text of `engine-facts.ts` for the installed engine. Throws where a pattern does not fit. */
export const engineFactsSource = (): string => {
  const wasmFile = createRequire(import.meta.url).resolve(WASM_FILE);
  const wasm = readFileSync(wasmFile);
  const loader = readFileSync(join(dirname(wasmFile), LOADER_FILE), "utf8");
  const release = matched(wasm.toString("latin1"), /memory usage -- ([\d-]+) version/, "release");
  const { names, pages } = importsOf(wasm);
  const memory = memoryOf(wasm);
  const polls = pollsOf(wasm);
  const imports = importNames(loader, names);
  const patches = [
    ...EXHAUSTIONS.flatMap((each) => trapsFor(wasm, each)),
    ...polls.patches,
    bigIntPatch(wasm),
  ];
  return `/**
 * Facts about one exact build of QuickJS: its minified names, its memory layout, and the bytes that
 * are changed before compilation. Written by \`npx node scripts/engine-facts.ts\`: do not edit.
 */
export const ENGINE_RELEASE = "quickjs-${release}";
export const WASM_FILE = "${WASM_FILE}";
export const WASM_SHA256 = "${createHash("sha256").update(wasm).digest("hex")}";

/** Linear memory has, from low to high: constants and variables, the C stack, the heap. */
export const STATICS_END = ${grouped(memory.staticsEnd)};
export const HEAP_START = ${grouped(memory.heapStart)};
/** Address of the variable that holds the end of the heap. The heap only grows. */
export const HEAP_END_ADDRESS = ${grouped(memory.heapEndAddress)};
/** The engine needs at least this many pages. */
export const PAGES_MIN = ${grouped(pages)};

/** Offset of \`JSContext.interrupt_counter\`. At 0, the engine resets it and calls the host. */
export const POLL_COUNTER_OFFSET = ${polls.counterOffset};
export const POLL_COUNTER_RESET = ${grouped(POLL_COUNTER_RESET)};
/** The number of steps after which a regular expression calls the host (see \`PATCHES\`). */
export const REGEXP_STEPS_PER_TICK = ${REGEXP_STEPS_PER_TICK};

/** Minified names of the exports that we call. */
export const EXPORT_NAMES = {
${nameLines(exportNames(loader))}
} as const;

/** Minified names of the imports. Imports that could reach the system fail or return constants. */
export const IMPORT_NAMES = {
${nameLines(imports.used)}
  refused: [${imports.refused.map((name) => `"${name}"`).join(", ")}],
} as const;

/** Replaces bytes at an offset of the file. If the new bytes trap, V8 reports this offset. */
export type EnginePatch = {
  readonly offset: number;
  readonly bytes: readonly number[];
  readonly trap?: "stack_exhausted" | "memory_exhausted";
};

/**
 * - If memory or stack runs out, the engine traps, because a program could catch an error.
 * - Regular expressions poll every ${REGEXP_STEPS_PER_TICK} steps instead of every ${POLL_COUNTER_RESET}, so that many short matches
 *   cannot hide work from the gas meter.
 * - A BigInt has at most ${BIGINT_LIMBS.replaced - 1} limbs instead of ${BIGINT_LIMBS.found - 1}, because operators have no guard: one
 *   multiplication of the longest BigInts would take a second without a poll.
 */
export const PATCHES: readonly EnginePatch[] = [
${patches.map(patchLine).join("\n")}
];
`;
};

if (import.meta.main) {
  writeFileSync(FACTS_FILE, engineFactsSource());
  console.log(`wrote ${FACTS_FILE}; now run the tests in test/world/sandbox`);
}
