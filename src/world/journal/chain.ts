import { sha256 } from "../sha256.ts";
import type { JournalEvent } from "./rows.ts";

/** What stands before the first event and before the first snapshot. */
export const GENESIS_HASH = "0".repeat(64);

/** The command that opens a transaction; it is hashed with the transaction's first event. */
export type Cause = { readonly command: string; readonly fused: boolean };

/** A text with its length in UTF-8 bytes in front, so that no two lists of texts read alike. */
const netstring = (text: string): string => `${Buffer.byteLength(text)}:${text},`;

/**
 * The hash of one event: SHA-256, in hex, of
 * `<hash before><seq> <atMs> <kind><principal or "-"><body>`, followed for the first event of a
 * transaction by `<command><0 or 1, fused>`. Texts are netstrings. Of all format versions.
 */
export function eventHash(
  previous: string,
  event: JournalEvent & { readonly seq: number },
  cause: Cause | null,
): string {
  const principal = event.principal === null ? "-" : netstring(event.principal);
  const tail = cause === null ? "" : `${netstring(cause.command)}${cause.fused ? 1 : 0}`;
  const head = `${previous}${event.seq} ${event.atMs} ${netstring(event.kind)}`;
  return sha256(`${head}${principal}${netstring(event.body)}${tail}`);
}

export type BeginningSeal = {
  readonly seq: number;
  readonly atMs: number;
  readonly hash: string;
  readonly stateHash: string;
  readonly carriedSha256: string;
};

/** The hash of what a journal begins with; the snapshots' chain starts from it. */
export function beginningHash(seal: BeginningSeal): string {
  const texts = [seal.hash, seal.stateHash, seal.carriedSha256].map(netstring).join("");
  return sha256(`${seal.seq} ${seal.atMs} ${texts}`);
}

export type SnapshotSeal = {
  readonly seq: number;
  readonly stateHash: string;
  readonly bodySha256: string;
  /** The hash of event `seq`: it ties the snapshot to the one history it was taken from. */
  readonly eventHash: string;
};

/** The hash of one snapshot in the snapshots' own chain, in the order they were saved. */
export function snapshotHash(previous: string, seal: SnapshotSeal): string {
  const texts = [seal.stateHash, seal.bodySha256, seal.eventHash].map(netstring).join("");
  return sha256(`${previous}${seal.seq} ${texts}`);
}
