import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { canonical, jsonIn, memoized } from "../../kernel/index.ts";
import type { Frozen } from "../../model/index.ts";
import type { Config, Persona, ScheduleRequest } from "../../run/index.ts";
import { decodeJson, sha256 } from "../../world/index.ts";
import type { RunRow } from "../result/result.ts";
import { type ArmCell, type Experiment, factorValue } from "./experiment.ts";

/** A cell whose settings, personas and schedule are valid. */
export type CheckedCell = {
  readonly cell: ArmCell;
  readonly config: Config;
  /** The agents that take part from the start. */
  readonly personas: readonly Persona[];
  /** The folder of programs that policies publish. */
  readonly programs: string;
  readonly schedule: ScheduleRequest;
  /** The files and folders that its runs read, except for shipped ones. */
  readonly reads: readonly string[];
};

export const manifestOf = (
  experiment: Experiment,
  cells: readonly CheckedCell[],
  version: string,
) => {
  const hashOfFolder = memoized(folderHash);
  return {
    format: 1 as const,
    name: experiment.name,
    version,
    seeds: experiment.seeds,
    fork_s: experiment.forkS,
    stop: experiment.stop,
    measures: experiment.measures.map((measure) => ({
      name: measure.name,
      hash:
        measure.kind === "module"
          ? sha256(readFileSync(measure.file))
          : sha256(canonicalText({ ...measure, place: "" })),
    })),
    cells: cells.map(({ cell, config, personas, programs, schedule }) => {
      const { replacement, added } = schedule;
      return {
        cell: cell.name,
        arm: cell.arm,
        factors: cell.factors,
        settings: sha256(canonicalText(settingsOf(config))),
        // By name, the hash of the files of each persona that takes part.
        personas: Object.fromEntries(
          personas.map((persona) => [persona.population, personaHash(persona, hashOfFolder)]),
        ),
        programs: hashOfFolder(programs),
        schedule: sha256(canonicalText([replacement, added, schedule.mechanisms])),
      };
    }),
  };
};

/** Everything that decides the results of an experiment, as hashes where it is long. */
export type Manifest = ReturnType<typeof manifestOf>;

/** The parts of a manifest that are compared. */
export const decisiveManifest = z.object({
  name: z.string(),
  version: z.string(),
  fork_s: z.number().nullable(),
  measures: z.array(z.object({ name: z.string(), hash: z.string() })),
  cells: z.array(
    z.object({
      cell: z.string(),
      factors: z.record(z.string(), factorValue),
      settings: z.string(),
      personas: z.record(z.string(), z.string()),
      programs: z.string(),
      schedule: z.string(),
    }),
  ),
});

export type DecisiveManifest = Frozen<z.output<typeof decisiveManifest>>;

/**
 * What has changed since `saved`, so that its runs do not belong to the experiment any more. More
 * seeds, another stop rule and other arms change no run.
 */
export const changesSince = (saved: DecisiveManifest, now: Manifest): readonly string[] => [
  ...(saved.name === now.name ? [] : [`the name: ${saved.name} is ${now.name} now`]),
  ...(saved.version === now.version ? [] : [`the version: ${saved.version} is ${now.version} now`]),
  ...(saved.fork_s === now.fork_s ? [] : ["from.at"]),
  ...(isDeepStrictEqual(pointsOf(saved), pointsOf(now)) ? [] : ["factors"]),
  ...(isDeepStrictEqual(namesOf(saved), namesOf(now)) ? [] : ["the list of measures"]),
  ...now.measures.flatMap(({ name, hash }) => {
    const earlier = saved.measures.find((measure) => measure.name === name);
    return earlier === undefined || earlier.hash === hash ? [] : [`the measure ${name}`];
  }),
  ...new Set(now.cells.flatMap((cell) => cellChanges(saved, cell))),
];

