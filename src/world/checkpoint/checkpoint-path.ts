import { join } from "node:path";

const SUFFIX = ".ckpt";

/** Where the checkpoints of one run are, below the folder of those of all runs. */
export const checkpointFolder = (dir: string, run: string): string => join(dir, run);

/** Where the checkpoint of a run after event `seq` is kept, if nobody says otherwise. */
export const checkpointFile = (dir: string, { id, seq }: Place): string =>
  join(checkpointFolder(dir, id), `${seq}${SUFFIX}`);

type Place = { readonly id: string; readonly seq: number };

/** Whether a file is called like a checkpoint. */
export const isCheckpointName = (path: string): boolean => path.endsWith(SUFFIX);
