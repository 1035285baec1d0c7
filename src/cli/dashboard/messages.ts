import type { OperatorCommand, OperatorOutcome, Pace } from "../../run/index.ts";
import type { FirstMessage } from "../core/server-thread.ts";

export type DashboardStart = { readonly host: string; readonly port: number; readonly out: string };

export type ToDashboard =
  | { readonly kind: "run"; readonly runId: string; readonly folder: string }
  | { readonly kind: "pace"; readonly pace: Pace }
  | { readonly kind: "outcome"; readonly id: number; readonly outcome: OperatorOutcome }
  | { readonly kind: "close" };

export type FromDashboard =
  | FirstMessage
  | { readonly kind: "shown"; readonly address: string }
  | { readonly kind: "command"; readonly id: number; readonly command: OperatorCommand };
