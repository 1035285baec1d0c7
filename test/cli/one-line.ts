import type { Said } from "../support/sim.ts";

/** What every answer to wrong usage is: one line, no stack and nothing on stdout. */
export const isOneLine = ({ out, err }: Said): boolean =>
  out === "" && /^sim: [^\n]+\n$/.test(err) && !err.includes("    at ");
