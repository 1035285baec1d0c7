/**
 * Agents on a mock model of one second latency, in simulated time. A run takes at least the longest
 * chain of thoughts of which each starts after the end of the one before.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Journal } from "../src/world/index.ts";
import { benchRun } from "./bench-run.ts";
import type { Figure } from "./figure.ts";
import { mockProvider } from "./mock-provider.ts";
import { MODEL_SETS, modelPersonas } from "./model-agents.ts";

const AGENTS = 50;
const LATENCY_MS = 1_000;
const RUN_S = 60;
/** The share of the bound by which a run may be longer. */
const OVERHEAD = 1.25;

export const figures = async (): Promise<readonly Figure[]> => {
  const out = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));
  const launch = benchRun({
    out,
    sets: [`run.duration_s=${RUN_S}`, "run.clock=virtual", ...MODEL_SETS],
    personas: modelPersonas(AGENTS, { folder: mkdtempSync(join(out, "persona-")) }),
    order: { env: { GOOGLE_GENERATIVE_AI_API_KEY: "none" }, fetch: mockProvider(LATENCY_MS) },
  });
  const { wallMs } = await launch.run();
  const { chain, thoughts } = thoughtsIn(launch.directory.folder);
  rmSync(out, { recursive: true, force: true });
  const boundS = (chain * LATENCY_MS) / 1_000;
  return [
    {
      name: `${RUN_S} simulated s of ${AGENTS} agents`,
      value: wallMs / 1_000,
      unit: "s",
      bar: OVERHEAD * boundS,
      limit: { name: "the longest chain of thoughts", value: boundS },
    },
    {
      name: "thoughts",
      value: thoughts / (wallMs / 1_000),
      unit: "1/s",
      bar: null,
      limit: { name: "one call at a time", value: 1_000 / LATENCY_MS },
    },
  ];
};

/** The number of thoughts that ended, and of thoughts in the longest chain. */
const thoughtsIn = (folder: string): { readonly chain: number; readonly thoughts: number } => {
  const opened = Journal.open(join(folder, "journal.db"), { readOnly: true });
  if (!opened.ok) throw new Error(opened.problem);
  const { journal } = opened;
  const before = new Map<string | null, number>();
  let [chain, thoughts] = [0, 0];
  for (const { kind, principal } of journal.events()) {
    if (kind === "thought_started") before.set(principal, chain);
    if (kind !== "thought_completed" && kind !== "thought_failed") continue;
    thoughts += 1;
    chain = Math.max(chain, (before.get(principal) ?? 0) + 1);
  }
  journal.close();
  return { chain, thoughts };
};
