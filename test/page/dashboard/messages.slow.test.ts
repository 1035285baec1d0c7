import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { browserOfTests, closedWell, type Tab } from "../../support/browser.ts";
import { dashboardOf, linkTo } from "../../support/dashboard.ts";
import { HOSTILE } from "../../support/hostile-run.ts";
import { writePersonas } from "../../support/model-run.ts";
import { prepareRun, simulate } from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { button } from "../../support/watched-run.ts";

const browser = browserOfTests();

const send = (to: string, text: string, options: object = {}): object => ({
  invoke_artifact: { artifact_id: "genesis_messenger", method: "send", args: [to, text, options] },
});

const messages = ({ page }: Tab) => page.locator(".messages li");
const threads = ({ page }: Tab) => page.locator(".message-thread");

it("a finished run shows threads of all or of one principal, and takes no message", async () => {
  const out = temporaryFolder();
  const agents = join(out, "personas");
  const idle = Array.from({ length: 9 }, () => ({ noop: {} }));
  const scripts = {
    ada: [send("bob", "What does it cost?", { attach: 2 }), send("operator", HOSTILE), ...idle],
    bob: [{ noop: {} }, { noop: {} }, send("ada", "3 scrip.", { reply_to: 1 })],
    cyd: [send("operator", "All is well.")],
  };
  const personas = Object.entries(scripts).map(([id, script]) => [id, { mind: "script", script }]);
  writePersonas(agents, Object.fromEntries(personas));
  const sets = ["run.duration_s=20", "memory.embedder=hashed"];
  const { folder } = await simulate(join(out, "runs"), { agents, sets });
  const start = (await dashboardOf(join(out, "runs"))).addressOf(basename(folder));
  const tab = await browser.open(`${start}/messages`);
  const { page } = tab;
  await threads(tab).nth(2).waitFor();
  await page.getByText("3 threads; the operator has 2 unread").waitFor();
  const cost = page.getByRole("region", { name: "Thread 1", exact: true }).locator("li");
  expect(await cost.nth(0).innerText()).toMatch(/^ada → bob\s.*2 scrip attached · read\s/s);
  expect(await cost.nth(1).innerText()).toMatch(/^bob → ada\s.*answers 1 · read\s/s);
  expect(await page.locator("li.is-unread").count()).toBe(2);
  const hostile = messages(tab).filter({ hasText: "onerror" });
  expect(await hostile.innerText()).toContain("\\u{202e}gpj.exe");
  expect(await page.title()).toBe(`${basename(folder)} · catallaxy`);
  await page.getByLabel("Messages of").selectOption("cyd");
  await expect
    .poll(() => messages(tab).allInnerTexts())
    .toEqual([expect.stringContaining("All is well.")]);
  expect(page.url()).toContain("/messages/cyd");
  expect(await page.getByLabel("Message", { exact: true }).isDisabled()).toBe(true);
  expect(await page.getByLabel(/^Answer to message/).isDisabled()).toBe(true);
  await page.getByText("You can write only now, to a live run").waitFor();
  await closedWell(tab);
});

it("a person writes to an agent of a live run, and answers in the thread", async () => {
  const out = temporaryFolder();
  const agents = join(out, "personas");
  writePersonas(agents, {
    smith: { mind: "tools", llm_model: "mock", tools: { turns: "on_message" } },
  });
  const sets = ["run.clock=wall", "run.duration_s=36000", "memory.embedder=hashed"];
  const launch = prepareRun(join(out, "runs"), { agents, sets });
  const dashboard = await dashboardOf(join(out, "runs"), { live: linkTo(launch) });
  const [address, token] = dashboard.addressOf(launch.directory.runId).split("?");
  const tab = await browser.open(`${address}/messages?${token}`);
  const ended = launch.run();
  const { page } = tab;
  const text = page.getByLabel("Message", { exact: true });
  await text.fill(HOSTILE);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("sent to smith").first().waitFor();
  expect(await text.inputValue()).toBe("");
  const unread = page.locator("li.is-unread");
  await unread.waitFor();
  expect(await unread.innerText()).toMatch(/Thank you for your message\. I/);
  await page.getByLabel("Answer to message 2 of smith").fill("And why?");
  await button(tab, "Answer").click();
  await messages(tab).filter({ hasText: "And why?" }).waitFor();
  expect(await messages(tab).filter({ hasText: "And why?" }).innerText()).toContain("answers 2");
  await expect.poll(() => unread.innerText()).toContain("answers 3");
  expect(await threads(tab).count()).toBe(1);
  await text.fill("x".repeat(20_001));
  await button(tab, "Send").click();
  await page.getByText("a message has at most 20000 characters, not 20001").waitFor();
  expect((await text.inputValue()).length).toBe(20_001);
  launch.runner.stop("signal");
  await ended;
  await expect.poll(() => text.isDisabled()).toBe(true);
  await closedWell(tab);
});
