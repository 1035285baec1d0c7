/**
 * Runs the shipped population with many seeds and prints the tables of docs/economy.md:
 * `npm run economy -- --seeds 20`. `--duration` takes longer runs. With `--chart FILE` it also draws the final wealth of each agent
 * (the picture in the README). All figures come from `sim report --json`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { parse } from "yaml";
import { wealthChart } from "./wealth-chart.ts";

/** One value per moment, each for the time since the moment before. */
type Timeline = {
  readonly at_ms: readonly number[];
  readonly trades: readonly number[];
  readonly compute_lots: readonly number[];
  readonly compute_price: readonly (number | null)[];
};

type Run = {
  readonly economy: { readonly scrip_minted: number; readonly gini: number };
  readonly trades_by_kind: { readonly [kind: string]: number };
  readonly metrics: { readonly at_ms: number; readonly timeline: Timeline };
  readonly lives: { readonly [turn: string]: number };
  readonly agents: readonly {
    readonly id: string;
    readonly scrip: number;
    readonly began_with: number;
    readonly income: { readonly [source: string]: number };
  }[];
  readonly alarms: readonly { readonly alarm: string; readonly share: number }[];
};

const values = new Command("npm run economy --")
  .description(
    "Runs the shipped population with many seeds and prints the table of docs/economy.md.",
  )
  .option("--seeds <n>", "number of seeds, from 1", "20")
  .option("--duration <s>", "simulated seconds of each run", "3600")
  .option("--chart <file>", "draw the final wealth of each agent to this SVG file")
  .parse()
  .opts<{ seeds: string; duration: string; chart?: string }>();

const out = mkdtempSync(join(tmpdir(), "catallaxy-economy-"));
const main = join(import.meta.dirname, "../src/cli/main.ts");

/** Prints the largest memory of the process in kB at its end, as the last line of stderr. */
const PRINT_MEMORY =
  'process.on("exit", () => console.error("\\n" + process.resourceUsage().maxRSS))';

const sim = (...args: readonly string[]) => {
  const flags = ["--import", `data:text/javascript,${encodeURIComponent(PRINT_MEMORY)}`];
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, main, ...args], {
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  if (status !== 0) throw new Error(`sim ${args.join(" ")} ended with ${status}: ${stderr}`);
  return { stdout, memoryMb: Number(stderr.trimEnd().split("\n").at(-1)) / 1024 };
};

/** A finished run, and what its process and its folder took. */
type Measured = Run & { readonly memoryMb: number; readonly journalMb: number };

const runWith = (seed: number): Measured => {
  const name = `seed-${seed}`;
  const flags = ["--clock", "virtual", "--duration", values.duration, "--name", name];
  flags.push("--set", "checkpoint.every_s=null", "--set", "checkpoint.on_end=false");
  const { memoryMb } = sim("run", "--seed", String(seed), "--out", out, ...flags, "--json");
  const report: Run = JSON.parse(sim("report", name, "--out", out, "--json").stdout);
  const journalMb = statSync(join(out, name, "journal.db")).size / 1e6;
  rmSync(join(out, name), { recursive: true });
  return { ...report, memoryMb, journalMb };
};

const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);
const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((100 * part) / whole);

/** The sum of `valueAt` over the moments of each quarter of a run. */
const byQuarter = (
  { metrics: { at_ms, timeline } }: Run,
  valueAt: (moment: number) => number,
): readonly number[] => {
  const quarter = (at: number): number =>
    Math.min(3, Math.floor((4 * Math.max(0, at - 1)) / at_ms));
  const values = timeline.at_ms.map((at, moment) => ({ in: quarter(at), value: valueAt(moment) }));
  return [0, 1, 2, 3].map((number) =>
    sum(values.filter((each) => each.in === number).map(({ value }) => value)),
  );
};

/** The trades a minute in each quarter of a run. */
const tradesByQuarter = (run: Run): readonly number[] => {
  const { at_ms, timeline } = run.metrics;
  const trades = byQuarter(run, (moment) => timeline.trades[moment] ?? 0);
  return trades.map((count) => (count * 4 * 60_000) / at_ms);
};

