import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { answerBy } from "../../../src/page/browser/dashboard/core/api.ts";
import { RETRY_MS, RowPages } from "../../../src/page/browser/dashboard/core/row-lines.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A list that wants its rows each time that it is drawn, and the number of its requests. */
const listOf = (answer: () => Response) => {
  let requests = 0;
  answerBy({
    answer: async () => {
      requests += 1;
      return answer();
    },
    isPublished: false,
  });
  const pages: RowPages<{ seq: number }> = new RowPages("/runs/a/events", "", () =>
    pages.want(0, 20),
  );
  return { pages, requests: () => requests };
};

it.each([
  ["the server is gone", () => Response.error()],
  ["the server has a problem", () => Response.json({ problem: "no" }, { status: 500 })],
])("a list pauses between its requests while %s", async (_, answer) => {
  const { pages, requests } = listOf(answer);
  pages.want(0, 20);
  await vi.advanceTimersByTimeAsync(RETRY_MS * 3 - 1);
  expect(requests()).toBe(3);
  expect(pages.problem).not.toBeNull();
});

it("a list shows its rows when the server responds again", async () => {
  let isUp = false;
  const rows = [{ seq: 1 }];
  const { pages } = listOf(() => (isUp ? Response.json({ total: 1, rows }) : Response.error()));
  pages.want(0, 20);
  await vi.advanceTimersByTimeAsync(1);
  isUp = true;
  await vi.advanceTimersByTimeAsync(RETRY_MS);
  expect([pages.problem, pages.total, pages.at(0)]).toEqual([null, 1, { seq: 1 }]);
});
