import { hash } from "node:crypto";
import type { Json, RunProgram } from "../../../src/mind/library/index.ts";
import { Sandbox } from "../../../src/world/sandbox/index.ts";

/** The engine of a world, one for all test files, with bounds that ordinary work does not meet. */
const sandbox = new Sandbox({
  gasMax: 1_000_000,
  memoryBytes: 16 * 1024 * 1024,
  stackBytes: 256 * 1024,
  resultBytesMax: 1024 * 1024,
  stateBytesMax: 65_536,
  logBytesMax: 8_192,
  syscallsMax: 100,
  wallTimeoutMs: 20_000,
  depthMax: 5,
  gasTable: { call: 0, perKbCode: 0, perKbInput: 0, syscall: 0, tick: 10_000, perKbNative: 0 },
});

export type Order = {
  readonly id: string;
  readonly method: string;
  readonly args: readonly Json[];
  readonly terms: Json;
};

/** What stands in for the artifacts that `kernel.invoke` calls: gives what a real kernel gives. */
export type Market = (order: Order) => {
  readonly success: boolean;
  readonly result?: Json;
  readonly error?: Json;
};

const closedMarket: Market = ({ id }) => ({
  success: false,
  error: { code: "not_found", message: `there is no ${id}` },
});

/** Runs a library program in the engine. A million steps at the most. */
export const run: RunProgram = (code, method, args) =>
  runInMarket(closedMarket, { code, method, args });

export const runInMarket = (
  market: Market,
  program: { readonly code: string; readonly method: string; readonly args: readonly Json[] },
): ReturnType<RunProgram> => {
  const { code, method, args } = program;
  const outcome = sandbox.run(
    {
      program: { key: hash("sha256", code), code },
      method,
      inputJson: JSON.stringify({
        args,
        self: "self",
        caller: "caller",
        origin: "caller",
        attached: { scrip: 0, artifacts: [] },
        now: 0,
      }),
      stateJson: "{}",
      gasMax: 1_000_000,
      syscallsMax: 100,
      readOnly: false,
    },
    ({ name, argsJson }) => {
      if (name !== "invoke") {
        return { ok: false, code: "not_found", message: `no ${name} here`, gasUsed: 0 };
      }
      const [id, called, given, terms] = JSON.parse(argsJson);
      const answer = market({ id, method: called, args: given, terms: terms ?? null });
      return { ok: true, resultJson: JSON.stringify(answer), gasUsed: 0 };
    },
  );
  if (outcome.ok) return { ok: true, result: JSON.parse(outcome.resultJson) };
  const said = outcome.dataJson === undefined ? null : JSON.parse(outcome.dataJson);
  const why = said ?? outcome;
  return { ok: false, reason: `${why.code}: ${why.message}` };
};