/** The mean price of a lot of model budget in each quarter of a run. */
const pricesByQuarter = (run: Run): readonly string[] => {
  const { compute_lots: lots, compute_price: prices } = run.metrics.timeline;
  const paid = byQuarter(run, (moment) => (lots[moment] ?? 0) * (prices[moment] ?? 0));
  const sold = byQuarter(run, (moment) => lots[moment] ?? 0);
  return paid.map((scrip, quarter) => {
    const count = sold[quarter] ?? 0;
    return count === 0 ? "none" : (scrip / count).toFixed(1);
  });
};

/** The agent that owes the largest part of its income to the use of its programs. */
const seller = ({ agents }: Run): string => {
  const shares = agents
    .map(({ id, income }) => ({ id, all: sum(Object.values(income)), services: income.services }))
    .filter(({ all }) => all >= 100)
    .map(({ id, all, services = 0 }) => ({ id, share: percent(services, all) }))
    .sort((a, b) => b.share - a.share);
  return shares[0] === undefined ? "" : `${shares[0].id} ${shares[0].share} %`;
};

const row = (seed: number, run: Measured): readonly (string | number)[] => {
  const { trades_by_kind: trades, lives } = run;
  const quarters = tradesByQuarter(run);
  const [, second = 0, , last = 0] = quarters;
  const { scrip_minted, gini } = run.economy;
  const wealth = run.agents.map(({ scrip }) => scrip);
  const loudest = [...run.alarms].sort((a, b) => b.share - a.share)[0];
  return [
    seed,
    scrip_minted,
    quarters.map((each) => each.toFixed(0)).join(", "),
    `${percent(last, second)} %`,
    trades.sale ?? 0,
    trades.loan ?? 0,
    trades.task ?? 0,
    pricesByQuarter(run).join(", "),
    seller(run),
    gini,
    `${percent(Math.max(...wealth), sum(wealth))} %`,
    lives.spawned ?? 0,
    lives.freezes ?? 0,
    lives.thaws ?? 0,
    lives.rescues ?? 0,
    lives.bankruptcies ?? 0,
    loudest === undefined ? "none" : `${loudest.alarm} ${Math.round(loudest.share * 100)} %`,
    (run.journalMb / (run.metrics.at_ms / 3_600_000)).toFixed(0),
    run.memoryMb.toFixed(0),
  ];
};

const HEAD = [
  "seed",
  "minted",
  "trades a minute",
  "last / second",
  "sales",
  "loans",
  "tasks",
  "price of a lot",
  "most by use of its programs",
  "Gini",
  "richest",
  "spawned",
  "frozen",
  "bought free",
  "rescued",
  "bankrupt",
  "loudest alarm",
  "journal (MB an hour)",
  "memory (MB)",
];

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

console.log(line(HEAD));
console.log(line(HEAD.map(() => "---")));
const runs: Measured[] = [];
for (let seed = 1; seed <= Number(values.seeds); seed++) {
  const run = runWith(seed);
  runs.push(run);
  console.log(line(row(seed, run)));
}

const personaFile = (agent: string): string =>
  join(import.meta.dirname, "../agents", agent, "agent.yaml");

/** The last part of the `mind` of a shipped persona: `policy/worker` is a worker. */
const strategyOf = (agent: string): string =>
  String(parse(readFileSync(personaFile(agent), "utf8")).mind)
    .split("/")
    .at(-1) ?? "";

const scripOf = ({ agents }: Run, agent: string): number | null =>
  agents.find(({ id }) => id === agent)?.scrip ?? null;

if (values.chart !== undefined) {
  const inAllRuns = (runs[0]?.agents ?? []).filter(
    ({ id }) => existsSync(personaFile(id)) && runs.every((run) => scripOf(run, id) !== null),
  );
  const rows = inAllRuns.map(({ id, began_with }) => ({
    agent: id,
    strategy: strategyOf(id),
    start: began_with,
    ends: runs.map((run) => scripOf(run, id) ?? 0),
  }));
  writeFileSync(values.chart, wealthChart(rows, `Final wealth over ${runs.length} seeds`));
}
