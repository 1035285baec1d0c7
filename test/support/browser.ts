import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, expect } from "vitest";
import { launchBrowser } from "../../scripts/browser.ts";

/** A page and its errors. */
export type Tab = { readonly page: Page; readonly errors: readonly string[] };

/** The longest wait for a page, also on a busy machine. */
const WAIT_MS_MAX = 60_000;

let browser: Browser | null = null;

/**
 * One real browser for all tests of a process, which ends with it. `open` opens a page in a new
 * context, and collects its errors: what it writes to the console, throws, or fails to load, and
 * its dialogs.
 */
export const browserOfTests = () => {
  beforeAll(async () => {
    if (browser?.isConnected() !== true) browser = await launchBrowser();
  });
  const open = async (address: string, options: BrowserContextOptions = {}): Promise<Tab> => {
    if (browser === null) throw new Error("the browser has not started");
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      locale: "en-US",
      ...options,
    });
    context.setDefaultTimeout(WAIT_MS_MAX);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()))
        errors.push(`${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("dialog", (dialog) => {
      errors.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(address);
    return { page, errors };
  };
  return { open };
};

/** The error of a request that a page sends to a server that has ended. */
const SERVER_GONE = /^Failed to load resource: net::ERR_CONNECTION_(REFUSED|RESET) /;

/** Expects a page without errors, and closes it. `outlived`: its server has ended. */
export const closedWell = async (
  { page, errors }: Tab,
  { outlived = false }: { readonly outlived?: boolean } = {},
): Promise<void> => {
  expect(errors.filter((text) => !(outlived && SERVER_GONE.test(text)))).toEqual([]);
  await page.context().close();
};
