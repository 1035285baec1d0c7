import { hash } from "node:crypto";
import type { Json } from "../../../src/kernel/index.ts";
import { callOf, newSandbox } from "../../world/sandbox/fixture.ts";

/** The engine of a world, with limits that ordinary programs do not reach. */
const sandbox = newSandbox({ memory_bytes: 16 * 1024 * 1024, result_bytes_max: 1024 * 1024 });

/** Answers `kernel.invoke` in place of a world. */
export type Market = (call: {
  readonly id: string;
  readonly method: string;
  readonly args: readonly Json[];
  readonly terms: Json;
}) => { readonly success: boolean; readonly result?: Json; readonly error?: Json };

const closedMarket: Market = ({ id }) => ({
  success: false,
  error: { code: "not_found", message: `there is no ${id}` },
});

type RunResult =
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly reason: string };

/** Runs a method of a program. Without a market every call of another artifact fails. */
export const run = (code: string, method: string, args: readonly Json[]): RunResult =>
  runInMarket(closedMarket, { code, method, args });

export const runInMarket = (
  market: Market,
  program: { readonly code: string; readonly method: string; readonly args: readonly Json[] },
): RunResult => {
  const { code, method, args } = program;
  const input = { self: "self", caller: "caller", origin: "caller" };
  const outcome = sandbox.run(
    {
      ...callOf(code, { method, args, input, gasMax: 1_000_000, syscallsMax: 50 }),
      program: { key: hash("sha256", code), code },
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
  const why = outcome.dataJson === undefined ? outcome : JSON.parse(outcome.dataJson);
  return { ok: false, reason: `${why.code}: ${why.message}` };
};
