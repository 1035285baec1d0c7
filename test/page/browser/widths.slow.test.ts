import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { browserOfTests, closedWell } from "../../support/browser.ts";
import { makeShownRuns, shownPages } from "../../support/shown-pages.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";

const browser = browserOfTests();
const folder = sharedFolder();

beforeAll(() => makeShownRuns(folder));

/** The elements that are wider than the screen, outside parts that scroll or cut on purpose. */
const CUT = `[...document.querySelectorAll("#page *, #report *")].flatMap((each) => {
  const { left, right, width, height } = each.getBoundingClientRect();
  if (width === 0 || height === 0 || (right <= innerWidth + 1 && left >= -1)) return [];
  for (let around = each; around !== null; around = around.parentElement) {
    if (getComputedStyle(around).overflowX !== "visible") return [];
    if (around.matches(".unseen, .skip, svg, .mark-track")) return [];
  }
  return [each.outerHTML.slice(0, 120)];
})`;

/** The buttons, fields and links that overlap. */
const OVERLAPPING = `(() => {
  const all = [...document.querySelectorAll("button, input, select, textarea, summary, a")]
    .filter((each) => each.checkVisibility() && !each.closest("svg, .scroller, .unseen, .skip"));
  const boxes = all.map((each) => each.getBoundingClientRect());
  const isOver = (a, b) =>
    a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
  const isBar = (each) => each.closest(".top") !== null;
  return all.flatMap((one, at) =>
    all.slice(at + 1).flatMap((other, after) =>
      isBar(one) === isBar(other) && !one.contains(other) && !other.contains(one) &&
      one.closest(".lives") === other.closest(".lives") &&
      isOver(boxes[at], boxes[at + 1 + after])
        ? [one.outerHTML.slice(0, 100) + " over " + other.outerHTML.slice(0, 100)]
        : [],
    ),
  );
})()`;

/** The longest lines of running text, in characters. */
const LINE_CHARS = `Math.max(0, ...[...document.querySelectorAll("#page p, #report p")]
  .filter((each) => each.checkVisibility() && !each.closest(".tools, .density, .controls"))
  .map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const width = Math.max(0, ...[...range.getClientRects()].map((box) => box.width));
    return width / parseFloat(getComputedStyle(each).fontSize) * 2;
  }))`;

const LINE_CHARS_MAX = 130;

const problemsOn = async (page: Page): Promise<readonly string[]> => {
  const width = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  const cut = await page.evaluate<readonly string[]>(CUT);
  const over = await page.evaluate<readonly string[]>(OVERLAPPING);
  const chars = await page.evaluate<number>(LINE_CHARS);
  return [
    ...(width > 0 ? [`scrolls sideways by ${width} px`] : []),
    ...cut.slice(0, 3).map((text) => `cut: ${text}`),
    ...over.slice(0, 3),
    ...(chars > LINE_CHARS_MAX ? [`a line has room for ${Math.round(chars)} characters`] : []),
  ];
};

describe.each([320, 390, 768, 1280, 1920, 2560])("on a screen of %i px", (width) => {
  it("every page fits, nothing is cut or overlaps, and lines are not too long", async () => {
    const problems: string[] = [];
    for (const { name, address, shows } of await shownPages(folder)) {
      const tab = await browser.open(address, { viewport: { width, height: 900 } });
      await tab.page.locator(shows).first().waitFor();
      problems.push(...(await problemsOn(tab.page)).map((text) => `${name}: ${text}`));
      await closedWell(tab);
    }
    expect(problems).toEqual([]);
  });
});
