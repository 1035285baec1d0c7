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

/** The violations that axe finds on a page, one line for each. The page must allow scripts. */
export const violationsOn = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(AXE);
  const run = 'axe.run(document, { resultTypes: ["violations"] })';
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(run);
  return violations.map(({ id, impact, nodes: [node, ...others] }) => {
    const where = `${node?.html.slice(0, NODE_CHARS)} and ${others.length} more`;
    return `${impact} ${id}: ${where}: ${node?.failureSummary}`;
  });
};
