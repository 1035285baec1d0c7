import { expect } from "vitest";
import type { SimResult } from "../support/sim.ts";

/** Expects one line with the reason, this exit code, no stack and nothing on stdout. */
export const expectRefusal = (said: SimResult, code: number, reason: string | RegExp): void => {
  const err = typeof reason === "string" ? `sim: ${reason}\n` : expect.stringMatching(reason);
  expect(said).toEqual({ code, out: "", err });
  expect(said.err).toMatch(/^sim: [^\n]+\n$/);
  expect(said.err).not.toContain("    at ");
};
