import { type Command, Option } from "commander";
import { type RunRead, type RunRecord, readRun, runFolders } from "../../run/index.ts";
import { didYouMean, listed, shortened } from "../../text/index.ts";

import { addLabel, addOutFlags, type OutFlags, wholeFrom } from "../core/flags.ts";
import { type Register, withExamples } from "../core/shell.ts";

type Listed = Extract<RunRead, { readonly ok: true }>;

type Filters = {
  readonly label: readonly string[];
  readonly seed?: number;
  readonly status?: string;
  readonly parent?: string;
  readonly changed: readonly string[];
};

const STATUSES: readonly RunRecord["status"][] = [
  "running",
  "finished",
  "stopped",
  "failed",
  "interrupted",
];

export const register: Register = (command, { output }) => {
  const times = "started_at, from_s, duration_s";
  const shape = `{ run_id, status, ${times}, events, parent, seed, clock, labels, changed }`;
  addFilters(addOutFlags(command, `print a JSON list of ${shape}`));
  withExamples(command, [
    "sim runs",
    "sim runs --label treatment --status finished",
    "sim runs --changed mint.slots=4 --json",
  ]);
  command.action(({ out, json, ...filters }: OutFlags & Filters) => {
    const runs: Listed[] = [];
    for (const read of runFolders(out).map(readRun)) {
      if (read.ok) runs.push(read);
      else output.problem(read.problem);
    }
    runs.sort(({ record: a }, { record: b }) => (a.started_at < b.started_at ? -1 : 1));
    const asked = filtersIn(filters);
    const found = runs.filter(({ record }) => asked.every(({ keeps }) => keeps(record)));
    if (json) output.json(found.map(({ record }) => record));
    else if (found.length > 0 || output.isTsv()) {
      const isShort = output.isTerminal && !output.isTsv();
      const shown = COLUMNS.filter(
        ({ cell }) => !isShort || found.some((run) => cell(run, isShort) !== NONE),
      );
      output.table(
        shown.map(({ title }) => title),
        found.map((run) => shown.map(({ cell }) => cell(run, isShort))),
      );
    } else if (runs.length > 0) {
      const records = runs.map(({ record }) => record);
      output.note(`no run in ${out} matches ${whyNone(records, asked)}`);
    } else output.note(`there are no runs in ${out}; \`sim run\` makes one`);
  });
};

const addFilters = (command: Command): Command =>
  command
    .addOption(
      new Option("--label <word>", "only runs with this label; may be repeated")
        .argParser(addLabel)
        .default([], "all"),
    )
    .option("--seed <number>", "only runs with this seed", wholeFrom(0))
    .addOption(new Option("--status <status>", "only runs with this status").choices(STATUSES))
    .option("--parent <run>", "only forks of this run")
    .addOption(
      new Option(
        "--changed <key>",
        "only runs with another value of this setting than the shipped one, or with this value " +
          "(key=value); may be repeated",
      )
        .argParser<readonly string[]>((text, before) => [...before, text])
        .default([], "all"),
    );

/** One filter as it was typed, the runs that it keeps, and the values that a run has for it. */
type Filter = {
  readonly flag: string;
  readonly value: string;
  readonly keeps: (run: RunRecord) => boolean;
  readonly valuesOf: (run: RunRecord) => readonly string[];
};

const filtersIn = ({ label: labels, changed, ...one }: Filters): readonly Filter[] => {
  const equal = (
    flag: string,
    value: string | number | undefined,
    read: (run: RunRecord) => string | number | null,
  ): readonly Filter[] =>
    value === undefined
      ? []
      : [
          {
            ...{ flag, value: String(value), keeps: (run) => read(run) === value },
            valuesOf: (run) => [read(run) ?? []].flat().map(String),
          },
        ];
  return [
    ...labels.map((value) => ({
      ...{ flag: "--label", value, keeps: (run: RunRecord) => run.labels.includes(value) },
      valuesOf: (run: RunRecord) => run.labels,
    })),
    ...equal("--seed", one.seed, ({ seed }) => seed),
    ...equal("--status", one.status, ({ status }) => status),
    ...equal("--parent", one.parent, ({ parent }) => parent),
    ...changed.map((value) => ({
      ...{ flag: "--changed", value, keeps: (run: RunRecord) => hasChanged(run, value) },
      valuesOf: ({ changed: settings }: RunRecord) => near(settings, value),
    })),
  ];
};

