import type { BrowserContextOptions } from "playwright-core";
import type { LiveLink } from "../../src/page/index.ts";
import { type browserOfTests, closedWell, type Tab } from "./browser.ts";
import { dashboardOf, linkTo } from "./dashboard.ts";
import { prepareRun } from "./simulation-run.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A run in real time with its page, which reaches it through `changed`, until it is stopped. */
export const watchRun = async (
  browser: ReturnType<typeof browserOfTests>,
  options: BrowserContextOptions = {},
  changed: (link: LiveLink) => LiveLink = (link) => link,
) => {
  const out = temporaryFolder();
  const sets = ["run.clock=wall", "run.duration_s=36000", "agent.loop.min_delay_s=0.05"];
  const launch = prepareRun(out, { sets });
  const dashboard = await dashboardOf(out, { live: changed(linkTo(launch)) });
  const { runId, folder } = launch.directory;
  const tab = await browser.open(dashboard.addressOf(runId), options);
  const ended = launch.run();
  /** Stops the run and closes its page. */
  const end = async (): Promise<void> => {
    launch.runner.stop("signal");
    await ended;
    await closedWell(tab);
  };
  return { launch, tab, folder, ended, end };
};

export const seqOf = async ({ page }: Tab): Promise<number> =>
  Number((await page.locator(".moment-seq").innerText()).replace(/\D/g, ""));

export const button = ({ page }: Tab, name: string) =>
  page.getByRole("button", { name, exact: true });

export const stateOf = ({ page }: Tab) => page.locator(".top .badge").first();
