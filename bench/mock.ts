/** Runs of 1,000 agents on the mock model under the virtual clock, with each local embedder. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadPersonas, type Persona } from "../src/run/index.ts";
import { benchRun } from "./bench-run.ts";
import type { Figure } from "./figure.ts";

const AGENTS = 1_000;
const DURATION_S = 60;
const WALL_S_BARS = { hashed: 60, offline: 180 };
const RSS_MB_BAR = 1_500;

const SETS = [
  `run.duration_s=${DURATION_S}`,
  "run.clock=virtual",
  "llm.default_model=mock",
  `spawn.principals_max=${2 * AGENTS}`,
];

const TEMPLATE = `id: agent
count: ${AGENTS}
mind: llm
system_prompt: You write small programs and call those of others.
`;

const personasIn = (folder: string): readonly Persona[] => {
  const own = join(folder, "agent");
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "agent.yaml"), TEMPLATE);
  const loaded = loadPersonas({ dirs: [folder], seed: 1, only: [] });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.personas;
};

export const figures = async (): Promise<readonly Figure[]> => [
  ...(await runFigures("hashed")),
  ...(await runFigures("offline")),
];

const runFigures = async (embedder: "hashed" | "offline"): Promise<readonly Figure[]> => {
  const out = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));
  const personas = personasIn(join(out, "personas"));
  const launch = benchRun({ out, sets: [...SETS, `memory.embedder=${embedder}`], personas });
  let thoughts = 0;
  launch.runner.follow((rows) => {
    for (const { kind } of rows) if (kind === "thought_completed") thoughts += 1;
  });
  const [startedAt, before] = [performance.now(), process.threadCpuUsage()];
  const { problem } = await launch.run();
  const wallS = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.threadCpuUsage(before);
  const cpuS = (user + system) / 1e6;
  const rssMb = process.resourceUsage().maxRSS / 1e3;
  rmSync(out, { recursive: true, force: true });
  if (problem !== null) throw new Error(problem);
  const cpu = { name: "the CPU time of its main thread", value: cpuS };
  const [bar, rssBar] = [WALL_S_BARS[embedder], RSS_MB_BAR];
  return [
    { name: `wall time, ${embedder}`, value: wallS, unit: "s", bar, limit: cpu },
    { name: `thoughts, ${embedder}`, value: thoughts / wallS, unit: "1/s", bar: null, limit: null },
    { name: `peak RSS, ${embedder}`, value: rssMb, unit: "MB", bar: rssBar, limit: null },
  ];
};
