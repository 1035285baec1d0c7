import fc from "fast-check";
import { expect, it } from "vitest";
import { eventWindow, ROW_PX } from "../../../src/observe/page/dashboard/views/event-lines.ts";

const VIEW_PX = 600;
const IN_VIEW = VIEW_PX / ROW_PX;

it("draws the lines in view and few others, at any scroll position", () => {
  const total = fc.integer({ min: 0, max: 5_000_000 });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(total, share, (total, share) => {
      const { heightPx } = eventWindow({ total, scrollPx: 0, viewPx: VIEW_PX });
      const scrollPx = share * Math.max(0, heightPx - VIEW_PX);
      const drawn = eventWindow({ total, scrollPx, viewPx: VIEW_PX });
      expect(drawn.from).toBeGreaterThanOrEqual(0);
      expect(drawn.to).toBeLessThanOrEqual(total);
      expect(drawn.to - drawn.from).toBeLessThanOrEqual(IN_VIEW + 2);
      expect(drawn.to - drawn.from).toBeGreaterThanOrEqual(Math.min(total, 1));
      expect(drawn.heightPx).toBeLessThanOrEqual(8_000_000);
    }),
  );
});

it.each([10, 1_000, 100_000, 1_000_000])(
  "scrolls from the first of %i lines to the last",
  (total) => {
    const { heightPx, from } = eventWindow({ total, scrollPx: 0, viewPx: VIEW_PX });
    expect(from).toBe(0);
    const scrollPx = Math.max(0, heightPx - VIEW_PX);
    expect(eventWindow({ total, scrollPx, viewPx: VIEW_PX }).to).toBe(total);
  },
);
