export {
  type Ancestor,
  type Checkpoint,
  carriedBy,
  checkpointFile,
  checkpointFolder,
  isCheckpointName,
  type OpenThought,
  startStateOf,
} from "./checkpoint.ts";
export { readCheckpoint, writeCheckpoint } from "./checkpoint-file.ts";
export { type CheckpointSource, checkpointOf, memoriesUpTo } from "./checkpoint-of.ts";
export { openThoughts } from "./open-thoughts.ts";
export { validatedState, verifyCheckpoint } from "./verify-checkpoint.ts";
