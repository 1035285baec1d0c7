/** A thread that serves the metrics of a run. It reads the journal of the run. */
import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { must } from "../../kernel/index.ts";
import { type ListenPlace, RunWatch, startMonitor } from "../../page/index.ts";
import { runPaths } from "../../run/index.ts";
import { Journal } from "../../world/index.ts";
import type { FromMonitor, ToMonitor } from "./run-monitor.ts";

/** How often it reads the journal. So a scrape has little left to read. */
const READ_EVERY_MS = 1_000;
/** A run that does not answer for this time is not alive. It answers between two transactions. */
const ANSWER_S_MAX = 5;

const port = must(parentPort, "this module is the start of a thread");
const place: ListenPlace = workerData;
const send = (message: FromMonitor): void => port.postMessage(message);

let watch: RunWatch | null = null;
let journal: Journal | null = null;
let notReady: string | null = "the run has not begun";

/** The question to the thread of the run that it has not answered yet. */
let asked: PromiseWithResolvers<boolean> | null = null;

/** Whether the thread of the run answers in time. */
const isAlive = (): Promise<boolean> => {
  if (asked === null) {
    asked = Promise.withResolvers();
    send({ kind: "ask" });
  }
  return Promise.race([asked.promise, setTimeout(ANSWER_S_MAX * 1_000, false, { ref: false })]);
};

const begin = ({ folder, models }: Extract<ToMonitor, { kind: "run" }>): void => {
  const opened = Journal.open(runPaths(folder).journal, { readOnly: true });
  notReady = opened.ok ? null : opened.problem;
  if (!opened.ok) return;
  journal = opened.journal;
  watch = new RunWatch(journal, models);
};

const started = await startMonitor(place, {
  metrics: () => watch?.text() ?? "",
  whyNotAlive: async () =>
    watch === null || (await isAlive()) ? null : `the run has not answered for ${ANSWER_S_MAX} s`,
  whyNotReady: () => notReady,
});
if (started.ok) send({ kind: "started", address: started.monitor.url });
else send({ kind: "failed", problem: started.problem, wrong: started.wrong });

const reading = setInterval(() => {
  watch?.catchUp().catch(() => {
    // The next answer reads again, and shows the failure.
  });
}, READ_EVERY_MS);

port.on("message", async (message: ToMonitor) => {
  switch (message.kind) {
    case "run":
      return begin(message);
    case "answer":
      asked?.resolve(true);
      asked = null;
      return;
    case "ending":
      notReady = "the run ends";
      return;
    case "close":
      clearInterval(reading);
      port.close();
      if (started.ok) await started.monitor.close();
      journal?.close();
  }
});
