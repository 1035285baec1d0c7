/** A function without a result. Its parameters are `i32`; its locals follow them, `i32` first. */
export type WasmFunction = {
  readonly name: string;
  readonly parameters: number;
  readonly i32Locals: number;
  readonly v128Locals: number;
  readonly code: Code;
};

const HEADER = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const SECTION = { type: 1, import: 2, function: 3, export: 7, code: 10 };
const TYPE = { i32: 0x7f, v128: 0x7b, function: 0x60 };
const KIND = { function: 0, memory: 2 };
const END = 0x0b;

/** Returns the bytes of a module that imports `env.memory` and exports the functions. */
export const wasmModule = (functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> => {
  const types = functions.map(({ parameters }) => {
    const given = Array.from({ length: parameters }, () => [TYPE.i32]);
    return [TYPE.function, ...list(given), ...list([])];
  });
  const memory = [...named("env"), ...named("memory"), KIND.memory, 0, ...unsigned(0)];
  const exported = functions.map(({ name }, i) => [...named(name), KIND.function, ...unsigned(i)]);
  const bodies = functions.map(({ i32Locals, v128Locals, code }) => {
    const integers = [...unsigned(i32Locals), TYPE.i32];
    const vectors = [...unsigned(v128Locals), TYPE.v128];
    return sized([...list([integers, vectors]), ...code, END]);
  });
  return Uint8Array.from([
    ...HEADER,
    ...section(SECTION.type, types),
    ...section(SECTION.import, [memory]),
    ...section(
      SECTION.function,
      functions.map((_, i) => unsigned(i)),
    ),
    ...section(SECTION.export, exported),
    ...section(SECTION.code, bodies),
  ]);
};

const section = (id: number, items: readonly Code[]): Code => [id, ...sized(list(items))];

const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];

const sized = (code: Code): Code => [...unsigned(code.length), ...code];

const named = (name: string): Code => sized([...Buffer.from(name)]);

/** WebAssembly instructions in the binary format. Functions have WebAssembly's names. */
export type Code = readonly number[];

type Unary = (value: Code) => Code;
type Binary = (left: Code, right: Code) => Code;

/** Returns a number from 0 to 2^31 - 1 in the variable-length format LEB128. */
const unsigned = (value: number): Code =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];

const simd = (opcode: number): Code => [0xfd, ...unsigned(opcode)];

const unary =
  (opcode: Code): Unary =>
  (value) => [...value, ...opcode];

const binary =
  (opcode: Code): Binary =>
  (left, right) => [...left, ...right, ...opcode];

export const local = {
  get: (index: number): Code => [0x20, ...unsigned(index)],
  set: (index: number, value: Code): Code => [...value, 0x21, ...unsigned(index)],
};

export const i32 = {
  /** The value must be from 0 to 8191. */
  const: (value: number): Code => [0x41, (value & 0x7f) | 0x80, value >>> 7],
  add: binary([0x6a]),
  sub: binary([0x6b]),
  mul: binary([0x6c]),
};

/** Offsets are in bytes, at most 127. */
export const v128 = {
  load: (at: Code, offset: number): Code => [...at, ...simd(0x00), 0, offset],
  load32Splat: (at: Code): Code => [...at, ...simd(0x09), 0, 0],
  store: (at: Code, offset: number, value: Code): Code => [
    ...at,
    ...value,
    ...simd(0x0b),
    0,
    offset,
  ],
  zero: [...simd(0x0c), ...Array.from({ length: 16 }, () => 0)],
};

export const i8x16 = {
  /** `lanes` has 16 numbers: 0 to 15 are bytes of `left`, 16 to 31 are bytes of `right`. */
  shuffle: (left: Code, right: Code, lanes: Code): Code => [
    ...left,
    ...right,
    ...simd(0x0d),
    ...lanes,
  ],
};

export const f32x4 = {
  nearest: unary(simd(0x6a)),
  abs: unary(simd(0xe0)),
  add: binary(simd(0xe4)),
  mul: binary(simd(0xe6)),
  div: binary(simd(0xe7)),
  max: binary(simd(0xe9)),
  convertI32x4: unary(simd(0xfa)),
};

export const i32x4 = {
  add: binary(simd(0xae)),
  dotI16x8: binary(simd(0xba)),
  truncSatF32x4: unary(simd(0xf8)),
};

export const i16x8 = { narrowI32x4: binary(simd(0x85)) };

export const increase = (index: number, by: Code): Code =>
  local.set(index, i32.add(local.get(index), by));

/** Runs `body` and decrements the local `count`, until `count` is 0. It must be at least 1. */
export const repeat = (count: number, ...body: readonly Code[]): Code => [
  ...[0x03, 0x40],
  ...body.flat(),
  ...local.set(count, i32.sub(local.get(count), i32.const(1))),
  ...local.get(count),
  ...[0x0d, 0],
  0x0b,
];
