/**
 * The shipped population several times over on the virtual clock, with its journal: actions a
 * second of one core, thoughts, sandboxed invocations and checkpoints included.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchRun } from "./bench-run.ts";
import { crowd } from "./crowd.ts";
import type { Figure } from "./figure.ts";

const AGENTS = 55;
const RUN_S = 1_800;
const BAR = 10_000;

export const figures = async (): Promise<readonly Figure[]> => {
  const out = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));
  const sets = ["run.clock=virtual", `run.duration_s=${RUN_S}`];
  const launch = benchRun({ out, sets, personas: crowd(AGENTS) });
  const counts = { actions: 0, invocations: 0 };
  launch.runner.follow((rows) => {
    for (const { kind } of rows) {
      if (kind === "action_completed" || kind === "action_refused") counts.actions += 1;
      if (kind === "artifact_invoked") counts.invocations += 1;
    }
  });
  const startedAt = performance.now();
  const used = process.threadCpuUsage();
  const usedByAll = process.cpuUsage();
  await launch.run();
  const wallS = (performance.now() - startedAt) / 1e3;
  const { user, system } = process.threadCpuUsage(used);
  const all = process.cpuUsage(usedByAll);
  rmSync(out, { recursive: true, force: true });
  const perS = (value: number, name: string, bar: number | null): Figure => ({
    name,
    value,
    unit: "1/s",
    bar,
    limit: null,
  });
  return [
    perS(counts.actions / wallS, "actions", BAR),
    perS((counts.actions * 1e6) / (user + system), "actions, by the main thread's time", null),
    perS((counts.actions * 1e6) / (all.user + all.system), "actions, per core", 4_000),
    perS(counts.invocations / wallS, "of them invocations of programs", null),
  ];
};
