export {
  type ActionMemory,
  actionMemory,
  observationMemory,
  relevantMemories,
} from "./agent-memory.ts";
export { type ArtifactQuery, searchRecords, withRecords } from "./artifact-memory.ts";
export type { MemoryRecord, MemoryStore, Recall, Recalled } from "./memory-store.ts";
export {
  MEMORY_BACKENDS,
  type MemoryParts,
  type MemorySettings,
  memorySettings,
  memoryStoreFor,
} from "./memory-store-for.ts";
export { workingMemoryOf } from "./working-memory.ts";
export { renderWorkingMemory } from "./working-memory-text.ts";
