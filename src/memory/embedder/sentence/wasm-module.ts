import { type Code, unsigned } from "./wasm-code.ts";

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
