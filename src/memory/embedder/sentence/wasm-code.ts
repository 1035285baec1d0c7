/** WebAssembly instructions in the binary format. Functions have WebAssembly's names. */
export type Code = readonly number[];

type Unary = (value: Code) => Code;
type Binary = (left: Code, right: Code) => Code;

/** Returns a number from 0 to 2^31 - 1 in the variable-length format LEB128. */
export const unsigned = (value: number): Code =>
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
