import { expect, it } from "vitest";
import { calls, comes, meterOf, mints, moves } from "../../support/run-events.ts";

const meter = meterOf(
  [
    comes("ann", 500),
    comes("bob", 0),
    moves(["ann", "bob"], 5),
    moves(["ann", "bob"], 90),
    mints("ann", 40),
    moves(["bob", "ann"], 60),
    moves(["ann", "bob"], 7),
  ].flat(),
);

const amountsOf = (id: string): readonly number[] =>
  meter.jumps
    .wealthOf(id)
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ amount }) => amount);

it("keeps the largest changes of the wealth of an agent, without its starting balance", () => {
  expect(amountsOf("ann")).toEqual([-90, 40, 60]);
  expect(amountsOf("bob")).toEqual([90, -60, 7]);
  expect(amountsOf("eve")).toEqual([]);
});

it("keeps the calls that changed the price index most", () => {
  const sold = [4, 4, 8, 6].map((price) => calls("shop", { by: "ann", to: "bob", price }));
  const { jumps } = meterOf([comes("ann", 500), comes("bob", 0), ...sold].flat());
  const found = jumps.prices.map(({ amount }) => Math.sign(amount));
  expect(found).toEqual([1, -1]);
});
