import { expect, test } from "vitest";
import { METER_EXPORT, meteredBinary } from "../../../src/world/sandbox/metered-binary.ts";

/** A module with `spin` (an endless loop), `recurse` (calls itself without end) and `fill(bytes)`. */
const MODULE = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  // Types: () -> (), (i32) -> ().
  ...[1, 8, 2, 0x60, 0, 0, 0x60, 1, 0x7f, 0],
  ...[3, 4, 3, 0, 0, 1],
  // One memory of 16 pages, and one global.
  ...[5, 3, 1, 0, 16],
  ...[6, 6, 1, 0x7f, 1, 0x41, 0, 0x0b],
  ...[7, 25, 3, 4, ...Buffer.from("spin"), 0, 0, 7, ...Buffer.from("recurse"), 0, 1],
  ...[4, ...Buffer.from("fill"), 0, 2],
  ...[10, 31, 3],
  ...[7, 0, 0x03, 0x40, 0x0c, 0, 0x0b, 0x0b],
  ...[9, 0, 0x03, 0x40, 0x10, 1, 0x01, 0x0b, 0x01, 0x0b],
  ...[11, 0, 0x41, 0, 0x41, 7, 0x20, 0, 0xfc, 11, 0, 0x0b],
]);

const instance = (work: bigint) => {
  const { bytes } = meteredBinary(MODULE, []);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {});
  const meter = exports[METER_EXPORT] as WebAssembly.Global;
  meter.value = work;
  const call = (name: string, ...args: readonly number[]): unknown =>
    (exports[name] as (...given: readonly number[]) => unknown)(...args);
  return { meter, call };
};

test("a loop traps when the meter is empty", () => {
  const { meter, call } = instance(1_000n);
  expect(() => call("spin")).toThrow("unreachable");
  expect(meter.value).toBe(-1n);
});

test("a function that calls itself traps when the meter is empty", () => {
  const { meter, call } = instance(100n);
  expect(() => call("recurse")).toThrow("unreachable");
  expect(meter.value).toBe(-1n);
});

test("filling memory takes 1 per 32 bytes", () => {
  const { meter, call } = instance(1_000n);
  call("fill", 3_200);
  expect(meter.value).toBe(900n);
  expect(() => call("fill", 32_000)).toThrow("unreachable");
});

test("a tracked instruction is found in the new module", () => {
  const fill = MODULE.lastIndexOf(0xfc);
  const { bytes, offsets } = meteredBinary(MODULE, [fill]);
  const at = offsets.get(fill) ?? 0;
  expect(at).toBeGreaterThan(fill);
  expect([...bytes.subarray(at, at + 4)]).toEqual([0xfc, 11, 0, 0x0b]);
  expect(() => meteredBinary(MODULE, [fill + 1])).toThrow("each tracked offset");
});
