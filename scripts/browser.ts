import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as driver } from "playwright-core";

/** Debian's, where the one that comes along cannot be used. */
const DEBIAN = "/usr/bin/chromium";

const MANIFEST = join(import.meta.dirname, "../node_modules/@sparticuz/chromium/package.json");

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

/** The browser that tests use, with what else a task needs of its flags. */
export const launchBrowser = async (more: readonly string[] = []): Promise<Browser> => {
  const own = await unpacked();
  const executablePath = existsSync(own) ? own : DEBIAN;
  return await driver.launch({ executablePath, args: [...ARGS, ...more], headless: true });
};
