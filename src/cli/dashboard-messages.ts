import type { DashboardTrouble } from "../observe/index.ts";
import type { OperatorOrder, OrderOutcome, Pace } from "../runner/index.ts";

/** What the thread of a dashboard is started with. */
export type DashboardStart = {
  readonly host: string;
  readonly port: number;
  /** The folder that runs are in. */
  readonly out: string;
};

/** From the run to its dashboard. */
export type ToDashboard =
  | { readonly kind: "run"; readonly runId: string; readonly folder: string }
  | { readonly kind: "pace"; readonly pace: Pace }
  | { readonly kind: "outcome"; readonly id: number; readonly outcome: OrderOutcome }
  | { readonly kind: "close" };

/** From a dashboard to the run. */
export type FromDashboard =
  | { readonly kind: "started"; readonly address: string }
  | ({ readonly kind: "failed" } & DashboardTrouble)
  | { readonly kind: "shown"; readonly address: string }
  | { readonly kind: "order"; readonly id: number; readonly order: OperatorOrder };
