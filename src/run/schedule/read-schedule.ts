import { resolve } from "node:path";
import {
  asId,
  type Id,
  type InstalledFields,
  type ScheduledChange,
  type ScheduledEntry,
} from "../../kernel/index.ts";
import { dotted } from "../../mind/index.ts";
import { parseTimeMs } from "../../world/index.ts";
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
  refused,
  type ScheduleConfig,
} from "../config/index.ts";
import {
  fieldsFor,
  type InstalledProgram,
  programProblems,
} from "../mechanisms/installed-program.ts";
import { type OwnLine, readPlain, readProgram } from "../mechanisms/program-file.ts";
import { programPath, readMechanisms } from "../mechanisms/read-mechanisms.ts";
import { clashesIn } from "../persona/clashes.ts";
import { loadPersona, type PersonaSource } from "../persona/load-personas.ts";
import { newcomersOf, startDelayMs } from "../persona/newcomers.ts";
import type { Persona } from "../persona/persona.ts";
import type { Mention } from "./mentions.ts";
import type { ScheduleRequest } from "./plan.ts";

type Entry = ScheduleConfig[number];

type ReadEntries = {
  readonly entries: readonly ScheduledEntry[];
  /** The personas of the agents that entries add. */
  readonly personas: readonly Persona[];
  readonly programs: readonly InstalledProgram[];
  readonly mentions: readonly Mention[];
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
 * Reads the schedule and the mechanisms of a configuration with their files. Paths in a
 * configuration file are relative to the file. In the returned configuration they are absolute.
 */
export const readSchedule = (given: Given): Reading<Planned> => {
  const { opened, kept, flags, present, personas } = given;
  const { origins, placeOf } = opened;
  const agents = present.map(({ id }) => id);
  const started = readMechanisms({ opened, kept, agents });
  if (!started.ok) return started;
  const config = { ...withPaths(opened), mechanisms: started.config.mechanisms };
  const sources = { config, placeOf, personas };
  const size = config.schedule.length - flags;
  const isKept = kept !== null && origins.get("schedule") === kept;
  const own = readEntries(sources, [isKept ? size : 0, size]);
  if (!own.ok) return own;
  const added = readEntries(sources, [size, config.schedule.length]);
  if (!added.ok) return added;
  const clashes = clashesIn(withoutRepeats([...present, ...own.personas]));
  const problems = [...clashes, ...programProblems(config, [...started.programs, ...own.programs])];
  if (problems.length > 0) return { ok: false, problems };
  const isGiven = ([, origin]: readonly [string, string]): boolean =>
    origin !== "default" && origin !== kept;
  const schedule = {
    replacement: isKept ? null : own.entries,
    added: added.entries,
    overridden: new Set([...origins].filter(isGiven).map(([key]) => key)),
    personas: own.personas,
    mentions: own.mentions,
    mechanisms: started.mechanisms,
  };
  return { ok: true, config, schedule };
};

/** The first persona of each id. `mentionProblems` reports the entries that add the others. */
const withoutRepeats = (personas: readonly Persona[]): readonly Persona[] => {
  const firsts = new Map(personas.toReversed().map((persona) => [persona.id, persona]));
  return personas.filter((persona) => firsts.get(persona.id) === persona);
};

const withPaths = ({ config, origins, file }: OpenConfig): Config => {
  const isInFile = origins.get("schedule") === file;
  const pathOf = (path: string): string => resolve(isInFile ? besideFile(file, path) : path);
  const fileOf = (path: string): string => programPath(pathOf(path), path);
  const schedule = config.schedule.map(({ add, install, ...entry }) => ({
    ...entry,
    ...(add === undefined ? {} : { add: listed(add).map(pathOf) }),
    ...(install === undefined ? {} : { install: { ...install, file: fileOf(install.file) } }),
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
  const all = reads.flatMap((each) => (each.ok ? [each] : []));
  return {
    ok: true,
    entries: all.flatMap(({ entries }) => entries).toSorted((a, b) => a.at_ms - b.at_ms),
    personas: all.flatMap(({ personas }) => personas),
    programs: all.flatMap(({ programs }) => programs),
    mentions: all.flatMap(({ mentions }) => mentions),
  };
};

const readEntry = (entry: Entry, index: number, sources: Sources): Reading<ReadEntries> => {
  const { add, install } = entry;
  const at_ms = parseTimeMs(entry.at) ?? 0;
  const read = (changes: readonly ScheduledChange[]): ReadEntries => ({
    entries: changes.map((change) => ({ at_ms, change })),
    personas: [],
    programs: [],
    mentions: [],
  });
  const mentionOf = (what: Mention["what"], name: string, ids: readonly Id[]): Mention => {
    const path = ["schedule", index, name];
    const joinLater = entry.joins_later ?? false;
    return { atMs: at_ms, what, ids, key: dotted(path), place: sources.placeOf(path), joinLater };
  };
  if (install !== undefined) {
    const installed = readInstalled(install);
    const path = ["schedule", index, "install", "file"];
    if (!installed.ok) return misplaced(installed.problems, path, sources);
    if ("misfit" in installed) {
      const place = sources.placeOf(["schedule", index, "install", "settings"]);
      return refused({ ...place, ...installed.misfit });
    }
    const { fields, ownLine } = installed;
    const owner = install.owner === undefined ? null : asId(install.owner);
    const change = { kind: "install", id: asId(install.id), owner, fields } as const;
    const { code } = fields;
    const program = { file: install.file, id: install.id, ownLine, entry: sources.placeOf(path) };
    const programs = code === undefined ? [] : [{ ...program, code }];
    return { ok: true, ...read([change]), programs };
  }
  if (add !== undefined) {
    const reads = listed(add).map((folder) => loadPersona(folder, sources.personas));
    const problems = reads.flatMap((each) => (each.ok ? [] : each.problems));
    if (problems.length > 0) return misplaced(problems, ["schedule", index, "add"], sources);
    const personas = reads.flatMap((each) => (each.ok ? each.personas : []));
    const changes = additionsOf(sources.config, personas);
    const ids = personas.map(({ id }) => asId(id));
    return { ok: true, ...read(changes), personas, mentions: [mentionOf("newcomer", "add", ids)] };
  }
  const changes = changesIn(entry);
  const mentions = changes.flatMap((change): readonly Mention[] => {
    switch (change.kind) {
      case "mint":
        return change.to === "all" ? [] : [mentionOf("principal", "mint", change.to)];
      case "take":
        return change.from === "all" ? [] : [mentionOf("principal", "take", change.from)];
      case "pause":
      case "resume":
      case "remove":
        return [mentionOf("agent", change.kind, [change.agent])];
      default:
        return [];
    }
  });
  return { ok: true, ...read(changes), mentions };
};

type Install = NonNullable<Entry["install"]>;

type Installed = Reading<
  | { readonly fields: InstalledFields; readonly ownLine: OwnLine }
  | { readonly misfit: { readonly message: string; readonly hint: string | null } }
>;

const NO_PROGRAM = { message: "only programs, such as *.js, have settings", hint: null };

/**
 * Reads the file of an entry that installs an artifact: a program with its settings, or content.
 * Does not check the code.
 */
const readInstalled = (install: Install): Installed => {
  const { file, type, settings } = install;
  if (!/\.[cm]?js$/.test(file)) {
    const read = readPlain(file);
    if (!read.ok) return read;
    if (settings !== undefined) return { ok: true, misfit: NO_PROGRAM };
    const fields = { type: type ?? "data", content: read.text, ...givenIn(install) };
    return { ok: true, fields, ownLine: { code: 1, file: 1 } };
  }
  const read = readProgram(file);
  if (!read.ok) return read;
  const made = fieldsFor(read.program, settings ?? {});
  if (!made.ok) {
    const [{ message, hint } = NO_PROGRAM] = made.misfits;
    return { ok: true, misfit: { message, hint } };
  }
  const fields = { type: type ?? "program", ...made.fields, ...givenIn(install) };
  return { ok: true, fields, ownLine: made.ownLine };
};

const givenIn = ({ price, read_price, has_standing, interface: declared }: Install) => ({
  ...(price === undefined ? {} : { price }),
  ...(read_price === undefined ? {} : { read_price }),
  ...(has_standing === undefined ? {} : { has_standing }),
  ...(isInterface(declared) ? { interface: declared } : {}),
});

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

const additionsOf = (config: Config, personas: readonly Persona[]): readonly ScheduledChange[] =>
  newcomersOf(config, personas).map((newcomer) => {
    const { id, content, workspace, scrip, terms } = newcomer;
    const { standing = null, review, ...others } = terms;
    const starts_after_ms = startDelayMs(config.run.seed, id);
    const files = workspace === null ? {} : { workspace };
    const about = { id: asId(id), content, ...files, ...others, scrip, standing };
    const reviewed = review === undefined ? {} : { review };
    return { kind: "add", agent: { ...about, ...reviewed, starts_after_ms } };
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
