/**
 * Runs the shipped experiments and prints the table of docs/experiments.md: the mean of each arm that
 * has a band, next to the published figure. `npm run published -- gode-sunder` runs one of them. Runs
 * of earlier commands in `results` are not made again.
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { Command } from "commander";
import type { ExperimentResult } from "../src/index.ts";

const ROOT = join(import.meta.dirname, "..");
const FOLDER = "experiments";
const MAIN = join(ROOT, "src/cli/main.ts");
const BUFFER_BYTES_MAX = 256 * 1024 * 1024;

const program = new Command("npm run published --")
  .description("Runs the shipped experiments and prints their means next to the published figures.")
  .argument("[names...]", "experiments, such as gode-sunder (default: all)")
  .option("--seeds <range>", "seeds instead of those in the files, such as 1..3")
  .parse();
const { seeds } = program.opts<{ seeds?: string }>();
const shipped = readdirSync(join(ROOT, FOLDER))
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => file.replace(/\.yaml$/, ""))
  .toSorted();
const unknown = program.args.find((name) => !shipped.includes(name));
if (unknown !== undefined) {
  program.error(`there is no experiment ${unknown}; there are ${shipped.join(", ")}`);
}
const names = program.args.length === 0 ? shipped : shipped.filter((n) => program.args.includes(n));

const resultOf = (name: string): ExperimentResult => {
  const file = relative(process.cwd(), join(ROOT, FOLDER, `${name}.yaml`));
  const args = ["experiment", file, "--json"];
  if (seeds !== undefined) args.push("--seeds", seeds);
  const { stdout, status } = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: "utf8",
    maxBuffer: BUFFER_BYTES_MAX,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`sim ${args.join(" ")} ended with ${status}`);
  return JSON.parse(stdout);
};

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
const rounded = (value: number): number => Number(value.toPrecision(4));
const HEAD = ["experiment", "measure", "arm", "n", "mean", "band", "published", "inside"];

console.log(line(HEAD));
console.log(line(HEAD.map(() => "---")));
for (const name of names) {
  for (const row of resultOf(name).bands) {
    const { measure, cell, n, mean, low, high, published, inside } = row;
    const shown = mean === null ? "" : rounded(mean);
    const verdict = inside === null ? "" : inside ? "yes" : "no";
    const cells = [`[${name}](${FOLDER}/${name}.md)`, `\`${measure}\``, `\`${cell}\``, n, shown];
    console.log(line([...cells, `${low} to ${high}`, published ?? "", verdict]));
  }
}
