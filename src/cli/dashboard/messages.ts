import type { DashboardProblem } from "../../observe/index.ts";
import type { OperatorCommand, OperatorOutcome, Pace } from "../../runner/index.ts";
import { CliError, EXIT } from "../exit.ts";

export type DashboardStart = { readonly host: string; readonly port: number; readonly out: string };

export type ToDashboard =
  | { readonly kind: "run"; readonly runId: string; readonly folder: string }
  | { readonly kind: "pace"; readonly pace: Pace }
  | { readonly kind: "outcome"; readonly id: number; readonly outcome: OperatorOutcome }
  | { readonly kind: "close" };

export type FromDashboard =
  | { readonly kind: "started"; readonly address: string }
  | ({ readonly kind: "failed" } & DashboardProblem)
  | { readonly kind: "shown"; readonly address: string }
  | { readonly kind: "command"; readonly id: number; readonly command: OperatorCommand };

/** Advice for a wrong port and for a wrong host. Each text names a flag of the verb. */
export type DashboardFixes = { readonly port: string; readonly host: string };

export const dashboardError = (
  { problem, wrong }: DashboardProblem,
  fixes: DashboardFixes,
): CliError =>
  new CliError(
    wrong === null ? problem : `${problem}; ${fixes[wrong]}`,
    wrong === "host" ? EXIT.wrongUsage : EXIT.couldNotRun,
  );
