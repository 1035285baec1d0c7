import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { append, dropOldest, emptyLog } from "../../../src/kernel/core/lists.ts";
import { Table, UndoLog } from "../../../src/kernel/core/tables.ts";
import { type Log, logItems } from "../../../src/kernel/index.ts";

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;

const table = fc.nat(1);
const key = fc.constantFrom("a", "b", "c", "constructor", "__proto__");
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("put"), table, key, row: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove"), table, key }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("mark") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("rollback") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("commit") }) },
);
type Step = Drawn<typeof step>;

type Model = readonly ReadonlyMap<string, number>[];

/** The same steps on maps, which are copied at each mark. */
class Copies {
  now: Model = [new Map(), new Map()];
  #marks: Model[] = [];
  #committed: Model = this.now;

  take(step: Step): void {
    if (step.kind === "mark") this.#marks.push(this.now);
    else if (step.kind === "rollback") this.now = this.#marks.pop() ?? this.#committed;
    else if (step.kind === "commit") {
      this.#marks = [];
      this.#committed = this.now;
    } else {
      this.now = this.now.map((rows, n) => {
        if (n !== step.table) return rows;
        const copy = new Map(rows);
        if (step.kind === "put") copy.set(step.key, step.row);
        else copy.delete(step.key);
        return copy;
      });
    }
  }

  /** The keys that changed since the last commit, with their values before. */
  changed(n: number): ReadonlyMap<string, number | undefined> {
    const [before, after] = [this.#committed[n], this.now[n]];
    const keys = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
    const moved = [...keys].filter((each) => before?.get(each) !== after?.get(each));
    return new Map(moved.map((each) => [each, before?.get(each)]));
  }
}

describe("tables with one undo log", () => {
  it("agree with maps that are copied", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const undo = new UndoLog();
        const tables = [new Table<string, number>(undo), new Table<string, number>(undo)];
        const model = new Copies();
        let marks: number[] = [];
        for (const each of steps) {
          model.take(each);
          if (each.kind === "put") tables[each.table]?.put(each.key, each.row);
          else if (each.kind === "remove") tables[each.table]?.remove(each.key);
          else if (each.kind === "mark") marks.push(undo.mark());
          else if (each.kind === "rollback") undo.rollback(marks.pop() ?? 0);
          else {
            undo.forget();
            marks = [];
          }
          for (const [n, real] of tables.entries()) {
            expect(new Map(real.entries())).toEqual(model.now[n]);
            expect(real.size).toBe(model.now[n]?.size);
            const changed = real.changed();
            for (const [moved, before] of model.changed(n)) {
              expect(changed.has(moved)).toBe(true);
              expect(changed.get(moved)).toBe(before);
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it("do not change a snapshot, and cannot undo what was committed", () => {
    const undo = new UndoLog();
    const rows = new Table<string, number>(undo);
    rows.put("a", 1);
    const snapshot = new Map(rows.entries());
    rows.put("a", 2);
    undo.forget();
    undo.rollback(0);
    expect(rows.get("a")).toBe(2);
    rows.remove("a");
    expect([...snapshot]).toEqual([["a", 1]]);
  });
});

const logStep = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("append"), item: fc.nat(99) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("drop"), count: fc.nat(90) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("mark") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("rollback") }) },
);
type LogStep = Drawn<typeof logStep>;

const taken = (log: Log<number>, list: readonly number[], step: LogStep) => {
  if (step.kind === "append") return [append(log, step.item), [...list, step.item]] as const;
  if (step.kind === "drop") return [dropOldest(log, step.count), list.slice(step.count)] as const;
  return [log, list] as const;
};

describe("a log", () => {
  it("does not change when a branch that was rolled back appends to it", () => {
    fc.assert(
      fc.property(fc.array(logStep, { maxLength: 400, size: "max" }), (all) => {
        let log: Log<number> = emptyLog();
        let list: readonly number[] = [];
        const marks: (readonly [Log<number>, readonly number[]])[] = [];
        for (const each of all) {
          if (each.kind === "mark") marks.push([log, list]);
          else if (each.kind === "rollback") [log, list] = marks.pop() ?? [log, list];
          else [log, list] = taken(log, list, each);
          expect(logItems(log)).toEqual(list);
        }
        for (const [older, then] of marks.reverse()) expect(logItems(older)).toEqual(then);
      }),
      { numRuns: 60 },
    );
  });

  it("frees the memory of dropped items", () => {
    let log: Log<number> = emptyLog();
    for (let n = 0; n < 100_000; n++) log = dropOldest(append(log, n), n < 10 ? 0 : 1);
    expect(logItems(log)).toEqual(Array.from({ length: 10 }, (_, i) => 99_990 + i));
    expect(log.list.length).toBeLessThan(1_000);
  });
});
