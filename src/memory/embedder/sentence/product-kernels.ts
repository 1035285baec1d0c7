import type { WasmFunction } from "./wasm.ts";
import { type Code, f32x4, i32, i32x4, increase, local, repeat, v128 } from "./wasm.ts";

const { get, set } = local;

/** A product computes the rows of C in blocks, and its columns in panels. */
export const BLOCK_ROWS = 4;
export const PANEL_COLUMNS = 8;

type Arithmetic = {
  readonly add: (left: Code, right: Code) => Code;
  readonly multiply: (left: Code, right: Code) => Code;
  /** What to store for the sum of 4 columns. The halves 0 and 1 of a panel have 4 columns each. */
  readonly result: (sum: Code, row: number, half: number) => Code;
};

// The parameters and other locals of a product.
const [A, A_ROW, B, B_STEP, B_PANEL, C, C_ROW] = [0, 1, 2, 3, 4, 5, 6];
const [BLOCKS, PANELS, STEPS, ROW_SCALES, FACTS] = [7, 8, 9, 10, 11];
const [BLOCK_A, BLOCK_C, BLOCK_SCALES, BLOCKS_LEFT, B_AT, STEPS_LEFT] = [12, 13, 14, 15, 16, 17];
/** Where the current step is in each row of a block. */
const A_AT = [18, 19, 20, 21];
const LEFT = 22;
const RIGHT = [23, 24];
const sumOf = (row: number, half: number): number => 25 + 2 * row + half;

/** For each panel and each block of rows: adds the products of all steps and stores the results. */
const productKernel = (name: string, { add, multiply, result }: Arithmetic): WasmFunction => {
  const step = [
    ...RIGHT.map((right, half) => set(right, v128.load(get(B_AT), 16 * half))),
    ...A_AT.flatMap((at, row) => [
      set(LEFT, v128.load32Splat(get(at))),
      ...RIGHT.map((right, half) => {
        const sum = sumOf(row, half);
        return set(sum, add(get(sum), multiply(get(LEFT), get(right))));
      }),
      increase(at, i32.const(4)),
    ]),
    increase(B_AT, get(B_STEP)),
  ];
  const block = [
    ...A_AT.flatMap((at, row) => [
      set(at, i32.add(get(BLOCK_A), i32.mul(get(A_ROW), i32.const(row)))),
      ...RIGHT.map((_, half) => set(sumOf(row, half), v128.zero)),
    ]),
    set(B_AT, get(B)),
    set(STEPS_LEFT, get(STEPS)),
    repeat(STEPS_LEFT, ...step),
    ...A_AT.flatMap((_, row) => [
      ...RIGHT.map((_, half) =>
        v128.store(get(BLOCK_C), 16 * half, result(get(sumOf(row, half)), row, half)),
      ),
      increase(BLOCK_C, get(C_ROW)),
    ]),
    increase(BLOCK_A, i32.mul(get(A_ROW), i32.const(BLOCK_ROWS))),
    increase(BLOCK_SCALES, i32.const(16 * BLOCK_ROWS)),
  ];
  const panel = [
    set(BLOCK_A, get(A)),
    set(BLOCK_C, get(C)),
    set(BLOCK_SCALES, get(ROW_SCALES)),
    set(BLOCKS_LEFT, get(BLOCKS)),
    repeat(BLOCKS_LEFT, ...block),
    increase(B, get(B_PANEL)),
    increase(C, i32.const(4 * PANEL_COLUMNS)),
    increase(FACTS, i32.const(3 * 4 * PANEL_COLUMNS)),
  ];
  return { name, parameters: 12, i32Locals: 10, v128Locals: 11, code: repeat(PANELS, ...panel) };
};

export const FLOATS = productKernel("floats", {
  add: f32x4.add,
  multiply: f32x4.mul,
  result: (sum) => sum,
});

export const INTEGERS = productKernel("integers", {
  add: i32x4.add,
  multiply: i32x4.dotI16x8,
  result: (sum, row, half) => {
    const ofColumns = (at: number): Code => v128.load(get(FACTS), at + 16 * half);
    const ofRow = f32x4.mul(f32x4.convertI32x4(sum), v128.load(get(BLOCK_SCALES), 16 * row));
    const biased = f32x4.add(f32x4.mul(ofRow, ofColumns(0)), ofColumns(32));
    return f32x4.max(biased, ofColumns(64));
  },
});
