import { BLOCK_ROWS, FLOATS, INTEGERS, PANEL_COLUMNS } from "./product-kernels.ts";
import { GROUP_COLUMNS, QUANTIZE } from "./quantize-kernel.ts";
import { wasmModule } from "./wasm.ts";

export { PANEL_COLUMNS };

/**
 * A product A · B = C of matrices in memory. Places and sizes are in bytes. In one step, a row of A
 * has 4 bytes, and a panel of B has 4 bytes for each of its columns.
 */
type Product = {
  /** The memory of A and C must have room for a multiple of 4. */
  readonly rows: number;
  /** A multiple of `PANEL_COLUMNS`. */
  readonly columns: number;
  readonly steps: number;
  readonly a: number;
  readonly aRowBytes: number;
  readonly b: number;
  readonly bStepBytes: number;
  readonly bPanelBytes: number;
  readonly c: number;
  readonly cRowBytes: number;
};

/** Where the numbers are that turn sums of integers into floats. */
type Scaling = {
  /** For each row 4 equal floats: its scale. */
  readonly rowScales: number;
  /** For each panel the scales of its columns, then their biases, then their minimums. */
  readonly columnFacts: number;
};

/** Floats to write as 16-bit integers. The largest float of a row becomes the maximum. */
type FloatRows = {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  /** A multiple of 8. */
  readonly columns: number;
  /** Where 4 equal floats are: the maximum. */
  readonly maximum: number;
  /** Where to write the scales of the rows, in the form of `Scaling`. */
  readonly rowScales: number;
};

/** The result for a row does not depend on other rows. It is the same on every machine. */
export type Kernels = {
  /** Return parts of the memory that the kernels use. The parts are never freed. */
  floats(length: number): Float32Array;
  shorts(length: number): Int16Array;
  /** One step multiplies one float of a row. */
  multiplyFloats(product: Product): void;
  /** One step multiplies two 16-bit integers of a row. C gets floats. */
  multiplyIntegers(product: Product, scaling: Scaling): void;
  quantize(rows: FloatRows): void;
};

const PAGE_BYTES = 65_536;
/** The bytes of a vector. Every part of the memory begins at a multiple. */
const VECTOR_BYTES = 16;

export const openKernels = (memoryBytes: number): Kernels => {
  const pages = Math.ceil(memoryBytes / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const module = new WebAssembly.Module(wasmModule([FLOATS, INTEGERS, QUANTIZE]));
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const call = (name: string, given: readonly number[]): void => {
    const kernel = exports[name];
    if (typeof kernel !== "function") throw new Error(`the matrix kernels have no ${name}`);
    kernel(...given);
  };
  let usedBytes = 0;
  const take = (bytes: number): number => {
    const at = usedBytes;
    usedBytes += Math.ceil(bytes / VECTOR_BYTES) * VECTOR_BYTES;
    return at;
  };
  return {
    floats: (length) => new Float32Array(memory.buffer, take(4 * length), length),
    shorts: (length) => new Int16Array(memory.buffer, take(2 * length), length),
    multiplyFloats: (product) => call(FLOATS.name, [...sizesOf(product), 0, 0]),
    multiplyIntegers: (product, { rowScales, columnFacts }) =>
      call(INTEGERS.name, [...sizesOf(product), rowScales, columnFacts]),
    quantize: ({ from, to, rows, columns, maximum, rowScales }) =>
      call(QUANTIZE.name, [from, to, rows, columns / GROUP_COLUMNS, maximum, rowScales]),
  };
};

/** Returns the first parameters of a product kernel. */
const sizesOf = ({ rows, columns, steps, ...product }: Product): readonly number[] => {
  const { a, aRowBytes, b, bStepBytes, bPanelBytes, c, cRowBytes } = product;
  const blocks = Math.ceil(rows / BLOCK_ROWS);
  const panels = columns / PANEL_COLUMNS;
  return [a, aRowBytes, b, bStepBytes, bPanelBytes, c, cRowBytes, blocks, panels, steps];
};
