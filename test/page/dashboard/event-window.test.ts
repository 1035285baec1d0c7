import fc from "fast-check";
import { expect, it } from "vitest";
import { ROW_PX, rowWindow } from "../../../src/page/browser/dashboard/core/row-lines.ts";

const VIEW_PX = 600;
const IN_VIEW = VIEW_PX / ROW_PX;

const at = (total: number, scrollPx: number) => rowWindow({ total, scrollPx, viewPx: VIEW_PX });

it("draws the lines in view and few others, at any scroll position", () => {
  const total = fc.integer({ min: 0, max: 5_000_000 });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(total, share, (total, share) => {
      const scrollMaxPx = Math.max(0, at(total, 0).heightPx - VIEW_PX);
      const { from, to, heightPx } = at(total, share * scrollMaxPx);
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeLessThanOrEqual(total);
      expect(to - from).toBeLessThanOrEqual(IN_VIEW + 2);
      expect(to - from).toBeGreaterThanOrEqual(Math.min(total, 1));
      expect(heightPx).toBeLessThanOrEqual(8_000_000);
    }),
  );
});

it.each([10, 1_000, 100_000, 1_000_000])("scrolls from the first of %i lines to the last", (n) => {
  const { heightPx, from } = at(n, 0);
  expect(from).toBe(0);
  expect(at(n, Math.max(0, heightPx - VIEW_PX)).to).toBe(n);
});
