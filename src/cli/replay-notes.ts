import type { ReplayCounts } from "../mind/index.ts";
import { type Config, embedderOfReplay } from "../runner/index.ts";

/** What became of a recording from which a run was answered, in one line. */
export const replayLine = ({ hits, misses, left }: ReplayCounts): string =>
  `${hits} calls were answered from the recording, ${misses} were not found in it, ` +
  `${left} of its records were not used`;

/** What of a replay is not as it was, to be told before it begins; null where nothing is. */
export const replayNote = ({ memory: { backend, embedder } }: Config): string | null =>
  backend === "mem0" && embedderOfReplay(embedder) !== embedder
    ? `${embedder} is not asked for vectors: what agents recall is found by spelling (hashed), ` +
      "and what they ask may differ"
    : null;
