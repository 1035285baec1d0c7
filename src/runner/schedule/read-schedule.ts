import { resolve } from "node:path";
import {
  asId,
  type InstalledFields,
  type ScheduledChange,
  type ScheduledEntry,
} from "../../kernel/index.ts";
import { parseTimeMs } from "../../world/index.ts";
import { newcomersOf, startDelayMs } from "../agents/newcomers.ts";
import {
  besideFile,
  type Config,
  flatSettings,
  isInterface,
  type LoadedConfig,
  microsOf,
  type OpenConfig,
  type Problem,
  type Reading,
  readText,
  type ScheduleConfig,
} from "../config/index.ts";
import { clashesIn } from "../persona/clashes.ts";
import { loadPersona, type PersonaSource } from "../persona/load-personas.ts";
import type { Persona } from "../persona/persona.ts";
import type { ScheduleRequest } from "./plan.ts";

type Entry = ScheduleConfig[number];

type ReadEntries = {
  readonly entries: readonly ScheduledEntry[];
  /** The personas of the agents that entries add. */
  readonly personas: readonly Persona[];
};

type Sources = Pick<LoadedConfig, "config" | "placeOf"> & {
  readonly personas: Omit<PersonaSource, "dirs">;
};

type Given = {
  readonly opened: OpenConfig;
  /** The name of the configuration that a resumed or forked run continues, or null. */
  readonly kept: string | null;
  /** The number of entries that come from flags. They are the last ones. */
  readonly flags: number;
  /** The personas of the agents that the world has at the start. */
  readonly present: readonly Persona[];
  readonly personas: Omit<PersonaSource, "dirs">;
};

type Planned = { readonly config: Config; readonly schedule: ScheduleRequest };

/**
 * Reads the schedule of a configuration with its files. Paths in a configuration file are relative
 * to the file. In the returned configuration they are absolute.
 */
export const readSchedule = (given: Given): Reading<Planned> => {
  const { opened, kept, flags, present, personas } = given;
  const { origins, placeOf } = opened;
  const config = withPaths(opened);
  const sources = { config, placeOf, personas };
  const size = config.schedule.length - flags;
  const isKept = kept !== null && origins.get("schedule") === kept;
  const own = readEntries(sources, [isKept ? size : 0, size]);
  if (!own.ok) return own;
  const added = readEntries(sources, [size, config.schedule.length]);
  if (!added.ok) return added;
  const problems = clashesIn([...present, ...own.personas]);
  if (problems.length > 0) return { ok: false, problems };
  const isGiven = ([, origin]: readonly [string, string]): boolean =>
    origin !== "default" && origin !== kept;
  const schedule = {
    replacement: isKept ? null : own.entries,
    added: added.entries,
    overridden: new Set([...origins].filter(isGiven).map(([key]) => key)),
    personas: own.personas,
  };
  return { ok: true, config, schedule };
};

const withPaths = ({ config, origins, file }: OpenConfig): Config => {
  const isInFile = origins.get("schedule") === file;
  const pathOf = (path: string): string => resolve(isInFile ? besideFile(file, path) : path);
  const schedule = config.schedule.map(({ add, install, ...entry }) => ({
    ...entry,
    ...(add === undefined ? {} : { add: listed(add).map(pathOf) }),
    ...(install === undefined ? {} : { install: { ...install, file: pathOf(install.file) } }),
  }));
  return { ...config, schedule };
};

/** Reads a part of the schedule, and sorts it by time. Entries of one time keep their order. */
const readEntries = (
  sources: Sources,
  [from, to]: readonly [number, number],
): Reading<ReadEntries> => {
  const part = sources.config.schedule.slice(from, to);
  const reads = part.map((entry, at) => readEntry(entry, from + at, sources));
  const problems = reads.flatMap((each) => (each.ok ? [] : each.problems));
  if (problems.length > 0) return { ok: false, problems };
  const entries = reads.flatMap((each) => (each.ok ? each.entries : []));
  const personas = reads.flatMap((each) => (each.ok ? each.personas : []));
  return { ok: true, entries: entries.toSorted((a, b) => a.at_ms - b.at_ms), personas };
};

