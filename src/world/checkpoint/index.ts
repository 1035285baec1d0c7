export { type Carried, carriedBy } from "./carried-codec.ts";
export { type Ancestor, beginningOf, type Checkpoint } from "./checkpoint.ts";
export { readCheckpoint, writeCheckpoint } from "./checkpoint-file.ts";
export { checkpointOf, type Making } from "./checkpoint-of.ts";
export { checkpointFile, checkpointFolder, isCheckpointName } from "./checkpoint-path.ts";
export { memoriesUpTo, type Remembered } from "./remembered.ts";
export { soundState } from "./sound-state.ts";
export { verifyCheckpoint } from "./verify-checkpoint.ts";
