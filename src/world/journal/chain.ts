import { sha256 } from "../sha256.ts";

/** An event as the journal stores it, with fields that the journal does not interpret. */
export type JournalEvent = {
  /** Run time in integer milliseconds. */
  readonly atMs: number;
  readonly kind: string;
  /** The id of the principal that acted, or null if none did. */
  readonly principal: string | null;
  /** The other fields of the event, as canonical JSON. */
  readonly body: string;
};

/** A command and the events that it caused (at least one), which are committed together. */
export type JournalTransaction = {
  readonly command: string;
  /** Whether the wall-clock timeout stopped a program. If so, a rerun uses the recorded events. */
  readonly timedOut: boolean;
  readonly events: readonly JournalEvent[];
};

export type JournalRow = JournalEvent & {
  /** The number of the event. The numbers start from 1 and have no gaps. */
  readonly seq: number;
  readonly hash: string;
};

/** A command with the numbers of the first and the last event it caused. */
export type CommandRow = {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly command: string;
  readonly timedOut: boolean;
};

/** A call of a language model. It is outside the hash chain, because no event depends on it. */
export type ModelCallRow = {
  readonly id: number;
  /** The number of the last event before the call. */
  readonly seq: number;
  /** The record of the call, as JSON. */
  readonly body: string;
};

/** Number and hash of the last event, or 0 and `GENESIS_HASH` if there is no event. */
export type JournalHead = { readonly seq: number; readonly hash: string };

/** The hash before the first event and before the first snapshot. */
export const GENESIS_HASH = "0".repeat(64);

type Cause = { readonly command: string; readonly timedOut: boolean };

/** A text with its length in UTF-8 bytes, so that different lists of texts never look the same. */
const netstring = (text: string): string => `${Buffer.byteLength(text)}:${text},`;

/**
 * The hash of one event: SHA-256, in hex, of
 * `<hash before><seq> <atMs> <kind><principal or "-"><body>`. The first event of a transaction adds
 * `<command><0 or 1, timedOut>`. Texts are netstrings.
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

/** The hash of the base of a journal, with which the snapshot chain starts. */
export function startHash(seal: StartSeal): string {
  const texts = [seal.hash, seal.stateHash, seal.carriedSha256].map(netstring).join("");
  return sha256(`${seal.seq} ${seal.atMs} ${texts}`);
}

type SnapshotSeal = {
  readonly seq: number;
  readonly stateHash: string;
  /** The hash of event `seq`, which ties the snapshot to one history. */
  readonly eventHash: string;
};

/** The hash of a snapshot in the snapshot chain, which has the order of saving. */
export function snapshotHash(previous: string, seal: SnapshotSeal): string {
  const texts = [seal.stateHash, seal.eventHash].map(netstring).join("");
  return sha256(`${previous}${seal.seq} ${texts}`);
}
