import { ENTRY } from "./entry.ts";
import { ARRAY_GUARDS, TEXT_GUARDS } from "./guards.ts";
import { HARDENING } from "./hardening.ts";
import { KERNEL } from "./kernel.ts";
import { PLAIN_VALUES } from "./plain-values.ts";
import { PRIMORDIALS } from "./primordials.ts";

/** What the prelude asks its host for; the first argument of `port`. */
export const PORT = {
  charge: 0,
  log: 1,
  syscall: 2,
  finish: 3,
  reject: 4,
  break: 5,
} as const;

/**
 * JavaScript that runs inside the engine before any program does. It is text, not a function of
 * this module, because its exact bytes decide where everything lies in the engine's memory.
 *
 * Two rules hold for all of it. It reaches built-in functions only through names it captured at the
 * start, for a program may replace any of them in its own context. And it hands programs nothing
 * that leads back into it: closures over its variables, never the variables.
 */
export const PRELUDE = `(function (port) {
"use strict";
${PRIMORDIALS}
${HARDENING}
${TEXT_GUARDS}
${ARRAY_GUARDS}
${PLAIN_VALUES}
${KERNEL}
${ENTRY}
})`;
