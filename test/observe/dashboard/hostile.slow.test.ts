import { join } from "node:path";
import { expect, it } from "vitest";
import { browserOfTests, closedWell } from "../../support/browser.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { ACTIVE, HOSTILE, HOSTILE_ID, hostileRun } from "../../support/hostile-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const browser = browserOfTests();

/** Elements that the page never creates. */
const FOREIGN =
  "document.querySelectorAll('#page img, #page script, #page style, #page iframe').length";
const HAS_ACTIVE = `${ACTIVE}.test(document.body.innerText)`;

it("text of agents changes nothing else on the page", async () => {
  const out = temporaryFolder();
  const came = await hostileRun(out);
  expect(came).toEqual(
    [`wrote ${HOSTILE_ID}`, "onerror"].map((text) => expect.stringContaining(text)),
  );
  const dashboard = await dashboardOf(join(out, "runs"));
  const places: readonly (readonly [string, string])[] = [
    [`artifacts/${HOSTILE_ID}`, "onerror"],
    ["agents/ada", "ada"],
    ["events", "run_stopped"],
    ["overview", "Scrip"],
    ["books", "Escrow"],
    ["messages", "No messages yet."],
    ["moments", "gpj.exe"],
    ["reviews", "No action waits for a reviewer."],
    ["network", "Largest flows"],
    [`agents/${encodeURIComponent(HOSTILE)}`, "this agent does not exist"],
    [`artifacts/${encodeURIComponent(HOSTILE)}`, "is not an artifact of this run"],
  ];
  for (const [place, text] of places) {
    const { page, errors } = await browser.open(`${dashboard.addressOf("hostile")}/${place}`);
    await page.getByText(text).locator("visible=true").first().waitFor();
    expect(await page.evaluate(FOREIGN)).toBe(0);
    expect(await page.evaluate(HAS_ACTIVE)).toBe(false);
    expect(await page.title()).toBe("hostile · catallaxy");
    expect(errors.filter((each) => !each.includes("status of 404"))).toEqual([]);
    await page.context().close();
  }
});

it("text of agents is found and shown letter by letter", async () => {
  const out = temporaryFolder();
  await hostileRun(out);
  const tab = await browser.open(
    `${(await dashboardOf(join(out, "runs"))).addressOf("hostile")}/events`,
  );
  const { page } = tab;
  await page.getByLabel("Kind of event").selectOption("artifact_written");
  await page.getByLabel("Principal").fill("ada");
  await page.getByLabel("Text", { exact: true }).fill("<img src=x");
  await expect.poll(() => page.locator(".tools .note").innerText()).toBe("1 event");
  await page.locator(".event-line:not(.event-heads)").first().click();
  await page.getByText("As JSON").click();
  const body = page.locator(".picked .fold .text");
  await expect.poll(() => body.innerText()).toContain("<script>document.title='taken'</script>");
  expect(await body.innerText()).toContain("\\u{202e}gpj.exe");
  expect(await body.innerText()).toContain("line\\u{2028}paragraph\\u{2029}");
  await closedWell(tab);
});
