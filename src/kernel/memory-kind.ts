/** What an agent keeps in mind: what it did, or what it saw. */
export const MEMORY_KINDS = ["action", "observation"] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];
