/** A thread that serves the metrics of a run. It reads the journal of the run. */
import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { must } from "../../kernel/index.ts";
import { type ListenPlace, type RunWatch, startMonitor, watchRun } from "../../observe/index.ts";
import { runPaths } from "../../runner/index.ts";
import { Journal } from "../../world/index.ts";
import type { FromMonitor, ToMonitor } from "./run-monitor.ts";

/** How often it reads the journal. So a scrape has little left to read. */
const READ_EVERY_MS = 1_000;
/** A run that does not answer for this time is not alive. It answers between two transactions. */
const ANSWER_S_MAX = 5;

const port = must(parentPort, "this module is the start of a thread");
const place: ListenPlace = workerData;
const send = (message: FromMonitor): void => port.postMessage(message);

const asked = new Map<number, (text: string) => void>();
let scrapes = 0;
let watch: Promise<RunWatch> | null = null;
let journal: Journal | null = null;
let notReady: string | null = "the run has not begun";

/** The metrics of the process of the run. Null if the run does not answer. */
const processText = async (): Promise<string | null> => {
  scrapes += 1;
  const scrape = scrapes;
  const answered = new Promise<string>((resolve) => asked.set(scrape, resolve));
  send({ kind: "scrape", scrape });
  const late = setTimeout(ANSWER_S_MAX * 1_000, null, { ref: false });
  const text = await Promise.race([answered, late]);
  asked.delete(scrape);
  return text;
};

const begin = async ({ folder, about }: Extract<ToMonitor, { kind: "run" }>): Promise<RunWatch> => {
  const opened = Journal.open(runPaths(folder).journal, { readOnly: true });
  if (!opened.ok) throw new Error(opened.problem);
  journal = opened.journal;
  notReady = null;
  return await watchRun(journal, about);
};

const started = await startMonitor(place, {
  metrics: async () => {
    if (watch === null) return "";
    const [ofRun, ofProcess] = await Promise.all([(await watch).text(), processText()]);
    return `${ofRun}\n${ofProcess ?? ""}`;
  },
  whyNotAlive: async () => {
    const isAlive = watch === null || (await processText()) !== null;
    return isAlive ? null : `the run has not answered for ${ANSWER_S_MAX} s`;
  },
  whyNotReady: () => notReady,
});
if (started.ok) send({ kind: "started", address: started.monitor.url });
else send({ kind: "failed", problem: started.problem, wrong: started.wrong });

// A failure shows in the next answer.
const reading = setInterval(() => {
  void Promise.allSettled([watch?.then((each) => each.catchUp())]);
}, READ_EVERY_MS);

port.on("message", async (message: ToMonitor) => {
  switch (message.kind) {
    case "run":
      watch = begin(message);
      return void Promise.allSettled([watch]);
    case "text":
      return asked.get(message.scrape)?.(message.text);
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
