import { onTestFinished } from "vitest";
import { type Dashboard, type LiveLink, runStore, startDashboard } from "../../src/page/index.ts";
import type { Launch } from "../../src/run/index.ts";

type Wanted = { readonly live?: LiveLink | null; readonly host?: string };

/** A dashboard of the runs in a folder, on a port of its own, until the test is over. */
export const dashboardOf = async (out: string, wanted: Wanted = {}): Promise<Dashboard> => {
  const dashboard = await started(out, wanted);
  onTestFinished(() => dashboard.close());
  return dashboard;
};

const kept = new Map<string, Promise<Dashboard>>();

/**
 * The dashboard of the runs in a folder, for all tests of this process. It reads each run once.
 * What a test writes into the folder stays on it.
 */
export const keptDashboardOf = (out: string): Promise<Dashboard> => {
  const dashboard = kept.get(out) ?? started(out, {});
  kept.set(out, dashboard);
  return dashboard;
};

const started = async (
  out: string,
  { live = null, host = "127.0.0.1" }: Wanted,
): Promise<Dashboard> => {
  const start = await startDashboard({ host, port: 0, store: runStore(out, null), live });
  if (!start.ok) throw new Error(start.problem);
  return start.dashboard;
};

export const linkTo = ({ runner, directory }: Launch): LiveLink => {
  const operator = runner.operate();
  return {
    runId: () => directory.runId,
    pace: () => operator.pace,
    onPace: (listener) => operator.onPace(listener),
    execute: (command) => operator.execute(command),
  };
};
