/** How fast a journal is replayed: the shipped population five times over, for an hour. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Journal, replay } from "../src/world/index.ts";
import { benchRun } from "./bench-run.ts";
import { crowd } from "./crowd.ts";
import type { Figure } from "./figure.ts";
import { median } from "./stopwatch.ts";

const AGENTS = 55;
const RUN_S = 3_600;
const ROUNDS = 9;

const perSecond = (work: () => number): number => {
  const startedAt = performance.now();
  const events = work();
  return (events * 1_000) / (performance.now() - startedAt);
};

/** What a replay cannot do without: each row is read and its text parsed. */
const readAll = (journal: Journal): number => {
  let events = 0;
  for (const { body } of journal.events()) {
    JSON.parse(body);
    events += 1;
  }
  return events;
};

export const figures = async (): Promise<readonly Figure[]> => {
  const out = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));
  const sets = ["run.clock=virtual", `run.duration_s=${RUN_S}`];
  const launch = benchRun({ out, sets, personas: crowd(AGENTS) });
  await launch.run();
  const opened = Journal.open(join(launch.directory.folder, "journal.db"), { readOnly: true });
  if (!opened.ok) throw new Error(opened.problem);
  const { journal } = opened;
  const rates = Array.from({ length: ROUNDS }, () => perSecond(() => replay(journal).applied));
  const bare = median(Array.from({ length: ROUNDS }, () => perSecond(() => readAll(journal))));
  journal.close();
  rmSync(out, { recursive: true, force: true });
  const limit = { name: "reading and parsing alone", value: bare };
  const [first = Number.NaN] = rates;
  return [
    { name: "events", value: median(rates), unit: "1/s", bar: 100_000, limit },
    { name: "events, the first time", value: first, unit: "1/s", bar: null, limit },
  ];
};
