import { expect, test } from "vitest";
import { type LoadedProgram, ProgramCache } from "../../../src/world/sandbox/memory-image.ts";

const program = (sizeBytes: number): LoadedProgram => ({
  codeBytes: 1,
  image: { changes: [{ at: 0, bytes: new Uint8Array(sizeBytes) }], heapEnd: 0 },
  methods: [],
  work: { polls: 0, nativeBytes: 0 },
});

test("the program cache returns what was set", () => {
  const cache = new ProgramCache(10_000);
  const put = program(100);
  cache.set("a", put);
  expect(cache.get("a")).toBe(put);
  expect(cache.get("b")).toBe(null);
});

test("the program cache drops the least recently used program", () => {
  const cache = new ProgramCache(10_000);
  for (const key of ["a", "b", "c"]) cache.set(key, program(2_000));
  cache.get("a");
  for (const key of ["d", "e"]) cache.set(key, program(2_000));
  const kept = ["a", "b", "c", "d", "e"].filter((key) => cache.get(key) !== null);
  expect(kept).toEqual(["a", "d", "e"]);
});

test("the program cache does not keep a program that is too large", () => {
  const cache = new ProgramCache(10_000);
  cache.set("huge", program(20_000));
  expect(cache.get("huge")).toBe(null);
});

test("the program cache replaces the program of a key", () => {
  const cache = new ProgramCache(10_000);
  for (let i = 0; i < 20; i++) cache.set("a", program(6_000));
  expect(cache.get("a")).not.toBe(null);
});
