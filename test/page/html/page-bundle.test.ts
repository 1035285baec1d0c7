import { expect, it } from "vitest";
import { memoized } from "../../../src/kernel/index.ts";
import { PAGE_NAMES, pageBundle } from "../../../src/page/html/page-bundle.ts";

const bundleOf = memoized(pageBundle);

it("a page has the same style sheets each time", async () => {
  expect((await pageBundle("dashboard")).style).toBe((await bundleOf("dashboard")).style);
});

it.each(PAGE_NAMES)(
  "the page %s has its style sheets in the order of their imports",
  async (page) => {
    const { style } = await bundleOf(page);
    // The first rule of base.css, a rule of charts.css, and a rule of media.css.
    const places = ["box-sizing: border-box", ".matrix-head", "@media (forced-colors"];
    const found = places.map((text) => style.indexOf(text));
    expect(found[0]).toBeGreaterThanOrEqual(0);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(style.lastIndexOf(".swatch,.chart-plot>*")).toBeGreaterThan(found[2] ?? 0);
  },
);

// An import of a door can pull a library or a room into a page that does not need it.
it.each(PAGE_NAMES)("the page %s has no schemas of files", async (page) => {
  expect((await bundleOf(page)).script).not.toContain("ZodError");
});

it("the worker of a published page has no mind", async () => {
  expect((await pageBundle("published-worker")).script).not.toContain("the script says so");
});
