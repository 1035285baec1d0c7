/**
 * Every bench, or those that are named, each in a process of its own; then what moved since the
 * ratios of `baseline.json` were kept. `npm run bench -- [NAME…] [--keep]`.
 */
import { keptBaseline, movement, readBaseline, writeBaseline } from "./baseline.ts";
import { type Figure, holds, ratioOf } from "./figure.ts";
import { inProcess } from "./in-process.ts";

const BENCHES = [
  "kernel",
  "actions",
  "policies",
  "traders",
  "sandbox",
  "journal",
  "search",
  "percept",
  "iteration",
  "tools",
  "models",
  "parallel-thoughts",
  "mock",
  "embedder",
  "recall",
  "memories",
  "scoring",
  "replay",
  "checkpoint",
  "start",
  "dashboard",
  "moments",
  "queue",
];

const amount = (value: number, unit: string): string => {
  const digits = Math.abs(value) >= 1_000 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`;
};

const line = (figure: Figure, moved: string | null): string => {
  const { name, value, unit, bar, limit } = figure;
  const barText = bar === null ? "" : `${holds(figure) ? "bar" : "MISSES"} ${amount(bar, unit)}`;
  const limitText =
    limit === null
      ? ""
      : `${ratioOf(figure).toFixed(2)} of ${limit.name} ${amount(limit.value, unit)}`;
  const columns = [`  ${name}`.padEnd(46), amount(value, unit).padStart(12)];
  return [...columns, ` ${barText.padEnd(18)}`, limitText, moved === null ? "" : `[${moved}]`]
    .join(" ")
    .trimEnd();
};

const asked = process.argv.slice(2);
const names = asked.filter((word) => !word.startsWith("--"));
const unknown = asked.find((word) => word !== "--keep" && !BENCHES.includes(word));
if (unknown !== undefined) {
  console.error(
    `unknown bench "${unknown}"; the benches are ${BENCHES.join(", ")} (and the flag --keep)`,
  );
  process.exit(2);
}

const baseline = readBaseline();
const all = new Map<string, Figure>();
for (const name of names.length === 0 ? BENCHES : names) {
  const [outcome] = await Promise.allSettled([inProcess<readonly Figure[]>(name, "figures")]);
  if (outcome.status === "rejected") {
    // The other benches still run, and `--keep` keeps their ratios.
    console.error(outcome.reason.message);
    process.exitCode = 1;
    continue;
  }
  const { value: figures, peakMb } = outcome.value;
  console.log(`${name} (at most ${peakMb.toFixed(0)} MB)`);
  for (const figure of figures) {
    const key = `${name}/${figure.name}`;
    all.set(key, figure);
    console.log(line(figure, movement(figure, baseline[key])));
  }
}
const missed = [...all].filter(([, figure]) => !holds(figure)).map(([key]) => key);
const worse = [...all].filter(([key, f]) => movement(f, baseline[key])?.startsWith("WORSE"));
console.log(`${all.size} figures, ${missed.length} miss their bar, ${worse.length} are worse`);
if (asked.includes("--keep")) writeBaseline(keptBaseline(baseline, all));
