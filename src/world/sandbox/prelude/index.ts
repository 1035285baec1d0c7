import { ENTRY } from "./entry.ts";
import { ARRAY_GUARDS, TEXT_GUARDS } from "./guards.ts";
import { HARDENING, PRIMORDIALS } from "./hardening.ts";
import { KERNEL, PLAIN_VALUES } from "./kernel.ts";

/** The operations of `port`. The first argument of `port` selects the operation. */
export const PORT = { charge: 0, log: 1, syscall: 2, finish: 3, reject: 4, break: 5 } as const;

const PORT_CONSTANTS = Object.entries(PORT)
  .map(([name, operation]) => `${name.toUpperCase()} = ${operation}`)
  .join(", ");

/**
 * JavaScript that runs in the engine before any program. It is text, because its exact bytes decide
 * the memory layout of the engine.
 *
 * In the prelude, use built-in functions only through the names in `PRIMORDIALS`, because a program
 * may replace any built-in. A program must not get internal objects such as `port` or `methods`.
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
