import assert from "node:assert/strict";

/** The export that holds the meter: a variable of type i64. */
export const METER_EXPORT = "meter";

type MeteredBinary = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where the instruction at an offset of the original file is now, for the given offsets. */
  readonly offsets: ReadonlyMap<number, number>;
};

const SECTION = { type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 } as const;
const TYPE = { i32: 0x7f, i64: 0x7e, none: 0x40, function: 0x60 } as const;
const KIND = { global: 3 } as const;
const OP = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  branch: 0x0c,
  branchIf: 0x0d,
  branchTable: 0x0e,
  call: 0x10,
  callIndirect: 0x11,
  localGet: 0x20,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  firstLoad: 0x28,
  lastStore: 0x3e,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i64Const: 0x42,
  f32Const: 0x43,
  f64Const: 0x44,
  i64LessThan: 0x53,
  i64Subtract: 0x7d,
  i32ShiftRight: 0x76,
  i64OfU32: 0xad,
  lastSimple: 0xc4,
  prefix: 0xfc,
} as const;
/** What follows `OP.prefix`: eight conversions, then operations on memory. */
const PREFIXED = { lastConversion: 7, copy: 10, fill: 11 } as const;
/** A copy of 2^5 bytes counts as one unit. */
const COPY_SHIFT = 5;
/** The meter of a new instance: enough for its start. */
const START_WORK = 1_000_000_000;

/** How many parameters the functions of the code section have, in their order. */
const parameterCounts = (sections: readonly WasmSection[]): readonly number[] => {
  const types = listIn(sections, SECTION.type, (reader) => {
    assert(reader.byte() === TYPE.function, "a type of the engine must be a function");
    const parameters = reader.take(reader.leb()).length;
    reader.take(reader.leb());
    return parameters;
  });
  return listIn(sections, SECTION.function, (reader) => types[reader.leb()] ?? assert.fail());
};

/** The index of a new global: the engine imports none, and its own come first. */
const nextGlobal = (sections: readonly WasmSection[]): number =>
  listIn(sections, SECTION.global, (reader) => {
    reader.take(2);
    while (reader.byte() !== OP.end);
  }).length;

/** Traps if the meter is below 0. */
const trapBelowZero = (meter: number): readonly number[] => [
  ...[OP.globalGet, meter, OP.i64Const, 0, OP.i64LessThan],
  ...[OP.if, TYPE.none, OP.unreachable, OP.end],
];

const spendOne = (meter: number): readonly number[] => [
  ...[OP.globalGet, meter, OP.i64Const, 1, OP.i64Subtract, OP.globalSet, meter],
  ...trapBelowZero(meter),
];

/** Spends units for a number of bytes. This number is on the stack and stays there. */
const spendBytes = (meter: number, local: readonly number[]): readonly number[] => [
  ...[OP.localTee, ...local, OP.globalGet, meter, OP.localGet, ...local],
  ...[OP.i32Const, COPY_SHIFT, OP.i32ShiftRight, OP.i64OfU32, OP.i64Subtract],
  ...[OP.globalSet, meter, ...trapBelowZero(meter)],
];

type FunctionParts = {
  readonly code: Uint8Array;
  /** The offset of `code` in the file. */
  readonly at: number;
  readonly parameters: number;
  readonly meter: number;
  /** The offsets of instructions in the file that are of interest. */
  readonly tracked: readonly number[];
};

/** A tracked instruction: its offset in the original file, and its offset in the new bytes. */
type Move = readonly [from: number, to: number];

type Rewritten = { readonly bytes: Uint8Array; readonly moves: readonly Move[] };

/** Rewrites one function: its local variables, then its instructions. */
const meteredFunction = ({ code, at, parameters, meter, tracked }: FunctionParts): Rewritten => {
  const reader = new WasmReader(code);
  let locals = parameters;
  const groups = reader.leb();
  const firstGroup = reader.at;
  for (let group = 0; group < groups; group++) {
    locals += reader.leb();
    reader.byte();
  }
  const declared = code.subarray(firstGroup, reader.at);
  const written = new WasmWriter(2 * code.length + 64);
  written
    .leb(groups + 1)
    .add(declared)
    .add([1, TYPE.i32]);
  const turn = spendOne(meter);
  const copy = spendBytes(meter, lebOf(locals));
  const moves: Move[] = [];
  let copied = reader.at;
  const insert = (added: readonly number[], before: number): void => {
    written.add(code.subarray(copied, before)).add(added);
    copied = before;
  };
  if (callsOthers(code, reader.at)) insert(turn, reader.at);
  while (!reader.isAtEnd) {
    const from = reader.at;
    const op = reader.byte();
    const isCopy = skipOperands(op, reader);
    if (isCopy) insert(copy, from);
    if (tracked.includes(at + from)) moves.push([at + from, written.length + from - copied]);
    if (op === OP.loop) insert(turn, reader.at);
  }
  insert([], code.length);
  return { bytes: written.bytes, moves };
};

const callsOthers = (code: Uint8Array, from: number): boolean => {
  const reader = new WasmReader(code, from);
  while (!reader.isAtEnd) {
    const op = reader.byte();
    if (op === OP.call || op === OP.callIndirect) return true;
    skipOperands(op, reader);
  }
  return false;
};

/** Skips the operands of an instruction. Returns true if it copies or fills memory. */
const skipOperands = (op: number, reader: WasmReader): boolean => {
  if (op === OP.block || op === OP.loop || op === OP.if) reader.leb();
  else if (op === OP.branch || op === OP.branchIf || op === OP.call) reader.leb();
  else if (op === OP.branchTable) for (let left = reader.leb(); left >= 0; left--) reader.leb();
  else if (op >= OP.localGet && op <= OP.globalSet) reader.leb();
  else if (op === OP.callIndirect || (op >= OP.firstLoad && op <= OP.lastStore)) {
    reader.leb();
    reader.leb();
  } else if (op > OP.lastStore && op <= OP.i64Const) reader.leb();
  else if (op === OP.f32Const) reader.take(4);
  else if (op === OP.f64Const) reader.take(8);
  else if (op === OP.prefix) return skipPrefixed(reader);
  else assert(op <= OP.lastSimple, `the engine uses an unknown instruction ${op}`);
  return false;
};

