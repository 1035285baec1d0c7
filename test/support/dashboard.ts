import { onTestFinished } from "vitest";
import { type Dashboard, type LiveLink, runStore, startDashboard } from "../../src/page/index.ts";
import type { Launch } from "../../src/run/index.ts";

type Wanted = { readonly live?: LiveLink | null; readonly host?: string };

/** A dashboard of the runs in a folder, on a port of its own, until the test is over. */
export const dashboardOf = async (
  out: string,
  { live = null, host = "127.0.0.1" }: Wanted = {},
): Promise<Dashboard> => {
  const started = await startDashboard({ host, port: 0, store: runStore(out, null), live });
  if (!started.ok) throw new Error(started.problem);
  onTestFinished(() => started.dashboard.close());
  return started.dashboard;
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
