import { getSystemErrorMap } from "node:util";

/**
 * Returns what the operating system said, after `path` if there is one: `a.csv: no space left on
 * device (write)`. Returns null if `error` is not an error of the system.
 */
export const systemMessage = (error: unknown, path: string | null): string | null => {
  if (!(error instanceof Error) || !("syscall" in error && "errno" in error)) return null;
  if (typeof error.errno !== "number") return null;
  const reason = getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
  return `${path === null ? "" : `${path}: `}${reason} (${String(error.syscall)})`;
};
