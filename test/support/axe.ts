import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The fields of a violation that tests print. */
type Violation = {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
};

const NODE_CHARS = 160;

/**
 * The violations that axe finds on a page, on a light and on a dark screen, one line for each. The
 * page must allow scripts.
 */
export const violationsOn = async (page: Page): Promise<readonly string[]> => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.evaluate(AXE);
  const onLight = await violationsOf(page, {});
  await page.emulateMedia({ colorScheme: "dark" });
  const onDark = await violationsOf(page, { runOnly: COLOUR_RULES });
  return [...onLight, ...onDark.map((text) => `dark: ${text}`)];
};

/** The only rules that look at colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

const violationsOf = async (page: Page, options: object): Promise<readonly string[]> => {
  const asked = JSON.stringify({ resultTypes: ["violations"], ...options });
  const run = `axe.run(document, ${asked})`;
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(run);
  return violations.map(({ id, impact, nodes: [node, ...others] }) => {
    const where = `${node?.html.slice(0, NODE_CHARS)} and ${others.length} more`;
    return `${impact} ${id}: ${where}: ${node?.failureSummary}`;
  });
};
