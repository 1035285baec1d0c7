import { hash } from "node:crypto";

/** The SHA-256 in hex of bytes, or of a text encoded as UTF-8. */
export const sha256 = (given: string | Uint8Array): string => hash("sha256", given);
