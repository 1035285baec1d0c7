import type { DashboardParts, DashboardStarted } from "./server.ts";

export type { SeatCommand, SeatLook } from "../../seats/index.ts";
export type { LiveLink } from "./open-runs.ts";
export type { PlayedOutcome } from "./played-seats.ts";
export { runStore } from "./run-store.ts";
export type { Dashboard } from "./server.ts";

/** Starts the web server. Its modules are loaded here, so that other commands start faster. */
export const startDashboard = async (parts: DashboardParts): Promise<DashboardStarted> =>
  (await import("./server.ts")).startDashboard(parts);
