export {
  checkMemoryServer,
  embeddingModel,
  type MemoryParts,
  memoryModels,
  memoryServer,
  memorySettings,
  openMemory,
  replaySettings,
  withoutServer,
} from "./backends.ts";
export { hashedVector } from "./embedder/hashed.ts";
export {
  type AgentMemory,
  actionMemory,
  observationMemory,
  relevantMemories,
} from "./port/agent-memory.ts";
export type { MemoryRecord, MemoryStore, Recalled } from "./port/memory-store.ts";
export {
  renderWorkingMemory,
  type WorkingMemorySettings,
  workingMemoryOf,
  workingMemorySettings,
} from "./working-memory.ts";
