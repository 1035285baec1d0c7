import { describe, expect, test } from "vitest";
import { GasMeter, kilobytes } from "../../../src/world/sandbox/gas-meter.ts";

const TABLE = { call: 0, perKbCode: 0, perKbInput: 0, syscall: 0, tick: 1_000, perKbNative: 4 };

describe("a gas meter", () => {
  test("charges polls in proportion to a tick, rounded down once", () => {
    const meter = new GasMeter(TABLE, 100);
    for (let i = 0; i < 25; i++) meter.addPolls(1);
    expect(meter.spent).toBe(2);
  });

  test("charges native work by the kilobyte, rounded down once", () => {
    const meter = new GasMeter(TABLE, 100);
    for (let i = 0; i < 4; i++) meter.addNative(300);
    expect(meter.spent).toBe(4);
  });

  test("is exhausted only over its maximum, and never reports more", () => {
    const meter = new GasMeter(TABLE, 10);
    meter.addFixed(10);
    expect([meter.exhausted, meter.spent, meter.left]).toEqual([false, 10, 0]);
    meter.addFixed(1);
    expect([meter.exhausted, meter.spent, meter.left]).toEqual([true, 10, 0]);
  });

  test("knows the very poll that exhausts it", () => {
    for (const fixed of [0, 3, 10]) {
      const meter = new GasMeter(TABLE, 10);
      meter.addFixed(fixed);
      const polls = meter.pollsLeft;
      meter.addPolls(polls - 1);
      expect(meter.exhausted).toBe(false);
      meter.addPolls(1);
      expect(meter.exhausted).toBe(true);
    }
  });

  test("counts work again as it was counted", () => {
    const first = new GasMeter(TABLE, 1_000);
    first.addPolls(123);
    first.addNative(4_567);
    const second = new GasMeter(TABLE, 1_000);
    second.addWork(first.work);
    expect(second.spent).toBe(first.spent);
  });
});

test("kilobytes are counted when they are begun", () => {
  expect([0, 1, 1_024, 1_025].map(kilobytes)).toEqual([0, 1, 1, 2]);
});
