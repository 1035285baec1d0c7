import { expect, it } from "vitest";
import { memoizedFold, memoizedMap } from "../../../src/kernel/index.ts";

const items = (...names: readonly string[]): readonly { readonly name: string }[] =>
  names.map((name) => ({ name }));

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
