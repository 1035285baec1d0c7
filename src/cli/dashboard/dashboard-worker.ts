import assert from "node:assert/strict";
import { constants, platform, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { type LiveLink, runStore, startDashboard } from "../../page/index.ts";
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

/** Connects this worker thread, which serves the dashboard, to the thread that executes the run. */
const port = parentPort;
assert(port !== null, "this file must be started as a worker thread");

// On Linux, this call lowers the priority of this thread only, not of the whole process.
if (platform() === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const { host, port: number, out }: DashboardStart = workerData;
const send = (message: FromDashboard): void => port.postMessage(message);

let run: { readonly runId: string; readonly folder: string } | null = null;
let pace: Pace = "going";
const listeners = new Set<(pace: Pace) => void>();
const pending = new Map<number, (outcome: OperatorOutcome) => void>();
let commands = 0;

const live: LiveLink = {
  runId: () => run?.runId ?? null,
  pace: () => pace,
  onPace: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  execute: (command) =>
    new Promise((resolve) => {
      commands += 1;
      pending.set(commands, resolve);
      send({ kind: "command", id: commands, command });
    }),
};

const started = await startDashboard({ host, port: number, store: runStore(out, null), live });
if (started.ok) send({ kind: "started", address: started.dashboard.addressOf(null) });
else send({ kind: "failed", problem: started.problem, wrong: started.wrong });

port.on("message", (message: ToDashboard) => {
  switch (message.kind) {
    case "run":
      run = message;
      if (started.ok) {
        send({ kind: "shown", address: started.dashboard.addressOf(message.runId) });
      }
      return;
    case "pace":
      pace = message.pace;
      for (const listener of listeners) listener(pace);
      return;
    case "outcome":
      pending.get(message.id)?.(message.outcome);
      pending.delete(message.id);
      return;
    case "close":
      port.close();
      if (started.ok) void started.dashboard.close();
  }
});
