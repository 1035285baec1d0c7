import { fnv1a } from "../fnv1a.ts";

/** In [0, 1), fixed for a text: what minds differ in, though nobody rolls dice for it. */
export const leaning = (text: string): number => ((fnv1a(text) >>> 8) & 0xffff) / 0x10000;
