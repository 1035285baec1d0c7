import { join } from "node:path";
import { asId, emptyState, type Json, type Physics } from "../src/kernel/index.ts";
import { loadConfig, physicsFor } from "../src/run/index.ts";
import { Journal, openingRequests, sandboxFor, World } from "../src/world/index.ts";

/** Shipped physics with windows and disk that a bench does not run into. */
export const benchPhysics = (): Physics => {
  const loaded = loadConfig({ file: null, sets: [], flags: [] });
  if (!loaded.ok) throw new Error("the shipped configuration is sound");
  const physics = physicsFor(loaded.config);
  const plenty = 1e12;
  const windows = {
    actions: plenty,
    llm_calls: plenty,
    llm_tokens: plenty,
    cpu_gas: plenty,
    bytes_written: plenty,
  };
  return {
    ...physics,
    resources: { ...physics.resources, windows, disk_bytes: plenty },
    agents: { ...physics.agents, principals_max: plenty, standing_max: plenty },
  };
};

export type BenchWorld = {
  readonly world: World;
  readonly journal: Journal | null;
  readonly act: (principal: string, action: Json) => void;
  readonly close: () => Promise<void>;
};

export type BenchSize = {
  readonly principals: number;
  /** Besides those of the principals themselves. */
  readonly artifacts: number;
  /** A folder for a real journal; null for none. */
  readonly folder: string | null;
};

/** A world of so many principals and artifacts, and a way to act in it. */
export const benchWorld = ({ principals, artifacts, folder }: BenchSize): BenchWorld => {
  const physics = benchPhysics();
  const journal = folder === null ? null : createJournal(folder);
  const sandbox = sandboxFor(physics);
  const world = new World({
    state: emptyState(),
    journal: journal ?? { append: () => null },
    sandbox,
    agentProblem: () => null,
    checkEvery: Number.MAX_SAFE_INTEGER,
  });
  for (const request of openingRequests(physics)) world.submit(request);
  let at = 0;
  for (let n = 0; n < principals; n++) {
    world.submit({
      kind: "create_agent",
      at_ms: 0,
      id: asId(`p${n}`),
      content: "{}",
      memory: "[]",
      endowment: {
        scrip: 1e9,
        llm_budget_micros: 1e9,
        disk_bytes: 1e12,
        quotas: physics.resources.windows,
      },
      group: null,
      starts_at_ms: 0,
    });
  }
  const act = (principal: string, action: Json): void => {
    at += 1;
    const id = asId(principal);
    const outcome = world.submit({ kind: "take_action", at_ms: at, principal: id, action });
    if (!outcome.success) throw new Error(outcome.message);
  };
  for (let n = 0; n < artifacts; n++) {
    const content = `note ${n} ${"x".repeat(80)}`;
    act(`p${n % principals}`, { write_artifact: { artifact_id: `a${n}`, content } });
  }
  return {
    world,
    journal,
    act,
    close: async () => {
      journal?.close();
      await sandbox.close();
    },
  };
};

const createJournal = (folder: string): Journal => {
  const opened = Journal.create(join(folder, `${process.hrtime.bigint()}.db`), {
    sync: "full",
    groupMs: 5,
  });
  if (!opened.ok) throw new Error(opened.problem);
  return opened.journal;
};
