import { sha256 } from "../sha256.ts";

/** An event; the journal does not interpret it. */
export type JournalEvent = {
  /** Run time in integer milliseconds. */
  readonly atMs: number;
  readonly kind: string;
  /** The principal that acted. */
  readonly principal: string | null;
  /** Canonical JSON of everything else. */
  readonly body: string;
};

/** A command and the events it caused, at least one: committed together or not at all. */
export type JournalTransaction = {
  readonly command: string;
  /** True if the wall-clock timeout stopped a program; a rerun takes the events as recorded. */
  readonly timedOut: boolean;
  readonly events: readonly JournalEvent[];
};

export type JournalRow = JournalEvent & {
  /** From 1, without gaps. */
  readonly seq: number;
  /** See `eventHash`. */
  readonly hash: string;
};

/** A command with the numbers of the first and the last event it caused. */
export type CommandRow = {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly command: string;
  readonly timedOut: boolean;
};

/** A call of a language model. It is outside the chain: no event depends on its record. */
export type ModelCallRow = {
  readonly id: number;
  /** The last event before it. */
  readonly seq: number;
  /** JSON. */
  readonly body: string;
};

/** The end of the chain: number and hash of the last event; 0 and `GENESIS_HASH` when empty. */
export type JournalHead = { readonly seq: number; readonly hash: string };

/** The hash before the first event and before the first snapshot. */
export const GENESIS_HASH = "0".repeat(64);

type Cause = { readonly command: string; readonly timedOut: boolean };

/** A text prefixed with its length in UTF-8 bytes, so that no two lists of texts look alike. */
const netstring = (text: string): string => `${Buffer.byteLength(text)}:${text},`;

/**
 * The hash of one event: SHA-256, in hex, of
 * `<hash before><seq> <atMs> <kind><principal or "-"><body>`, followed for the first event of a
 * transaction by `<command><0 or 1, timedOut>`. Texts are netstrings.
 */
export function eventHash(
  previous: string,
  event: JournalEvent & { readonly seq: number },
  cause: Cause | null,
): string {
  const principal = event.principal === null ? "-" : netstring(event.principal);
  const tail = cause === null ? "" : `${netstring(cause.command)}${cause.timedOut ? 1 : 0}`;
  const head = `${previous}${event.seq} ${event.atMs} ${netstring(event.kind)}`;
  return sha256(`${head}${principal}${netstring(event.body)}${tail}`);
}

type StartSeal = {
  readonly seq: number;
  readonly atMs: number;
  readonly hash: string;
  readonly stateHash: string;
  readonly carriedSha256: string;
};

/** The hash of the base of a journal; the snapshot chain starts from it. */
export function startHash(seal: StartSeal): string {
  const texts = [seal.hash, seal.stateHash, seal.carriedSha256].map(netstring).join("");
  return sha256(`${seal.seq} ${seal.atMs} ${texts}`);
}

type SnapshotSeal = {
  readonly seq: number;
  readonly stateHash: string;
  /** The hash of event `seq`: ties the snapshot to one history. */
  readonly eventHash: string;
};

/** The hash of one snapshot in the snapshot chain, which is in the order of saving. */
export function snapshotHash(previous: string, seal: SnapshotSeal): string {
  const texts = [seal.stateHash, seal.eventHash].map(netstring).join("");
  return sha256(`${previous}${seal.seq} ${texts}`);
}
