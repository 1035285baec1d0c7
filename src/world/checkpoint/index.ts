export {
  type Ancestor,
  type Checkpoint,
  carriedBy,
  checkpointFile,
  checkpointFolder,
  isCheckpointName,
  type OpenThought,
  type RecordedMemory,
  startStateOf,
} from "./checkpoint.ts";
export { readCheckpoint, writeCheckpoint } from "./checkpoint-file.ts";
export { type CheckpointSource, checkpointOf, memoryPages } from "./checkpoint-of.ts";
export { openThoughts } from "./open-thoughts.ts";
export { validatedState, verifyCheckpoint } from "./verify-checkpoint.ts";
