import { expect, it } from "vitest";
import { PAGE_NAMES, pageBundle } from "../../../src/page/html/page-bundle.ts";

it.each(PAGE_NAMES)(
  "the page %s has its style sheets in the order of their imports",
  async (page) => {
    const bundles = await Promise.all(Array.from({ length: 2 }, () => pageBundle(page)));
    const [style = ""] = bundles.map((bundle) => bundle.style);
    expect(new Set(bundles.map((bundle) => bundle.style)).size).toBe(1);
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
  expect((await pageBundle(page)).script).not.toContain("ZodError");
});

it("the worker of a published page has no mind", async () => {
  expect((await pageBundle("published-worker")).script).not.toContain("the script says so");
});
