import { asId, type Id, type Result } from "../../kernel/index.ts";
import { openMemory } from "../../memory/index.ts";
import type { Environment } from "../../model/index.ts";
import { type Journal, memoryPages } from "../../world/index.ts";
import type { Config } from "../config/index.ts";
import { recordedModel } from "./recorded-model.ts";
import { RunMemory } from "./run-memory.ts";

export type MemoryCounts = ReadonlyMap<Id, number>;

/** The memories of a run that is not live. Methods resolve with a problem instead of rejecting. */
export type StoredMemories = {
  /** The number of memories in the journal by artifact. */
  readonly recorded: MemoryCounts;
  /** The number of memories in the store by artifact. */
  counts(): Promise<Result<{ counts: MemoryCounts }>>;
  /** Makes the store match the journal. */
  reindex(): Promise<string | null>;
  close(): Promise<void>;
};

type Asked = {
  readonly folder: string;
  readonly run: { readonly id: string; readonly startedAt: Date };
  readonly config: Config;
  readonly env: Environment;
  readonly warn: (text: string) => void;
};

const CLOSE_MS_MAX = 5_000;

/** Opens the store that `config.memory` names. Null if this backend has no store. */
export const openStoredMemories = (journal: Journal, asked: Asked): StoredMemories | null => {
  const { config, env, ...place } = asked;
  const opened = recordedModel(journal, { config, upTo: journal.head().seq, env });
  const { llm, memory: settings } = config;
  const inference = { model: llm.default_model, reasoning: llm.reasoning };
  const parts = { ...place, settings, env, model: opened.model, inference };
  const store = openMemory(parts)?.store ?? null;
  if (store === null) return null;
  const memory = new RunMemory(store, { journal, isLive: false });
  const recorded = recordedIn(journal);
  return {
    recorded,
    counts: () => store.counts(),
    reindex: async () => (await memory.restore(recorded)) ?? memory.flush(),
    close: async () => {
      await memory.close(CLOSE_MS_MAX);
      await opened.close();
    },
  };
};

/** The number of memories in the journal by artifact. */
export const recordedIn = (journal: Journal): MemoryCounts => {
  const counts = new Map<Id, number>();
  for (const { memories } of memoryPages(journal, { upTo: journal.head().seq })) {
    for (const { artifact } of memories) {
      counts.set(asId(artifact), (counts.get(asId(artifact)) ?? 0) + 1);
    }
  }
  return counts;
};
