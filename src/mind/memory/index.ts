export {
  type AgentMemory,
  actionMemory,
  observationMemory,
  relevantMemories,
} from "./agent-memory.ts";
export {
  checkMemoryServer,
  embeddingModel,
  type MemoryParts,
  memoryModels,
  memorySettings,
  openMemory,
  replaySettings,
} from "./backends.ts";
export { hashedVector } from "./embedder/hashed.ts";
export type { Embedder, MemoryRecord, MemoryStore, Recalled } from "./memory-store.ts";
export { renderWorkingMemory, workingMemoryOf } from "./working-memory.ts";
