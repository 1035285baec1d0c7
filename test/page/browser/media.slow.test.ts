import { beforeAll, describe, expect, it } from "vitest";
import { browserOfTests, closedWell, type Tab } from "../../support/browser.ts";
import { makeShownRuns, openShown } from "../../support/shown-pages.ts";

const browser = browserOfTests();

beforeAll(makeShownRuns);

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

describe.each(["light", "dark"] as const)("with forced colours, %s", (colorScheme) => {
  it("shows what is selected, pressed or focused, the marks, and the lines in their colours", async () => {
    const tab = await openShown(browser, "overview-past", { colorScheme });
    await tab.page.emulateMedia({ forcedColors: "active", colorScheme });
    const border = "border-bottom-color";
    const selected = await styleOf(tab, '.tabs a[aria-current="page"]', border);
    expect(selected).not.toBe(await styleOf(tab, ".tabs a:not([aria-current])", border));
    const pressed = await styleOf(tab, ".speeds [aria-pressed=true]", "background-color");
    const other = await styleOf(tab, ".speeds [aria-pressed=false]", "background-color");
    expect(pressed).not.toBe(other);
    const paper = await styleOf(tab, "html", "background-color");
    expect(await styleOf(tab, ".swatch", "background-color")).not.toBe(paper);
    expect(await styleOf(tab, ".mark-track path[d^=M]", "fill")).not.toBe(paper);
    // Axes and their texts have the colour of text.
    const text = brightness(await styleOf(tab, ".chart-canvas text", "fill"));
    expect(Math.abs(text - brightness(paper))).toBeGreaterThan(0.9);
    const later = await styleOf(tab, ".chart-later:not([hidden])", "background-color");
    expect(later).toMatch(/0\.\d+\)$/);
    await tab.page.keyboard.press("Tab");
    expect(await styleOf(tab, ":focus", "outline-style")).toBe("solid");
    await tab.page.getByRole("link", { name: "Events" }).click();
    await tab.page.locator(".event-line:not(.event-heads, .is-coming)").first().click();
    expect(await styleOf(tab, ".event-line.is-picked", "outline-style")).toBe("solid");
    await closedWell(tab);
  });
});

it("paper has dark text and charts on white, and no controls, from a dark screen too", async () => {
  for (const name of ["overview", "report", "published"]) {
    const tab = await openShown(browser, name, { colorScheme: "dark" });
    await tab.page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(brightness(await styleOf(tab, ".panel", "background-color"))).toBe(1);
    expect(brightness(await styleOf(tab, "h1", "color"))).toBeLessThan(0.2);
    expect(brightness(await styleOf(tab, ".chart-canvas text", "fill"))).toBeLessThan(0.5);
    const controls = tab.page.locator(
      "nav, input, select, .save, .run-bar, .transport, button:not(.legend *, thead *)",
    );
    expect(await controls.locator("visible=true").count()).toBe(0);
    await closedWell(tab);
  }
});
