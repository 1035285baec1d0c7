/** One thing that happened, as the journal sees it: text and numbers whose meaning it ignores. */
export type JournalEvent = {
  /** Run time in integer milliseconds. */
  readonly atMs: number;
  readonly kind: string;
  /** The principal whose action it was, or null where there was none. */
  readonly principal: string | null;
  /** Canonical JSON of everything else. */
  readonly body: string;
};

/** A command and all the events it caused: they are committed together or not at all. */
export type JournalTransaction = {
  /** Canonical JSON of the command that caused the events. */
  readonly command: string;
  /** True when the sandbox was stopped by its wall-clock fuse, so that a replay does the same. */
  readonly fused: boolean;
  /** At least one. */
  readonly events: readonly JournalEvent[];
};

/** An event with its place in the journal. */
export type JournalRow = JournalEvent & {
  /** From 1, without gaps. */
  readonly seq: number;
  /** Hex SHA-256 over the hash before it and this event (see `chain.ts`). */
  readonly hash: string;
};

/** A command with the numbers of the first and the last event that it caused. */
export type CommandRow = {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly command: string;
  readonly fused: boolean;
};

/** A call of a language model: beside the chain, since no event depends on how it is recorded. */
export type ModelCallRow = {
  readonly id: number;
  /** The last event before it. */
  readonly seq: number;
  /** JSON; the journal ignores what it means. */
  readonly body: string;
};

/** The end of the chain: the last event's number and hash; 0 and `GENESIS_HASH` when empty. */
export type JournalHead = { readonly seq: number; readonly hash: string };
