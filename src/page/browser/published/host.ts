import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/**
 * The functions of Node's modules that the readers of journals call, for a browser. The bundle of
 * the published page imports this module in place of each module of Node.
 */

const encoder = new TextEncoder();

/** `hash` of `node:crypto`, only for SHA-256 in hex. */
export const hash = (_algorithm: "sha256", data: string | Uint8Array): string =>
  bytesToHex(sha256(typeof data === "string" ? encoder.encode(data) : data));

/** `dirname` of `node:path`. */
export const dirname = (path: string): string => path.replace(/\/[^/]*$/, "");

/** `setImmediate` of `node:timers/promises`. Lets the worker handle other messages. */
export const setImmediate = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });

/** The part of Node's `Buffer` that the hash chain needs. */
Object.assign(globalThis, {
  Buffer: { byteLength: (text: string): number => encoder.encode(text).length },
});
