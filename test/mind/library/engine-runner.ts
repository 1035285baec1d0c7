import { hash } from "node:crypto";
import type { Json, RunProgram } from "../../../src/mind/library/index.ts";
import { Sandbox } from "../../../src/world/sandbox/index.ts";

/** The engine of a world, one for all test files, with bounds that ordinary work does not meet. */
const sandbox = new Sandbox({
  gas_max: 1_000_000,
  memory_bytes: 16 * 1024 * 1024,
  stack_bytes: 256 * 1024,
  result_bytes_max: 1024 * 1024,
  state_bytes_max: 65_536,
  log_bytes_max: 8_192,
  syscalls_max: 100,
  wall_timeout_ms: 20_000,
  depth_max: 5,
  gas_table: {
    call: 0,
    per_kb_code: 0,
    per_kb_input: 0,
    syscall: 0,
    tick: 10_000,
    per_kb_native: 0,
  },
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
