import type { DashboardTrouble } from "../observe/index.ts";
import { EXIT } from "./exit-code.ts";
import { UsageProblem } from "./usage-problem.ts";

/** What helps, by what was wrong: each verb has flags of its own. */
export type DashboardCures = { readonly port: string; readonly host: string };

/** That there can be no dashboard, with what helps against it. */
export const dashboardProblem = (
  { problem, wrong }: DashboardTrouble,
  cures: DashboardCures,
): UsageProblem =>
  new UsageProblem(
    wrong === null ? problem : `${problem}; ${cures[wrong]}`,
    wrong === "host" ? EXIT.wrongUsage : EXIT.couldNotRun,
  );
