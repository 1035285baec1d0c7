import type { PackedBeginning } from "../journal/index.ts";
import type { PackedJson } from "../packed-json.ts";
import { encodeCarried } from "./carried-codec.ts";
import type { Remembered } from "./remembered.ts";

/** Where a run comes from: the run that it went on from, and the last event of that one in it. */
export type Ancestor = { readonly run_id: string; readonly seq: number };

/** A world at one moment with all that is needed to let it go on, somewhere else and later. */
export type Checkpoint = {
  readonly madeBy: { readonly version: string; readonly engine: string };
  readonly run: {
    readonly id: string;
    readonly seed: number;
    readonly clock: "wall" | "virtual";
    /** The runs that it goes back to, the oldest first. */
    readonly lineage: readonly Ancestor[];
  };
  /** The last event that the state includes. */
  readonly seq: number;
  /** Run time of the moment, in ms: that of the event, or later. */
  readonly atMs: number;
  /** The hash of that event. */
  readonly eventHash: string;
  /** Its text (see `stateText`), whose SHA-256 is the hash of the state. */
  readonly state: PackedJson;
  /** All that agents remember, in the order in which it was recorded. */
  readonly memories: readonly Remembered[];
  /** What calls of language models have cost, by all runs of the lineage and this one. */
  readonly spentMicros: number;
  /** The configuration as resolved, as YAML. */
  readonly config: string;
};

/** What the journal of a run that goes on from a checkpoint begins with. */
export const beginningOf = (checkpoint: Checkpoint): PackedBeginning => {
  const { seq, atMs, eventHash, state, run } = checkpoint;
  const { memories, spentMicros, config } = checkpoint;
  const lineage = [...run.lineage, { run_id: run.id, seq }];
  const carried = encodeCarried({ lineage, memories, spentMicros, config });
  const stateHash = state.sha256;
  return { seq, atMs, hash: eventHash, stateHash, packed: state.frame, carried };
};
