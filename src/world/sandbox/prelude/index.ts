import { ENTRY } from "./entry.ts";
import { ARRAY_GUARDS, TEXT_GUARDS } from "./guards.ts";
import { HARDENING, PRIMORDIALS } from "./hardening.ts";
import { KERNEL, PLAIN_VALUES } from "./kernel.ts";

/** The operations of `port`, passed as its first argument. */
export const PORT = {
  charge: 0,
  log: 1,
  syscall: 2,
  finish: 3,
  reject: 4,
  break: 5,
} as const;

const PORT_CONSTANTS = Object.entries(PORT)
  .map(([name, operation]) => `${name.toUpperCase()} = ${operation}`)
  .join(", ");

/**
 * JavaScript that runs inside the engine before any program. It is text because its exact bytes
 * decide the layout of the engine's memory.
 *
 * Use built-in functions only through the captured names, because a program may replace any of
 * them. Give programs closures over the prelude's variables, never the variables themselves.
 */
export const PRELUDE = `(function (port) {
"use strict";
const ${PORT_CONSTANTS};
${PRIMORDIALS}
${HARDENING}
${TEXT_GUARDS}
${ARRAY_GUARDS}
${PLAIN_VALUES}
${KERNEL}
${ENTRY}
})`;
