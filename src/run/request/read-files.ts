import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { loadLibrary, SHIPPED_TOPICS } from "../../policy/index.ts";
import {
  besideFile,
  type ConfigSources,
  type LoadedConfig,
  loadConfig,
  type OpenConfig,
  programsFolder,
  RunFailure,
  SHIPPED,
  SHIPPED_POPULATIONS,
  showProblem,
} from "../config/index.ts";
import { loadPersonas, type PersonaSource } from "../persona/load-personas.ts";
import type { Persona } from "../persona/persona.ts";

/** @throws RunFailure that lists every problem of the configuration. */
export const configFrom = (sources: ConfigSources): LoadedConfig => {
  const loaded = loadConfig(sources);
  if (!loaded.ok) throw new RunFailure(loaded.problems.map(showProblem));
  return loaded;
};

/** The name of a folder of personas next to a configuration file. */
export const AGENTS = "agents";

/**
 * The folders of the personas. A path in a configuration file is relative to the file, a path in a
 * flag to the current folder. If a folder does not exist, its name can be a shipped population.
 * Without a path: `agents` next to the file, else in the current folder, else the shipped one.
 */
export const agentsFolders = ({ config, origins, file }: OpenConfig): readonly string[] => {
  const dirs = [config.agents.dir].flat();
  const origin = origins.get("agents.dir");
  if (origin === "default") {
    const nextToFile = file === null ? [] : [join(dirname(file), AGENTS)];
    return [[...nextToFile, AGENTS].find((folder) => existsSync(folder)) ?? SHIPPED.agents];
  }
  return dirs.map((dir) => {
    const folder = origin === file ? besideFile(file, dir) : dir;
    if (existsSync(folder) || isAbsolute(dir)) return folder;
    return SHIPPED_POPULATIONS.get(relative("", dir)) ?? folder;
  });
};

/** Where the personas of a run come from. @throws RunFailure if the library is not valid. */
export const personaSource = (opened: OpenConfig): PersonaSource => {
  const { run, timeouts, resources } = opened.config;
  return {
    dirs: agentsFolders(opened),
    seed: run.seed,
    moduleS: timeouts.module_s,
    diskBytes: resources.stock.disk_bytes,
    topics: topicsIn(programsFolder(opened)),
  };
};

const topicsIn = (folder: string): readonly string[] => {
  if (folder === SHIPPED.programs) return SHIPPED_TOPICS;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new RunFailure(`policy.library: ${folder} is not a folder of programs`);
  }
  const topics = new Set(loadLibrary(folder).map(({ topic }) => topic));
  if (topics.size > 0) return [...topics];
  throw new RunFailure(`policy.library: ${folder} has no programs; write one at TOPIC/NAME.js`);
};

/** The personas that a run starts with. `note` gets their warnings. @throws RunFailure */
export const personasFor = (
  opened: OpenConfig,
  only: readonly string[],
  note: ((text: string) => void) | undefined,
): readonly Persona[] => {
  const loaded = loadPersonas({ ...personaSource(opened), only });
  if (!loaded.ok) throw new RunFailure(loaded.problems.map(showProblem));
  for (const warning of loaded.personas.flatMap(({ warnings }) => warnings)) {
    note?.(showProblem(warning));
  }
  return loaded.personas;
};
