import { basename } from "node:path";
import { expect, it } from "vitest";
import { browserOfTests, closedWell } from "../../support/browser.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { simulate } from "../../support/simulation-run.ts";
import { folderWith, temporaryFolder } from "../../support/temporary-folder.ts";

const browser = browserOfTests();

it("the page of an agent with tools shows its conversation", async () => {
  const agents = folderWith({
    "smith/agent.yaml": "id: smith\nmind: tools\nllm_model: mock\n",
    "jun/agent.yaml": "id: jun\nmind: policy/worker\n",
  });
  const out = temporaryFolder();
  const sets = ["run.duration_s=60", "memory.embedder=hashed"];
  const { folder } = await simulate(out, { agents, sets });
  const start = (await dashboardOf(out)).addressOf(basename(folder));
  const tab = await browser.open(`${start}/agents/smith`);
  const said = tab.page.locator('section[aria-label="Conversation"] li');
  await said.first().waitFor();
  expect(await said.count()).toBe(10);
  await tab.page.getByRole("button", { name: "Show more" }).first().click();
  await said.nth(10).waitFor();
  const words = (await said.allInnerTexts()).join("\n");
  expect(words).toContain("the world");
  expect(words).toContain("[Conversation summary]");
  expect(words).toContain("Calls end_turn");
  await tab.page.goto(`${start}/agents/jun`);
  await tab.page.locator(".thought").first().waitFor();
  expect(await said.count()).toBe(0);
  await closedWell(tab);
});
