import { expect, test } from "vitest";
import { type LoadedProgram, ProgramShelf } from "../../../src/world/sandbox/program-shelf.ts";

const program = (sizeBytes: number): LoadedProgram => ({
  codeBytes: 1,
  image: { changes: [{ at: 0, bytes: new Uint8Array(sizeBytes) }], heapEnd: 0 },
  methods: [],
  work: { polls: 0, nativeBytes: 0 },
});

test("a shelf gives back what was put", () => {
  const shelf = new ProgramShelf(10_000);
  const put = program(100);
  shelf.put("a", put);
  expect(shelf.take("a")).toBe(put);
  expect(shelf.take("b")).toBe(null);
});

test("a full shelf gives up what was not used for longest", () => {
  const shelf = new ProgramShelf(10_000);
  for (const key of ["a", "b", "c"]) shelf.put(key, program(2_000));
  shelf.take("a");
  for (const key of ["d", "e"]) shelf.put(key, program(2_000));
  const kept = ["a", "b", "c", "d", "e"].filter((key) => shelf.take(key) !== null);
  expect(kept).toEqual(["a", "d", "e"]);
});

test("a program too large for the shelf is not kept", () => {
  const shelf = new ProgramShelf(10_000);
  shelf.put("huge", program(20_000));
  expect(shelf.take("huge")).toBe(null);
});

test("putting a key again replaces it", () => {
  const shelf = new ProgramShelf(10_000);
  for (let i = 0; i < 20; i++) shelf.put("a", program(6_000));
  expect(shelf.take("a")).not.toBe(null);
});
