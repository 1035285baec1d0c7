import assert from "node:assert/strict";
import { constants, platform, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { type LiveLink, startDashboard } from "../observe/index.ts";
import type { OrderOutcome, Pace } from "../runner/index.ts";
import type { DashboardStart, FromDashboard, ToDashboard } from "./dashboard-messages.ts";
import { shelfOf } from "./shelf-of.ts";

/** The thread of a dashboard: it reads files and talks with the run only by messages. */
const port = parentPort;
assert(port !== null, "this file is started as a thread");

// The run goes before those who look on. Elsewhere than on Linux that would be said of both.
if (platform() === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const { host, port: number, out }: DashboardStart = workerData;
const say = (message: FromDashboard): void => port.postMessage(message);

let run: { readonly runId: string; readonly folder: string } | null = null;
let pace: Pace = "going";
const listeners = new Set<(pace: Pace) => void>();
const awaited = new Map<number, (outcome: OrderOutcome) => void>();
let orders = 0;

const live: LiveLink = {
  runId: () => run?.runId ?? null,
  pace: () => pace,
  onPace: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  carryOut: (order) =>
    new Promise((resolve) => {
      orders += 1;
      awaited.set(orders, resolve);
      say({ kind: "order", id: orders, order });
    }),
};

const shelf = shelfOf(out, null);
const started = await startDashboard({ host, port: number, shelf, live });
if (started.ok) say({ kind: "started", address: started.dashboard.addressOf(null) });
else say({ kind: "failed", problem: started.problem, wrong: started.wrong });

port.on("message", (message: ToDashboard) => {
  switch (message.kind) {
    case "run":
      run = message;
      if (started.ok) {
        say({ kind: "shown", address: started.dashboard.addressOf(message.runId) });
      }
      return;
    case "pace":
      pace = message.pace;
      for (const listener of listeners) listener(pace);
      return;
    case "outcome":
      awaited.get(message.id)?.(message.outcome);
      awaited.delete(message.id);
      return;
    case "close":
      port.close();
      if (started.ok) void started.dashboard.close();
  }
});
