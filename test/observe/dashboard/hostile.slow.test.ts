import { expect, it } from "vitest";
import { asId, type Json } from "../../../src/kernel/index.ts";
import { browserOfTests, closedWell } from "../../support/browser.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { prepareRun } from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const browser = browserOfTests();

const RLO = "\u202e";
const ESC = "\u001b";

/** Text that would run or change the page if it were not shown as text. */
const HOSTILE = [
  `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`,
  `"><svg onload=alert(1)><style>*{display:none}</style></pre></bdi></div>`,
  `javascript:alert(1) {{constructor.constructor('alert(1)')()}} \${alert(1)}`,
  `${ESC}[31mred${ESC}[2J ${RLO}gpj.exe\u2066 \u0007`,
  "%3Cscript%3E &lt;b&gt; <!-- ]]> </textarea>",
].join("\n");

/** The most hostile valid id. */
const ID = `x-._${"script.alert_1.".repeat(8)}`.slice(0, 120);

type Ran = { readonly out: string; readonly runId: string; readonly came: readonly string[] };

/** A run with hostile text in every place that agents can write. */
const hostileRun = async (): Promise<Ran> => {
  const out = temporaryFolder();
  const launch = prepareRun(out, { sets: ["run.duration_s=5"] });
  const act = (action: Json): string => {
    const by = { at_ms: 0, principal: asId("ada") } as const;
    return launch.runner.world.submit({ kind: "take_action", ...by, action }).message;
  };
  const method = { name: "run", description: HOSTILE, input_schema: {} };
  const written = act({
    write_artifact: {
      artifact_id: ID,
      artifact_type: "note",
      content: HOSTILE,
      metadata: { [HOSTILE]: HOSTILE },
      code: `function run() { throw new Error(${JSON.stringify(HOSTILE)}) }`,
      interface: { description: HOSTILE, methods: [method] },
    },
  });
  const called = act({ invoke_artifact: { artifact_id: ID, method: "run", args: [HOSTILE] } });
  act({ read_artifact: { artifact_id: HOSTILE } });
  act({ [HOSTILE]: { artifact_id: HOSTILE } });
  await launch.run();
  return { out, runId: launch.directory.runId, came: [written, called] };
};

/** Elements that the page never creates. */
const FOREIGN =
  "document.querySelectorAll('#page img, #page script, #page style, #page iframe').length";
const ACTIVE = String.raw`/[\u0000-\u0008\u001b\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText)`;

it("text of agents changes nothing else on the page", async () => {
  const { out, runId, came } = await hostileRun();
  expect(came).toEqual([`wrote ${ID}`, "onerror"].map((text) => expect.stringContaining(text)));
  const dashboard = await dashboardOf(out);
  const places: readonly (readonly [string, string])[] = [
    [`artifacts/${ID}`, "onerror"],
    ["agents/ada", "ada"],
    ["events", "run_stopped"],
    ["overview", "Scrip"],
    ["books", "Escrow"],
    ["network", "Largest flows"],
    [`agents/${encodeURIComponent(HOSTILE)}`, "this agent does not exist"],
    [`artifacts/${encodeURIComponent(HOSTILE)}`, "is not an artifact of this run"],
  ];
  for (const [place, text] of places) {
    const { page, errors } = await browser.open(`${dashboard.addressOf(runId)}/${place}`);
    await page.getByText(text).locator("visible=true").first().waitFor();
    expect(await page.evaluate(FOREIGN)).toBe(0);
    expect(await page.evaluate(ACTIVE)).toBe(false);
    expect(await page.title()).toBe(`${runId} · catallaxy`);
    expect(errors.filter((each) => !each.includes("status of 404"))).toEqual([]);
    await page.context().close();
  }
});

it("text of agents is found and shown letter by letter", async () => {
  const { out, runId } = await hostileRun();
  const tab = await browser.open(`${(await dashboardOf(out)).addressOf(runId)}/events`);
  const { page } = tab;
  await page.getByLabel("Text", { exact: true }).fill("<img src=x");
  await expect.poll(() => page.locator(".tools .note").innerText()).toMatch(/^\d events$/);
  await page.locator(".event-line").first().click();
  const body = page.locator(".picked .text");
  await expect.poll(() => body.innerText()).toContain("<script>document.title='taken'</script>");
  expect(await body.innerText()).toContain("\\u{202e}gpj.exe");
  await closedWell(tab);
});
