import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { violationsOn } from "../../support/axe.ts";
import { browserOfTests, closedWell } from "../../support/browser.ts";
import { makeShownRuns, openShown, SHOWN_NAMES } from "../../support/shown-pages.ts";

const browser = browserOfTests();

beforeAll(makeShownRuns);

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
      isOver(boxes[at], boxes[at + 1 + after]) &&
      isBar(one) === isBar(other) && !one.contains(other) && !other.contains(one) &&
      one.closest(".lives") === other.closest(".lives")
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

const WIDTHS = [320, 390, 768, 1280, 1920, 2560];

/** What does not fit on a screen, overlaps, or has lines that are too long. */
const misplacedOn = async (page: Page): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    // The charts follow the width in the next frames.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))");
    const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    const cut = await page.evaluate<readonly string[]>(CUT);
    const over = await page.evaluate<readonly string[]>(OVERLAPPING);
    const chars = await page.evaluate<number>(LINE_CHARS);
    const found = [
      ...(wide > 0 ? [`scrolls sideways by ${wide} px`] : []),
      ...cut.slice(0, 3).map((text) => `cut: ${text}`),
      ...over.slice(0, 3),
      ...(chars > LINE_CHARS_MAX ? [`a line has room for ${Math.round(chars)} characters`] : []),
    ];
    problems.push(...found.map((text) => `at ${width} px: ${text}`));
  }
  return problems;
};

/** The tables and texts that paper of A4 would cut. */
const CUT_ON_PAPER = `[...document.querySelectorAll(".scroller, .text, .messages, .lives")]
  .filter((each) => each.checkVisibility())
  .filter((each) => each.scrollWidth > each.clientWidth + 1 ||
    each.getBoundingClientRect().right > innerWidth + 1)
  .map((each) => "on paper: " + each.outerHTML.slice(0, 100))`;

const MOVING = `[...document.querySelectorAll("#page *")].filter((each) => {
  const { transitionDuration, animationName } = getComputedStyle(each);
  return transitionDuration !== "0s" || animationName !== "none";
}).map((each) => "moves: " + each.outerHTML.slice(0, 100))`;

/** The element with the focus, and whether a person sees that it has it. */
const FOCUS = `(() => {
  const { activeElement: here } = document;
  const style = getComputedStyle(here);
  const box = here.getBoundingClientRect();
  return {
    what: here.outerHTML.slice(0, 100),
    isBody: here === document.body,
    isSeen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1,
    isInView: box.bottom > 0 && box.top < innerHeight && box.width > 0,
  };
})()`;

type Focus = {
  readonly what: string;
  readonly isBody: boolean;
  readonly isSeen: boolean;
  readonly isInView: boolean;
};

const STEPS = 40;

/** What gets the focus by the Tab key where no one sees it. */
const unseenFocusOn = async (page: Page): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    await page.keyboard.press("Tab");
    const { what, isBody, isSeen, isInView } = await page.evaluate<Focus>(FOCUS);
    if (isBody && step === 0) problems.push("nothing gets the focus");
    // After the last element, the focus leaves the page.
    if (isBody) break;
    if (!isSeen || !isInView) problems.push(`the focus is not seen: ${what}`);
  }
  return problems;
};

it.each(SHOWN_NAMES)(
  "%s fits each screen and paper, and can be used by keys, eyes and ears",
  async (name) => {
    // The policy of a page lets no other script run, and so not axe.
    const tab = await openShown(browser, name, { bypassCSP: true });
    const { page } = tab;
    const found = [...(await unseenFocusOn(page))];
    found.push(...(await violationsOn(page)));
    found.push(...(await misplacedOn(page)));
    await page.emulateMedia({ reducedMotion: "reduce" });
    found.push(...(await page.evaluate<readonly string[]>(MOVING)));
    // The width of an A4 page between its margins.
    await page.setViewportSize({ width: 700, height: 1_000 });
    await page.emulateMedia({ media: "print" });
    found.push(...(await page.evaluate<readonly string[]>(CUT_ON_PAPER)));
    expect(found).toEqual([]);
    await closedWell(tab);
  },
);
