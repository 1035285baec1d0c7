import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import {
  type Browser,
  type BrowserContextOptions,
  chromium as driver,
  type Page,
} from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

/** Debian's, where the one that comes along cannot be used. */
const DEBIAN = "/usr/bin/chromium";

const MANIFEST = join(import.meta.dirname, "../../node_modules/@sparticuz/chromium/package.json");

/**
 * The browser that comes with `npm ci`, unpacked once for all tests on this machine. It appears
 * whole or not at all, since several test files may ask for it at once.
 */
const unpacked = async (): Promise<string> => {
  const { version } = JSON.parse(readFileSync(MANIFEST, "utf8"));
  const folder = join(tmpdir(), `catallaxy-chromium-${version}`);
  if (existsSync(folder)) return join(folder, "chromium");
  const making = mkdtempSync(join(tmpdir(), "catallaxy-chromium-"));
  const before = process.env.TMPDIR;
  // It is unpacked into the folder for passing files, wherever that is said to be.
  process.env.TMPDIR = making;
  await chromium.executablePath();
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  if (existsSync(folder)) rmSync(making, { recursive: true });
  else renameSync(making, folder);
  return join(folder, "chromium");
};

/** Without what would let pages reach each other: that is what is tested. */
const ARGS = ["--no-sandbox", "--disable-dev-shm-usage", "--font-render-hinting=none"];

/** A page, and what went wrong on it. */
export type Tab = { readonly page: Page; readonly trouble: readonly string[] };

/**
 * One real browser for all tests of a file. `open` gives a page of its own; whatever a page says on
 * its console, throws or fails to load is its trouble.
 */
export const browserOfTests = () => {
  let browser: Browser | null = null;
  beforeAll(async () => {
    const own = await unpacked();
    const executablePath = existsSync(own) ? own : DEBIAN;
    browser = await driver.launch({ executablePath, args: ARGS, headless: true });
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

/** Nothing went wrong on a page; and it is closed. */
export const closedWell = async ({ page, trouble }: Tab): Promise<void> => {
  expect(trouble).toEqual([]);
  await page.context().close();
};
