import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Table, TableIndex, UndoLog } from "../../../src/kernel/core/tables.ts";

type Row = { readonly group: string | null; readonly rank: number; readonly note: number };

const key = fc.constantFrom("k", "l", "m", "constructor", "__proto__");
const row = fc.record({ group: fc.constantFrom("a", "b", null), rank: fc.nat(2), note: fc.nat(9) });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("put" as const), key, row }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), key }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("mark" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("rollback" as const) }) },
);

const indexed = (filled: readonly (readonly [string, Row])[] = []) => {
  const undo = new UndoLog();
  const rows = new Table<string, Row>(undo);
  const index = new TableIndex(rows, {
    groupOf: ({ group }) => group,
    rankOf: ({ rank }) => [rank],
  });
  for (const [name, each] of filled) rows.put(name, each);
  return { undo, rows, index };
};

/** The same by a search through all rows. */
const searched = (rows: Table<string, Row>, group: string): readonly string[] =>
  [...rows.entries()]
    .filter(([, each]) => each.group === group)
    .sort(([k, a], [l, b]) => a.rank - b.rank || (k < l ? -1 : 1))
    .map(([name]) => name);

const DEAR: Row = { group: "a", rank: 0, note: 1 };
const CHEAP: Row = { group: "a", rank: 1, note: 2 };

describe("an index of a table", () => {
  it("finds the same as a search through all rows, also after a rollback", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { undo, rows, index } = indexed();
        const marks: number[] = [];
        for (const each of steps) {
          if (each.kind === "put") rows.put(each.key, each.row);
          else if (each.kind === "remove") rows.remove(each.key);
          else if (each.kind === "mark") marks.push(undo.mark());
          else undo.rollback(marks.pop() ?? 0);
          for (const group of ["a", "b"]) {
            const expected = searched(rows, group);
            expect([...index.keysOf(group)]).toEqual(expected);
            expect([...index.rowsOf(group)]).toEqual(expected.map((name) => rows.get(name)));
            expect(index.sizeOf(group)).toBe(expected.length);
          }
          expect(index.agrees()).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("can return a part: up to a limit, after a key", () => {
    const other = { ...DEAR, group: "b" };
    const { index } = indexed(Object.entries({ x: CHEAP, z: DEAR, y: DEAR, w: other }));
    expect([...index.keysOf("a", { max: 2 })]).toEqual(["y", "z"]);
    expect([...index.keysOf("a", { after: "y" })]).toEqual(["z", "x"]);
    expect([...index.keysOf("a", { after: "y", max: 1 })]).toEqual(["z"]);
    expect([...index.keysOf("a", { after: "w" })]).toEqual(["y", "z", "x"]);
    expect([...index.keysOf("unknown")]).toEqual([]);
  });

  it("does not agree with its table if the grouping changes", () => {
    let group = "a";
    const rows = new Table<string, Row>(new UndoLog());
    const index = new TableIndex(rows, { groupOf: () => group });
    rows.put("x", DEAR);
    expect(index.agrees()).toBe(true);
    group = "b";
    expect(index.agrees()).toBe(false);
  });
});
