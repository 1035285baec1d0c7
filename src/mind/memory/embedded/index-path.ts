import { join } from "node:path";

/** Where the index of a run lies, if it has one. */
export const indexPath = (folder: string): string => join(folder, "memory.db");