const skipPrefixed = (reader: WasmReader): boolean => {
  const op = reader.leb();
  if (op <= PREFIXED.lastConversion) return false;
  assert(
    op === PREFIXED.copy || op === PREFIXED.fill,
    `the engine uses an unknown operation ${op}`,
  );
  reader.take(op === PREFIXED.copy ? 2 : 1);
  return true;
};

/**
 * Adds a meter to a WebAssembly module, so that none of its code can run without end. Each turn of
 * a loop, and each entry of a function that calls others, takes 1 from the meter. Copying or
 * filling memory takes 1 per 32 bytes. If the meter falls below 0, the code traps. Equal work takes
 * equal amounts on all machines, and the module itself cannot see the meter.
 */
export const meteredBinary = (original: Uint8Array, tracked: readonly number[]): MeteredBinary => {
  const sections = sectionsOf(original);
  const meter = nextGlobal(sections);
  const offsets = new Map<number, number>();
  const file = new WasmWriter(2 * original.length).add(original.subarray(0, HEADER_BYTES));
  for (const section of sections) {
    const { bytes, moves } = meteredSection(section, { sections, meter, tracked });
    file.add([section.id]).leb(bytes.length);
    for (const [from, to] of moves) offsets.set(from, file.length + to);
    file.add(bytes);
  }
  assert(offsets.size === tracked.length, "each tracked offset must be that of an instruction");
  return { bytes: file.bytes.slice(), offsets };
};

type Metering = Pick<FunctionParts, "meter" | "tracked"> & {
  readonly sections: readonly WasmSection[];
};

const meteredSection = (section: WasmSection, metering: Metering): Rewritten => {
  const { id, content } = section;
  switch (id) {
    case SECTION.global:
      return {
        bytes: withItem(content, [TYPE.i64, 1, OP.i64Const, ...lebOf(START_WORK), OP.end]),
        moves: [],
      };
    case SECTION.export: {
      const name = [...Buffer.from(METER_EXPORT)];
      const item = [name.length, ...name, KIND.global, metering.meter];
      return { bytes: withItem(content, item), moves: [] };
    }
    case SECTION.code:
      return meteredCode(section, metering);
    default:
      return { bytes: content, moves: [] };
  }
};

const meteredCode = ({ content, at }: WasmSection, metering: Metering): Rewritten => {
  const { sections, meter, tracked } = metering;
  const reader = new WasmReader(content);
  const written = new WasmWriter(2 * content.length).leb(reader.leb());
  const moves: Move[] = [];
  for (const parameters of parameterCounts(sections)) {
    const length = reader.leb();
    const codeAt = at + reader.at;
    const within = tracked.filter((offset) => offset >= codeAt && offset < codeAt + length);
    const code = reader.take(length);
    const done = meteredFunction({ code, at: codeAt, parameters, meter, tracked: within });
    written.leb(done.bytes.length);
    for (const [from, to] of done.moves) moves.push([from, written.length + to]);
    written.add(done.bytes);
  }
  return { bytes: written.bytes, moves };
};

/** Reads the parts of a WebAssembly module one after the other. */
class WasmReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  byte(): number {
    this.at += 1;
    return this.#bytes[this.at - 1] ?? assert.fail("a WebAssembly module ends too early");
  }

  /** Reads a LEB128 number. The value is right only if the number is unsigned. */
  leb(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  take(length: number): Uint8Array {
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }
}

/** Collects bytes. */
class WasmWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length);
  }

  add(bytes: Uint8Array | readonly number[]): this {
    if (this.length + bytes.length > this.#bytes.length) {
      const larger = new Uint8Array(2 * (this.length + bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
    return this;
  }

  leb(value: number): this {
    return this.add(lebOf(value));
  }
}

/** A section of a module. `at` is the offset of its content in the file. */
type WasmSection = { readonly id: number; readonly content: Uint8Array; readonly at: number };

/** The magic number and the version. */
const HEADER_BYTES = 8;

const sectionsOf = (bytes: Uint8Array): readonly WasmSection[] => {
  const reader = new WasmReader(bytes, HEADER_BYTES);
  const sections: WasmSection[] = [];
  while (!reader.isAtEnd) {
    const id = reader.byte();
    const length = reader.leb();
    sections.push({ id, at: reader.at, content: reader.take(length) });
  }
  return sections;
};

/** Reads every item of the list in a section. */
const listIn = <T>(
  sections: readonly WasmSection[],
  id: number,
  read: (from: WasmReader) => T,
): T[] => {
  const reader = new WasmReader(contentOf(sections, id));
  return Array.from({ length: reader.leb() }, () => read(reader));
};

const contentOf = (sections: readonly WasmSection[], id: number): Uint8Array =>
  sections.find((section) => section.id === id)?.content ??
  assert.fail(`the engine must have section ${id}`);

/** Returns the content of a section with one more item at the end of its list. */
const withItem = (content: Uint8Array, item: readonly number[]): Uint8Array => {
  const reader = new WasmReader(content);
  const count = reader.leb();
  const rest = content.subarray(reader.at);
  return new WasmWriter(content.length + item.length + 2)
    .leb(count + 1)
    .add(rest)
    .add(item).bytes;
};

/** An unsigned LEB128 number. */
const lebOf = (value: number): readonly number[] => {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
};