const cellChanges = (
  { cells }: DecisiveManifest,
  now: Manifest["cells"][number],
): readonly string[] => {
  const saved = cells.find(({ cell }) => cell === now.cell);
  if (saved === undefined) return [];
  const names = [...new Set([...Object.keys(saved.personas), ...Object.keys(now.personas)])];
  return [
    ...(saved.settings === now.settings ? [] : [`a setting of ${now.cell}`]),
    ...(saved.schedule === now.schedule ? [] : [`the schedule or a mechanism of ${now.cell}`]),
    ...names
      .filter((name) => saved.personas[name] !== now.personas[name])
      .map((name) => `the persona ${name}`),
    ...(saved.programs === now.programs ? [] : ["the folder of programs"]),
  ];
};

const namesOf = ({ measures }: DecisiveManifest) => measures.map(({ name }) => name);

const pointsOf = ({ cells }: DecisiveManifest) => [
  ...new Set(cells.map(({ factors }) => JSON.stringify(factors))),
];

export const manifestHash = (manifest: Manifest): string => sha256(canonicalText(manifest));

/** The text of `manifest.json`: what decides the results, and what they were. */
export const manifestText = (
  manifest: Manifest,
  runs: readonly (RunRow & { readonly digest: string | null })[],
): string => {
  const results = runs.map(({ id, status, digest, journal_hash, state_hash, figures }) => {
    return { id, status, digest, journal_hash, state_hash, figures };
  });
  const hashes = {
    manifest_hash: manifestHash(manifest),
    results_hash: sha256(canonicalText(results)),
  };
  return `${JSON.stringify({ ...hashes, ...manifest, runs: results }, null, 2)}\n`;
};

const savedManifest = decisiveManifest.extend({
  runs: z.array(z.object({ id: z.string(), digest: z.string().nullable() })),
});

/** Compares the results of an experiment with the text of a `manifest.json`. */
export const compareManifests = (
  text: string,
  manifest: Manifest,
  runs: readonly { readonly id: string; readonly digest: string | null }[],
) => {
  const read = savedManifest.safeParse(jsonIn(text));
  if (!read.success) {
    return { ok: false, problem: "is not the manifest.json of an experiment" } as const;
  }
  const saved = new Map(read.data.runs.map(({ id, digest }) => [id, digest]));
  const shared = runs.filter(({ id }) => saved.has(id));
  const different = shared.filter(({ id, digest }) => saved.get(id) !== digest);
  return {
    ok: true,
    /** What decides the results and differs, such as `a setting of burn`. */
    changes: changesSince(read.data, manifest),
    /** The number of runs with the same figures, and the ids of those with other figures. */
    same: shared.length - different.length,
    different: different.map(({ id }) => id),
    /** The number of runs that only the saved manifest has, and of those that it lacks. */
    notMade: saved.size - shared.length,
    notSaved: runs.length - shared.length,
  } as const;
};

/** Settings without those that do not change what happens in a run. */
const settingsOf = ({ run, agents, checkpoint: _c, dashboard: _d, ...config }: Config) => {
  const { seed: _seed, ...others } = run;
  const { dir: _dir, ...kept } = agents;
  // Schedules and mechanisms are hashed with their files: their paths differ between machines.
  return { ...config, run: others, agents: kept, schedule: [], mechanisms: {} };
};

const canonicalText = (value: unknown): string => canonical(decodeJson(JSON.stringify(value)));

/** A hash of the folder of a persona, its workspace, and the files that its modules import. */
const personaHash = (
  { folder, modules, workspace }: Persona,
  hashOfFolder: (folder: string) => string,
): string => {
  const imported = modules.flatMap(({ files }) => files.map(({ text }) => text));
  const texts = workspace === null ? imported : [workspace, ...imported];
  return sha256([hashOfFolder(folder), ...texts.map((text) => sha256(text))].join("\n"));
};

const folderHash = (folder: string): string => {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.includes("node_modules"))
    .toSorted();
  return sha256(
    files.map((path) => `${relative(folder, path)} ${sha256(readFileSync(path))}`).join("\n"),
  );
};
