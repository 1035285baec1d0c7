import type { WasmFunction } from "./wasm.ts";
import {
  type Code,
  f32x4,
  i8x16,
  i16x8,
  i32,
  i32x4,
  increase,
  local,
  repeat,
  v128,
} from "./wasm.ts";

const { get, set } = local;

/** The kernel reads the columns in groups. */
export const GROUP_COLUMNS = 8;

const [FROM, TO, ROWS, GROUPS, MAXIMUM, ROW_SCALES] = [0, 1, 2, 3, 4, 5];
const [AT, GROUPS_LEFT, LARGEST, FACTOR] = [6, 7, 8, 9];

/** The bytes of a vector in another order: the halves, or the numbers in each half, swapped. */
const SWAPPED_HALVES = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];
const SWAPPED_NUMBERS = [4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11];

const raise = (value: Code): Code => set(LARGEST, f32x4.max(get(LARGEST), value));

const raiseBySwapped = (order: Code): Code =>
  raise(i8x16.shuffle(get(LARGEST), get(LARGEST), order));

/** Four integers. In a row of zeros the factor is infinite, and `truncSatF32x4` gives zeros. */
const integersAt = (offset: number): Code =>
  i32x4.truncSatF32x4(f32x4.nearest(f32x4.mul(v128.load(get(FROM), offset), get(FACTOR))));

/** For each row: finds the largest number, stores the scale, and writes integers. */
const row = [
  set(LARGEST, v128.zero),
  set(AT, get(FROM)),
  set(GROUPS_LEFT, get(GROUPS)),
  repeat(
    GROUPS_LEFT,
    raise(f32x4.abs(v128.load(get(AT), 0))),
    raise(f32x4.abs(v128.load(get(AT), 16))),
    increase(AT, i32.const(32)),
  ),
  raiseBySwapped(SWAPPED_HALVES),
  raiseBySwapped(SWAPPED_NUMBERS),
  v128.store(get(ROW_SCALES), 0, f32x4.div(get(LARGEST), v128.load(get(MAXIMUM), 0))),
  set(FACTOR, f32x4.div(v128.load(get(MAXIMUM), 0), get(LARGEST))),
  set(GROUPS_LEFT, get(GROUPS)),
  repeat(
    GROUPS_LEFT,
    v128.store(get(TO), 0, i16x8.narrowI32x4(integersAt(0), integersAt(16))),
    increase(FROM, i32.const(32)),
    increase(TO, i32.const(16)),
  ),
  increase(ROW_SCALES, i32.const(16)),
];

export const QUANTIZE: WasmFunction = {
  name: "quantize",
  parameters: 6,
  i32Locals: 2,
  v128Locals: 2,
  code: repeat(ROWS, ...row),
};
