import { expect, it } from "vitest";
import { BoundedResults, memoized, memoizedFold, memoizedMap } from "../../../src/kernel/index.ts";

const items = (...names: readonly string[]): readonly { readonly name: string }[] =>
  names.map((name) => ({ name }));

it("computes a result again when a full map was emptied", () => {
  const computed: string[] = [];
  const upper = memoized((text: string) => {
    computed.push(text);
    return text.toUpperCase();
  }, new BoundedResults<string, string>(2));
  expect(["a", "b", "a", "c", "c", "a"].map(upper).join("")).toBe("ABACCA");
  expect(computed).toEqual(["a", "b", "c", "a"]);
});

it("maps only the new items of a list that grows", () => {
  const computed: string[] = [];
  const named = memoizedMap(({ name }: { readonly name: string }) => {
    computed.push(name);
    return name.toUpperCase();
  });
  const list = items("a", "b");
  expect(named(list)).toEqual(["A", "B"]);
  expect(named([...list, ...items("c")])).toEqual(["A", "B", "C"]);
  expect(computed).toEqual(["a", "b", "c"]);
});

it("folds a list whose end changed, or that became shorter, like a new one", () => {
  const joined = memoizedFold("", (before, { name }: { readonly name: string }) => before + name);
  const list = items("a", "b", "c");
  expect(joined(list)).toBe("abc");
  expect(joined([...list.slice(0, 2), ...items("x", "y")])).toBe("abxy");
  expect(joined(list.slice(0, 1))).toBe("a");
  expect(joined(list.slice(1))).toBe("bc");
  expect(joined([])).toBe("");
});
