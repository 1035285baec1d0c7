import { join } from "node:path";
import { expect, it } from "vitest";
import { browserOfTests, closedWell, type Tab } from "../../support/browser.ts";
import { dashboardOf, linkTo } from "../../support/dashboard.ts";
import { ACTIVE, HOSTILE } from "../../support/hostile-run.ts";
import { writePersonas } from "../../support/model-run.ts";
import { review, says } from "../../support/reviewer.ts";
import { prepareRun } from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { button } from "../../support/watched-run.ts";

const browser = browserOfTests();

const write = (artifact_id: string, content: string) => ({
  write_artifact: { artifact_id, content },
});

const NOTES = Array.from({ length: 4 }, (_, at) => write(`note_${at}`, `${at} ${HOSTILE}`));

/** A run of an agent whose notes wait for a reviewer. */
const prepared = (settings: readonly string[]) => {
  const out = temporaryFolder();
  const agents = join(out, "personas");
  writePersonas(agents, { ada: { mind: "script", script: NOTES, review: "actions" } });
  const sets = ["memory.embedder=hashed", ...settings];
  return { launch: prepareRun(join(out, "runs"), { agents, sets }), runs: join(out, "runs") };
};

const proposal = ({ page }: Tab, number: number) =>
  page.getByRole("region", { name: `Proposal ${number} of ada`, exact: true });
const reviewed = ({ page }: Tab) => page.locator(".reviewed > li");
const mark = ({ page }: Tab) => page.locator(".tabs .mark");
const decide = (tab: Tab, how: string, number: number) =>
  button(tab, `${how}: proposal ${number} of ada`);

const FOREIGN =
  "document.querySelectorAll('#page img, #page script, #page style, #page iframe').length";
const FOCUSED = "document.activeElement?.ariaLabel ?? document.activeElement?.textContent";

it("a person accepts, edits and refuses actions of a live run, by keyboard", async () => {
  const { launch, runs } = prepared(["run.clock=wall", "run.duration_s=36000"]);
  const dashboard = await dashboardOf(runs, { live: linkTo(launch) });
  const [address, token] = dashboard.addressOf(launch.directory.runId).split("?");
  const tab = await browser.open(`${address}/agents?${token}`);
  const ended = launch.run();
  const { page } = tab;
  await expect.poll(() => mark(tab).innerText()).toBe("1");
  await page.getByRole("status").filter({ hasText: "1 action waits for a review" }).waitFor();
  await page.getByRole("link", { name: /^Reviews/ }).press("Enter");
  await proposal(tab, 1).waitFor();
  const text = await proposal(tab, 1).innerText();
  expect(text).toContain("costs at most 0 scrip");
  expect(text).toContain("write_artifact");
  expect(text).toContain("\\u{202e}gpj.exe");
  expect(await page.evaluate(FOREIGN)).toBe(0);
  await expect.poll(() => proposal(tab, 1).innerText()).toMatch(/waits for [1-9]\d* s/);

  await decide(tab, "Accept", 1).press("Enter");
  await page.getByText("ada: the action is executed").waitFor();
  expect(await reviewed(tab).first().innerText()).toMatch(/^accepted\s+ada: write_artifact note_0/);

  await decide(tab, "Edit", 2).press("Enter");
  const json = page.getByLabel("The action of proposal 2 as JSON");
  await json.waitFor();
  expect(await page.evaluate(FOCUSED)).toBe("The action of proposal 2 as JSON");
  const shown = await json.inputValue();
  expect(shown).toContain("\\u202egpj.exe");
  expect(ACTIVE.test(shown)).toBe(false);
  expect(JSON.parse(shown)).toEqual(NOTES[1]);
  const send = button(tab, "Accept the edited action");
  await json.fill("{");
  await send.press("Enter");
  await page.getByRole("alert").filter({ hasText: "this is not JSON" }).waitFor();
  await json.fill('{"fly": {}}');
  await send.press("Enter");
  await page.getByRole("alert").filter({ hasText: '"fly" is not an action' }).waitFor();
  await json.fill(JSON.stringify(write("note_1", "short")));
  await send.press("Enter");
  await page.getByText("ada: the edited action is executed").waitFor();

  await decide(tab, "Feedback", 3).press("Enter");
  await page.getByLabel("Feedback to ada about proposal 3").fill(HOSTILE);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("ada: the action is not executed, and the agent gets the text").waitFor();
  await expect
    .poll(() => reviewed(tab).first().innerText())
    .toMatch(/^answered with feedback.*onerror/s);
  expect(await page.evaluate(FOREIGN)).toBe(0);

  await proposal(tab, 4).waitFor();
  launch.runner.stop("signal");
  await ended;
  await page.getByText("You can decide only now, in a live run").waitFor();
  expect(await decide(tab, "Accept", 4).getAttribute("aria-disabled")).toBe("true");
  await closedWell(tab);
});

it("a double click decides about one action only", async () => {
  const { launch, runs } = prepared(["run.duration_s=36000"]);
  const dashboard = await dashboardOf(runs, { live: linkTo(launch) });
  const [address, token] = dashboard.addressOf(launch.directory.runId).split("?");
  const tab = await browser.open(`${address}/reviews?${token}`);
  const ended = launch.run();
  await proposal(tab, 1).waitFor();
  await tab.page.getByText("the time of the run stands still until it is decided").waitFor();
  await decide(tab, "Accept", 1).dblclick();
  await proposal(tab, 2).waitFor();
  expect(await reviewed(tab).count()).toBe(1);
  launch.runner.stop("signal");
  await ended;
  await closedWell(tab);
});

it("a finished run shows its decisions, and those of a past moment", async () => {
  const { launch, runs } = prepared(["run.duration_s=30"]);
  review(launch.runner, [says("No."), ({ proposal }) => ({ kind: "accept_proposal", proposal })]);
  await launch.run();
  const address = (await dashboardOf(runs)).addressOf(launch.directory.runId);
  const tab = await browser.open(`${address}/reviews`);
  await reviewed(tab).nth(3).waitFor();
  expect(await mark(tab).count()).toBe(0);
  const oldest = reviewed(tab).last();
  expect(await oldest.innerText()).toMatch(/^answered with feedback[\s\S]*No\./);
  await oldest.getByRole("link").nth(1).click();
  await expect.poll(() => reviewed(tab).count()).toBe(1);
  await closedWell(tab);
});