const readEntry = (entry: Entry, index: number, sources: Sources): Reading<ReadEntries> => {
  const { at, add, install } = entry;
  const at_ms = parseTimeMs(at) ?? 0;
  const planned = (changes: readonly ScheduledChange[]): readonly ScheduledEntry[] =>
    changes.map((change) => ({ at_ms, change }));
  if (install !== undefined) {
    const read = readText(install.file);
    if (!read.ok) return misplaced(read.problems, ["schedule", index, "install", "file"], sources);
    const owner = install.owner === undefined ? null : asId(install.owner);
    const fields = fieldsOf(install, read.text);
    const change = { kind: "install", id: asId(install.id), owner, fields } as const;
    return { ok: true, entries: planned([change]), personas: [] };
  }
  if (add !== undefined) {
    const reads = listed(add).map((folder) => loadPersona(folder, sources.personas));
    const problems = reads.flatMap((each) => (each.ok ? [] : each.problems));
    if (problems.length > 0) return misplaced(problems, ["schedule", index, "add"], sources);
    const personas = reads.flatMap((each) => (each.ok ? each.personas : []));
    return { ok: true, entries: planned(additionsOf(sources.config, personas)), personas };
  }
  return { ok: true, entries: planned(changesIn(entry)), personas: [] };
};

/** Puts the place of the entry before problems that are about its file as a whole. */
const misplaced = (
  problems: readonly Problem[],
  path: readonly (string | number)[],
  { placeOf }: Sources,
): Reading<never> => ({
  ok: false,
  problems: problems.map((problem) => {
    const { file, line, message } = problem;
    return line === null
      ? { ...problem, ...placeOf(path), message: `${file} ${message}` }
      : problem;
  }),
});

const fieldsOf = (
  { file, type, price, read_price, interface: declared }: NonNullable<Entry["install"]>,
  text: string,
): InstalledFields => {
  const isProgram = /\.[cm]?js$/.test(file);
  return {
    type: type ?? (isProgram ? "program" : "data"),
    ...(isProgram ? { code: text } : { content: text }),
    ...(price === undefined ? {} : { price }),
    ...(read_price === undefined ? {} : { read_price }),
    ...(isInterface(declared) ? { interface: declared } : {}),
  };
};

const additionsOf = (config: Config, personas: readonly Persona[]): readonly ScheduledChange[] =>
  newcomersOf(config, personas).map(({ id, content, group, scrip, standing }) => {
    const starts_after_ms = startDelayMs(config.run.seed, id);
    const agent = { id: asId(id), content, group, scrip, standing, starts_after_ms };
    return { kind: "add", agent };
  });

const listed = (given: string | readonly string[]): readonly string[] =>
  typeof given === "string" ? [given] : given;

type Amounts = Pick<NonNullable<Entry["mint"]>, "scrip" | "llm_budget_usd">;

const amountsOf = ({ scrip = 0, llm_budget_usd = 0 }: Amounts) => ({
  scrip,
  llm_budget_micros: microsOf(llm_budget_usd),
});

/** The name that means all agents. */
const ALL = "all";

const recipients = (given: string | readonly string[]) =>
  given === ALL ? ALL : listed(given).map(asId);

const changesIn = (entry: Entry): readonly ScheduledChange[] => {
  const { set, mint, take } = entry;
  if (set !== undefined) return [{ kind: "set", settings: flatSettings(set) }];
  if (mint !== undefined) return [{ kind: "mint", to: recipients(mint.to), ...amountsOf(mint) }];
  if (take !== undefined) {
    return [{ kind: "take", from: recipients(take.from), ...amountsOf(take) }];
  }
  return (["pause", "resume", "remove"] as const).flatMap((kind) =>
    listed(entry[kind] ?? []).map((agent) => ({ kind, agent: asId(agent) })),
  );
};
