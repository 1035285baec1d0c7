import { dirname } from "node:path";
import { expect, it } from "vitest";
import { agentProblem } from "../../../src/run/index.ts";
import { verifyJournal } from "../../../src/world/index.ts";
import { browserOfTests, closedWell, type Tab } from "../../support/browser.ts";
import { dashboardOf, linkTo } from "../../support/dashboard.ts";
import { ACTIVE, HOSTILE } from "../../support/hostile-run.ts";
import { liveSeats, personaFolder, SELLS_DOUBLER, tokenOf } from "../../support/seats.ts";
import { withJournal } from "../../support/simulation-run.ts";
import { button } from "../../support/watched-run.ts";

const browser = browserOfTests();

/** A shop whose messages and texts are hostile, and the seat of ada. */
const PERSONAS = {
  "shop/agent.yaml": `id: shop
mind: script
script_loop: false
script:
${SELLS_DOUBLER}  - invoke_artifact:
      artifact_id: genesis_messenger
      method: send
      args: [ada, ${JSON.stringify(HOSTILE)}]
  - write_artifact: { artifact_id: shop_news, content: The news., read_price: 1 }
  - sleep: { for_s: 100000 }
`,
  "ada/agent.yaml": "id: ada\nmind: seat\nseat: { move_s: 5 }\n",
};

const panel = ({ page }: Tab, name: string) => page.getByRole("region", { name, exact: true });
const said = ({ page }: Tab, text: string | RegExp) =>
  page.getByRole("status").filter({ hasText: text });

const FOREIGN =
  "document.querySelectorAll('#page img, #page script, #page style, #page iframe').length";

/** Publishes ada_next for 2 scrip, after a mistake, and sets its price to 4. */
const publish = async (tab: Tab): Promise<void> => {
  const { page } = tab;
  const own = panel(tab, "Your artifacts");
  await own.getByText("Publish a program or a text").press("Enter");
  await own.getByLabel("Id", { exact: true }).fill("ada_next");
  await own.getByLabel("Price", { exact: true }).fill("2");
  await own.getByLabel(/^Code/).fill("function run(n) { return n + 1 }");
  await own.getByLabel(/^Interface/).fill("{");
  await button(tab, "Publish").press("Enter");
  await page.getByRole("alert").filter({ hasText: "the interface: this is not JSON" }).waitFor();
  await own.getByLabel(/^Interface/).fill("");
  await button(tab, "Publish").press("Enter");
  await page.getByLabel("Price of ada_next", { exact: true }).fill("4");
  await button(tab, "Set the price of ada_next").press("Enter");
  await own.getByText("4 scrip", { exact: true }).waitFor();
};

const bidAndCall = async (tab: Tab): Promise<void> => {
  const own = panel(tab, "Your artifacts");
  await panel(tab, "Mint").getByLabel("Scrip").fill("5");
  await button(tab, "Bid").press("Enter");
  await panel(tab, "Mint").getByText("You bid 5 scrip with").waitFor();
  await panel(tab, "Handbook").getByLabel("Page").selectOption("handbook_mint");
  await panel(tab, "Handbook").getByText("genesis_mint").first().waitFor();

  await own.getByText("Call any method").press("Enter");
  await own.getByLabel("Artifact", { exact: true }).fill("genesis_ledger");
  await own.getByLabel("Method", { exact: true }).fill("transfer");
  await own.getByLabel("Arguments", { exact: true }).fill('"zoe", 5');
  await button(tab, "Call").press("Enter");
  await tab.page.getByRole("alert").filter({ hasText: '"zoe" is not a principal' }).waitFor();
};