/** `wanted` is a key, the beginning of a key such as `mint`, or a key with its value. */
const hasChanged = ({ changed }: RunRecord, wanted: string): boolean =>
  Object.entries(changed).some(
    ([key, value]) =>
      key === wanted || key.startsWith(`${wanted}.`) || settingText(key, value) === wanted,
  );

/** The value of the setting that `wanted` names, such as `mint.slots=4`, and all other keys. */
const near = (changed: RunRecord["changed"], wanted: string): readonly string[] =>
  Object.entries(changed).map(([key, value]) =>
    wanted.startsWith(`${key}=`) ? settingText(key, value) : key,
  );

const VALUES_SHOWN = 20;

const known = (values: readonly string[]): string =>
  values.length === 0
    ? "the runs have no values for it"
    : `the runs have: ${listed(values.map(shownSetting), VALUES_SHOWN)}`;

/** Says which filters no run passes, with the values that the runs have. */
const whyNone = (runs: readonly RunRecord[], filters: readonly Filter[]): string => {
  const empty = filters.filter(({ keeps }) => !runs.some(keeps));
  if (empty.length === 0) return "all of these filters";
  const reasons = empty.map(({ flag, value, valuesOf }) => {
    const all = [...new Set(runs.flatMap(valuesOf))].toSorted();
    const sameKey = all.filter((each) => each.startsWith(`${value.split("=")[0]}=`));
    if (sameKey.length > 0) return `${flag} ${value}; ${known(sameKey)}${unlessShipped(flag)}`;
    return `${flag} ${value}; ${didYouMean(value, all) ?? known(all)}`;
  });
  return reasons.join("; or ");
};

/** A run with `--set key=value` does not change the key if this is the shipped value. */
const unlessShipped = (flag: string): string =>
  flag === "--changed" ? "; a run with the shipped value has not changed it" : "";

/** As `--set` takes it. */
const settingText = (key: string, value: unknown): string =>
  `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`;

/** The longest text of a setting in a table. `--json` has all values in full. */
const SETTING_CHARS = 60;

const shownSetting = (text: string): string => shortened(text, SETTING_CHARS);

const NONE = "-";

/** The settings that have a column of their own. */
const SHOWN_ELSEWHERE = ["run.seed", "run.clock"];

const changedText = ({ changed }: RunRecord): string =>
  Object.entries(changed)
    .filter(([key]) => !SHOWN_ELSEWHERE.includes(key))
    .map(([key, value]) => shownSetting(settingText(key, value)))
    .join(" ");

type Column = {
  readonly title: string;
  /** `isShort`: for a terminal, which leaves out columns that have `NONE` in all rows. */
  readonly cell: (run: Listed, isShort: boolean) => string | number;
};

const COLUMNS: readonly Column[] = [
  { title: "run", cell: ({ record }) => record.run_id },
  { title: "status", cell: ({ record }) => record.status },
  {
    title: "started",
    cell: ({ record: { started_at } }, isShort) =>
      isShort ? started_at.replace("T", " ").slice(0, 16) : started_at,
  },
  {
    title: "seconds",
    cell: ({ record: { from_s, duration_s } }) =>
      `${from_s === 0 ? "" : `${from_s} to `}${duration_s ?? NONE}`,
  },
  { title: "events", cell: ({ record }) => record.events ?? NONE },
  { title: "seed", cell: ({ record }) => record.seed },
  { title: "labels", cell: ({ record }) => record.labels.join(", ") || NONE },
  { title: "changed settings", cell: ({ record }) => changedText(record) || NONE },
  {
    title: "forked from",
    cell: ({ origin }) => (origin === null ? NONE : `${origin.run_id}, event ${origin.seq}`),
  },
];
