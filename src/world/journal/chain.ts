import { sha256 } from "../core/sha256.ts";

/** An event as the journal stores it. The journal does not interpret `kind` and `body`. */
export type JournalEvent = {
  /** Run time in integer milliseconds. */
  readonly atMs: number;
  readonly kind: string;
  /** The id of the principal that acted, or null if no principal acted. */
  readonly principal: string | null;
  /** The other fields of the event, as canonical JSON. */
  readonly body: string;
};

/** A command and its events, which are committed together. A command has at least one event. */
export type JournalTransaction = {
  readonly command: string;
  /** True if the wall-clock timeout stopped a program. A rerun then uses the recorded events. */
  readonly timedOut: boolean;
  readonly events: readonly JournalEvent[];
};

export type JournalRow = JournalEvent & {
  /** The number of the event, from 1 or from the number after the base. There are no gaps. */
  readonly seq: number;
  readonly hash: string;
};

/** A command with the numbers of the first and the last event that it caused. */
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

/** The number and hash of the last event, else of the base, else 0 and `GENESIS_HASH`. */
export type JournalHead = { readonly seq: number; readonly hash: string };

/** The hash that precedes the first event and the first snapshot. */
export const GENESIS_HASH = "0".repeat(64);

type Cause = { readonly command: string; readonly timedOut: boolean };

/** Puts the length in UTF-8 bytes before the text. So joined texts are never ambiguous. */
const netstring = (text: string): string => `${Buffer.byteLength(text)}:${text},`;

/**
 * Returns the hash of one event. This is the SHA-256, in hex, of
 * `<hash before><seq> <atMs> <kind><principal or "-"><body>`. For the first event of a transaction,
 * `<command><0 or 1, timedOut>` is appended. The kind, principal, body and command are netstrings.
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

/** The hash of the base of a journal. The snapshot chain starts with this hash. */
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

/** The hash of a snapshot. `previous` is the hash of the snapshot that was saved before it. */
export function snapshotHash(previous: string, seal: SnapshotSeal): string {
  const texts = [seal.stateHash, seal.eventHash].map(netstring).join("");
  return sha256(`${previous}${seal.seq} ${texts}`);
}
