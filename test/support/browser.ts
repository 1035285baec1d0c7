import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { launchBrowser } from "../../scripts/browser.ts";

/** A page, and what went wrong on it. */
export type Tab = { readonly page: Page; readonly trouble: readonly string[] };

/**
 * One real browser for all tests of a file. `open` gives a page of its own; whatever a page says on
 * its console, throws or fails to load is its trouble.
 */
export const browserOfTests = () => {
  let browser: Browser | null = null;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
  });
  const open = async (address: string, options: BrowserContextOptions = {}): Promise<Tab> => {
    if (browser === null) throw new Error("the browser has not started");
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      locale: "en-US",
      ...options,
    });
    const page = await context.newPage();
    const trouble: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) trouble.push(message.text());
    });
    page.on("pageerror", (error) => trouble.push(error.message));
    page.on("dialog", (dialog) => {
      trouble.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(address);
    return { page, trouble };
  };
  return { open };
};

/** What a browser says of a server that is gone; a page may still have had a question for it. */
const NOBODY_THERE = "Failed to load resource: net::ERR_CONNECTION_REFUSED";

/** Nothing went wrong on a page, but for what its server's end brings along; and it is closed. */
export const closedWell = async (
  { page, trouble }: Tab,
  { outlived = false }: { readonly outlived?: boolean } = {},
): Promise<void> => {
  expect(trouble.filter((text) => !(outlived && text === NOBODY_THERE))).toEqual([]);
  await page.context().close();
};
