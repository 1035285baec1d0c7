import { expect, it } from "vitest";
import { browserOfTests, closedWell, type Tab } from "../../support/browser.ts";
import { button, seqOf, stateOf, watchRun } from "../../support/watched-run.ts";

const browser = browserOfTests();

const message = ({ page }: Tab) => page.locator(".run-bar .said");

/** The place and the size of each control, in order. */
const placesOf = ({ page }: Tab): Promise<readonly string[]> =>
  page
    .locator(".run-bar .controls button")
    .evaluateAll((all) => all.map((each) => JSON.stringify(each.getBoundingClientRect())));

const FOCUSED = "document.activeElement?.id || document.activeElement?.textContent";

it("no control moves while the run is stepped, on any screen", async () => {
  const { tab, end } = await watchRun(browser);
  for (const width of [390, 1280, 1920]) {
    await tab.page.setViewportSize({ width, height: 800 });
    await button(tab, "Pause").waitFor();
    const places = await placesOf(tab);
    await button(tab, "Pause").click();
    await expect.poll(() => stateOf(tab).innerText()).toBe("paused");
    expect(await placesOf(tab)).toEqual(places);
    const before = await seqOf(tab);
    await button(tab, "Step").click();
    await expect.poll(() => seqOf(tab)).toBeGreaterThan(before);
    await expect.poll(() => message(tab).innerText()).toMatch(/^paused at /);
    expect(await placesOf(tab)).toEqual(places);
    await button(tab, "Checkpoint").click();
    await expect.poll(() => message(tab).innerText()).toMatch(/^saved the state /);
    expect(await placesOf(tab)).toEqual(places);
    await button(tab, "Resume").click();
  }
  await end();
});

it("a step that the page does not see shows its action", async () => {
  const { tab, end } = await watchRun(browser, {}, (link) => ({
    ...link,
    // As if each step ended before the next tick.
    pace: () => (link.pace() === "stepping" ? "paused" : link.pace()),
  }));
  await button(tab, "Pause").click();
  await expect.poll(() => stateOf(tab).innerText()).toBe("paused");
  const before = await seqOf(tab);
  await button(tab, "Step").click();
  await expect.poll(() => seqOf(tab)).toBeGreaterThan(before);
  await expect.poll(() => message(tab).innerText()).toMatch(/^paused at .+: \w+/);
  await end();
});

it("buttons keep the focus when their command is not possible for a moment", async () => {
  const { tab, end } = await watchRun(browser);
  await button(tab, "Pause").click();
  await expect.poll(() => stateOf(tab).innerText()).toBe("paused");
  const before = await seqOf(tab);
  await button(tab, "Step").press("Enter");
  await expect.poll(() => seqOf(tab)).toBeGreaterThan(before);
  expect(await tab.page.evaluate(FOCUSED)).toBe("Step");
  await button(tab, "Previous event").click();
  await tab.page.locator(".time-bar.is-past").waitFor();
  await button(tab, "Now").press("Enter");
  await tab.page.locator(".time-bar:not(.is-past)").waitFor();
  expect(await tab.page.evaluate(FOCUSED)).toBe("Now");
  await end();
});

it("Stop stands apart, and a second click in its place does not end the run", async () => {
  const { launch, tab, ended } = await watchRun(browser);
  const stop = button(tab, "Stop");
  const place = await stop.boundingBox();
  const other = await button(tab, "Checkpoint").boundingBox();
  if (place === null || other === null) throw new Error("a control is not visible");
  expect(place.x - (other.x + other.width)).toBeGreaterThan(20);
  await stop.dblclick();
  await button(tab, "Yes, end the run").waitFor();
  await tab.page.keyboard.press("Escape");
  expect(await button(tab, "Yes, end the run").isVisible()).toBe(false);
  expect(await tab.page.evaluate(FOCUSED)).toBe("Stop");
  expect(launch.runner.operate().pace).toBe("going");
  await tab.page.keyboard.press("Enter");
  expect(await tab.page.evaluate(FOCUSED)).toBe("Cancel");
  await tab.page.keyboard.press("Enter");
  expect(await tab.page.evaluate(FOCUSED)).toBe("Stop");
  await stop.press("Enter");
  await button(tab, "Yes, end the run").press("Enter");
  expect(await ended).toMatchObject({ stoppedBy: "signal" });
  await stop.waitFor({ state: "detached" });
  expect(await tab.page.evaluate(FOCUSED)).toBe("content");
  await closedWell(tab);
});