it("a person buys, reads, publishes, sells and answers on the page", async () => {
  const { folder, launch, ended } = await liveSeats({ agents: personaFolder(PERSONAS) });
  const dashboard = await dashboardOf(dirname(folder));
  const seat = { agent: "ada", token: tokenOf(folder, "ada") };
  const tab = await browser.open(dashboard.seatAddressOf(launch.directory.runId, seat));
  const { page } = tab;
  await panel(tab, "Your move").getByText("100 scrip").waitFor();
  expect(page.url()).not.toContain("token");
  expect(await page.title()).toBe("ada · catallaxy");

  await button(tab, "Wait for a message").press("Enter");
  await said(tab, "A message has arrived.").waitFor();
  const message = panel(tab, "Messages").locator("li").first();
  await message.waitFor();
  expect(await message.innerText()).toContain("\\u{202e}gpj.exe");
  expect(ACTIVE.test(await page.locator("#page").innerText())).toBe(false);
  expect(await page.evaluate(FOREIGN)).toBe(0);

  const args = page.getByLabel("Arguments of shop_doubler");
  expect(await args.getAttribute("placeholder")).toBe("2");
  await args.fill("bob 5");
  await args.press("Enter");
  await page.getByRole("alert").filter({ hasText: '"bob 5" is not JSON' }).waitFor();
  await args.fill("21");
  await args.press("Enter");
  await said(tab, /shop_doubler run for 3 scrip: .*42/).waitFor();
  await panel(tab, "Your move").getByText("97 scrip").waitFor();
  await button(tab, "Read shop_news").press("Enter");
  await panel(tab, "Your move").getByText("96 scrip").waitFor();
  await page.getByLabel("Search", { exact: true }).fill("doubler");
  await page.getByLabel("Search", { exact: true }).press("Enter");
  await said(tab, "The search has found 1 artifact.").waitFor();
  await panel(tab, "Market").getByRole("heading", { name: "1 artifact found" }).waitFor();

  await button(tab, "Answer message 1").press("Enter");
  await page.keyboard.type("I sell ada_next.");
  expect(await page.getByLabel("Answer to shop").inputValue()).toBe("I sell ada_next.");
  await message.getByRole("button", { name: "Send" }).press("Enter");
  await panel(tab, "Messages").getByText("you → shop").waitFor();

  await publish(tab);
  await bidAndCall(tab);
  launch.runner.stop("signal");
  await ended;
  await page.getByRole("alert").filter({ hasText: "sim resume" }).waitFor();
  await panel(tab, "Your move").getByText("not live").waitFor();
  expect(await button(tab, "Wait for a message").getAttribute("aria-disabled")).toBe("true");
  withJournal(folder, (journal) => {
    expect(verifyJournal(journal, agentProblem)).toMatchObject({ ok: true });
  });
  await closedWell(tab);
});

it("an operator plays a seat from the page of its agent, and a phone shows the page", async () => {
  const { folder, launch } = await liveSeats({
    agents: personaFolder(PERSONAS),
    sets: ["run.clock=wall"],
  });
  const dashboard = await dashboardOf(dirname(folder), { live: linkTo(launch) });
  const { runId } = launch.directory;
  const [address, token] = dashboard.addressOf(runId).split("?");
  const tab = await browser.open(`${address}/agents/ada?${token}`, {
    viewport: { width: 390, height: 844 },
  });
  const { page } = tab;
  await page.getByRole("link", { name: "Play this seat" }).press("Enter");
  await page.getByLabel("Arguments of shop_doubler").fill("4");
  await button(tab, "Buy shop_doubler").press("Enter");
  await said(tab, /shop_doubler run for 3 scrip/).waitFor();
  expect(
    await page.evaluate(
      "document.documentElement.scrollWidth <= document.documentElement.clientWidth",
    ),
  ).toBe(true);
  await closedWell(tab);
});

it("a page without the token of the seat shows why", async () => {
  const { folder, launch } = await liveSeats({ agents: personaFolder(PERSONAS) });
  const dashboard = await dashboardOf(dirname(folder));
  const wrong = { agent: "ada", token: "wrong" };
  const tab = await browser.open(dashboard.seatAddressOf(launch.directory.runId, wrong));
  await tab.page.getByRole("alert").filter({ hasText: "needs the token of the seat" }).waitFor();
  expect(await tab.page.locator(".panel").count()).toBe(0);
});
