import { beforeAll, describe, expect, it } from "vitest";
import { browserOfTests, closedWell, type Tab } from "../../support/browser.ts";
import { makeShownRuns, shownPages } from "../../support/shown-pages.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";

const browser = browserOfTests();
const folder = sharedFolder();

beforeAll(() => makeShownRuns(folder));

const opened = async (wanted: string, colorScheme: "light" | "dark"): Promise<Tab> => {
  const page = (await shownPages(folder)).find(({ name }) => name === wanted);
  const tab = await browser.open(page?.address ?? "", { colorScheme });
  await tab.page
    .locator(page?.shows ?? "")
    .first()
    .waitFor();
  return tab;
};

const styleOf = ({ page }: Tab, selector: string, property: string): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((each, name) => getComputedStyle(each).getPropertyValue(name), property);

/** The brightness of an opaque colour such as `rgb(0, 0, 0)`, from 0 to 1. */
const brightness = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return (red + green + blue) / (3 * 255);
};

/** The brightness of the darkest and of the brightest drawn point of a chart, from 0 to 1. */
const POINTS = `(() => {
  const canvas = document.querySelector("canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const all = [];
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] > 250) all.push((data[at] + data[at + 1] + data[at + 2]) / 765);
  }
  return [Math.min(...new Set(all)), Math.max(...new Set(all))];
})()`;

describe.each(["light", "dark"] as const)("with forced colours, %s", (colorScheme) => {
  const forced = async (wanted: string): Promise<Tab> => {
    const tab = await opened(wanted, colorScheme);
    await tab.page.emulateMedia({ forcedColors: "active", colorScheme });
    return tab;
  };

  it("shows the selected view, what is pressed and what has the focus", async () => {
    const tab = await forced("overview");
    const border = "border-bottom-color";
    const selected = await styleOf(tab, '.tabs a[aria-current="page"]', border);
    expect(selected).not.toBe(await styleOf(tab, ".tabs a:not([aria-current])", border));
    const pressed = await styleOf(tab, ".speeds [aria-pressed=true]", "background-color");
    const other = await styleOf(tab, ".speeds [aria-pressed=false]", "background-color");
    expect(pressed).not.toBe(other);
    await tab.page.keyboard.press("Tab");
    expect(await styleOf(tab, ":focus", "outline-style")).toBe("solid");
    await closedWell(tab);
  });

  it("shows marks, lines and their colours", async () => {
    const tab = await forced("overview");
    const paper = await styleOf(tab, "html", "background-color");
    expect(await styleOf(tab, ".swatch", "background-color")).not.toBe(paper);
    expect(await styleOf(tab, ".mark-track path[d^=M]", "fill")).not.toBe(paper);
    // Axes and their texts are drawn in the colour of text.
    await expect
      .poll(async () => {
        const [darkest, brightest] = await tab.page.evaluate<[number, number]>(POINTS);
        return brightness(paper) > 0.5 ? darkest < 0.05 : brightest > 0.95;
      })
      .toBe(true);
    await closedWell(tab);
  });

  it("shows the chosen line of a list, and the moment of the page", async () => {
    const tab = await forced("events");
    await tab.page.locator(".event-line:not(.event-heads, .is-coming)").first().click();
    expect(await styleOf(tab, ".event-line.is-picked", "outline-style")).toBe("solid");
    await closedWell(tab);
    const past = await forced("overview-past");
    const later = await styleOf(past, ".chart-later:not([hidden])", "background-color");
    expect(later).toMatch(/0\.\d+\)$/);
    await closedWell(past);
  });
});

it.each(["network", "experiment"])("animates nothing in %s with reduced motion", async (name) => {
  const moving = `[...document.querySelectorAll("#page *")].filter((each) => {
    const { transitionDuration, animationName } = getComputedStyle(each);
    return transitionDuration !== "0s" || animationName !== "none";
  }).length`;
  const tab = await opened(name, "light");
  await tab.page.emulateMedia({ reducedMotion: "reduce" });
  expect(await tab.page.evaluate(moving)).toBe(0);
  await closedWell(tab);
});

describe("on paper", () => {
  it("has dark text and charts on white, and no controls, from a dark screen too", async () => {
    for (const name of ["overview", "report", "published"]) {
      const tab = await opened(name, "dark");
      await tab.page.emulateMedia({ media: "print", colorScheme: "dark" });
      expect(brightness(await styleOf(tab, ".panel", "background-color"))).toBe(1);
      expect(brightness(await styleOf(tab, "h1", "color"))).toBeLessThan(0.2);
      await expect
        .poll(async () => (await tab.page.evaluate<[number, number]>(POINTS))[0])
        .toBeLessThan(0.4);
      const controls = tab.page.locator(
        "nav, input, select, .save, .run-bar, .transport, button:not(.legend *, thead *)",
      );
      expect(await controls.locator("visible=true").count()).toBe(0);
      await closedWell(tab);
    }
  });

  it("cuts no table and no text", async () => {
    const cut = `[...document.querySelectorAll(".scroller, .text, .messages, .lives")]
      .filter((each) => each.checkVisibility())
      .filter((each) => each.scrollWidth > each.clientWidth + 1 ||
        each.getBoundingClientRect().right > innerWidth + 1)
      .map((each) => each.outerHTML.slice(0, 100))`;
    // The width of an A4 page between its margins.
    const viewport = { width: 700, height: 1_000 };
    const problems: string[] = [];
    for (const { name, address, shows } of await shownPages(folder)) {
      const tab = await browser.open(address, { viewport });
      await tab.page.locator(shows).first().waitFor();
      await tab.page.emulateMedia({ media: "print" });
      const found = await tab.page.evaluate<readonly string[]>(cut);
      problems.push(...found.map((text) => `${name}: ${text}`));
      await closedWell(tab);
    }
    expect(problems).toEqual([]);
  });
});
