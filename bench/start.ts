/** The time of `sim --help`, and of a Node process that does nothing. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Figure } from "./figure.ts";
import { median } from "./stopwatch.ts";

const ROUNDS = 9;
const SIM = join(import.meta.dirname, "../src/cli/main.ts");

const msOf = (args: readonly string[]): number =>
  median(
    Array.from({ length: ROUNDS }, () => {
      const startedAt = performance.now();
      const { status } = spawnSync(process.execPath, args);
      if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}`);
      return performance.now() - startedAt;
    }),
  );

export const figures = async (): Promise<readonly Figure[]> => {
  const limit = { name: "node alone", value: msOf(["-e", "0"]) };
  return [
    { name: "sim --help", value: msOf([SIM, "--help"]), unit: "ms", bar: 250, limit },
    { name: "sim --version", value: msOf([SIM, "--version"]), unit: "ms", bar: null, limit },
  ];
};
