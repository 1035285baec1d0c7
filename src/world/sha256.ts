import { hash } from "node:crypto";

/** In hex; of a text, of its UTF-8 bytes. */
export const sha256 = (given: string | Uint8Array): string => hash("sha256", given);
