import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { errorMessage, jsonIn } from "../../kernel/index.ts";
import { errorCode, isCheckpointName, makeFolders, RunLock, whyNot } from "../../world/index.ts";
import { type Config, readPlainText, renderConfig } from "../config/index.ts";
import type { Persona } from "../persona/persona.ts";
import { writeModule } from "./run-modules.ts";

/** The directory of one run. This process has locked the directory. */
export type RunDirectory = {
  readonly runId: string;
  readonly folder: string;
  readonly lock: RunLock;
};

/** The name of the copy of a library of programs, in the folder of a run and in its settings. */
export const LIBRARY = "library";

export const runPaths = (folder: string) => ({
  journal: join(folder, "journal.db"),
  /** The resolved configuration. */
  config: join(folder, "config.yaml"),
  /** Facts about the run. Other processes can read this file without opening the journal. */
  run: join(folder, "run.json"),
  /** The address of the control channel, while a process runs the simulation with one. */
  control: join(folder, "control.json"),
  /** What the user of this machine lets the run cause outside of its folder, signed. */
  trust: join(folder, "trust.json"),
  /** The tokens of the seats. Only the user of the run can read this file. */
  seats: join(folder, "seats.json"),
  /** The folder with copies of the personas that the run started with. */
  agents: join(folder, "agents"),
  /** The folder with copies of the modules of the run: minds and plugins. */
  modules: join(folder, "modules"),
  /** The folder with a copy of the programs of `policy.library`. */
  library: join(folder, LIBRARY),
});

/** The beginnings of the names of all files and folders that a run makes in its folder. */
const OWN_NAMES = [
  "journal.db",
  "config.yaml",
  "run.json",
  "run.lock",
  "control.json",
  "seats.json",
  "trust.json",
  "memory.db",
  "mem0",
];
const OWN_FOLDERS = ["agents", "modules", LIBRARY, "turns"];

/** True for the name of a file or a folder that a run makes in its folder. */
export const isOfRun = (name: string): boolean =>
  OWN_FOLDERS.includes(name) || OWN_NAMES.some((own) => name.startsWith(own));

/** Says that a run has lost its copy of the library. Null if the copy exists. */
export const missingLibrary = (folder: string): string | null => {
  const { library } = runPaths(folder);
  if (existsSync(library)) return null;
  const what = "the library of programs of this run";
  const cure = "copy it there, or fork with --set policy.library=DIR";
  return `${library} is missing: it is ${what}; ${cure}`;
};

/** Returns an id `YYYYMMDD-HHMMSS-<4 letters>` in UTC. `roll` must return a number in [0, 1). */
export const newRunId = (now: Date, roll: () => number): string => {
  const [second = ""] = now.toISOString().split(".");
  const letter = (): string => String.fromCharCode(97 + Math.floor(roll() * 26));
  const letters = Array.from({ length: 4 }, letter);
  return `${second.replaceAll(/[-:]/g, "").replace("T", "-")}-${letters.join("")}`;
};

/** Why a run cannot start. `isUsersMistake` is true if the user's request is the cause. */
export type LaunchFailure = {
  readonly ok: false;
  readonly problems: readonly string[];
  readonly isUsersMistake: boolean;
  /** What the run would cause outside of its folder, if it lacks the user's trust for it. */
  readonly untrusted?: readonly string[];
};

export const failed = (problem: string): LaunchFailure => {
  return { ok: false, problems: [problem], isUsersMistake: false };
};

export const usersMistake = (...problems: readonly string[]): LaunchFailure => {
  return { ok: false, problems, isUsersMistake: true };
};

type Made = { readonly ok: true; readonly directory: RunDirectory } | LaunchFailure;

/** The id of a run, which is the name of its folder. */
export const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

type RunContents = {
  readonly out: string;
  readonly runId: string;
  readonly config: Config;
  readonly personas: readonly Persona[];
  /** The folder of the programs of policies, which the run copies if it is not the shipped one. */
  readonly programsFolder: string;
};

/** Creates the directory of a new run, with the configuration and copies of the personas. */
export const makeRunDirectory = (contents: RunContents): Made => {
  const { out, runId } = contents;
  if (!RUN_ID.test(runId)) {
    const rule = "use at most 64 letters, digits, _ . - and start with a letter or digit";
    return usersMistake(`--name "${runId}" is not a valid run id: ${rule}`);
  }
  if (runId === "latest") {
    return usersMistake('--name "latest" is reserved for the newest run; choose another');
  }
  const folder = join(out, runId);
  try {
    makeFolders(out);
    // `mkdirSync` fails if the folder exists, so two runs cannot have the same folder.
    mkdirSync(folder);
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST" && existsSync(folder)) {
      return usersMistake(`${folder} already exists; choose another --name`);
    }
    const why = code === "EEXIST" ? "it is a broken link" : whyNot(code);
    return failed(`${unwritable(folder)}: ${why}`);
  }
  try {
    fill(folder, contents);
  } catch (error) {
    discard(folder);
    // Uses the message of the system, because only this message names the source of a failed copy.
    return failed(`${unwritable(folder)}: ${errorMessage(error)}`);
  }
  const taken = RunLock.take(folder);
  if (taken.ok) return { ok: true, directory: { runId, folder, lock: taken.lock } };
  discard(folder);
  return failed(taken.problem);
};

const fill = (folder: string, { config, personas, programsFolder }: RunContents): void => {
  const { agents, config: file, library, modules: copies } = runPaths(folder);
  mkdirSync(agents);
  writeFileSync(file, renderConfig(config));
  const folders = [...new Set(personas.map((persona) => persona.folder))];
  for (const [at, source] of folders.entries()) {
    const name = basename(source);
    // Folders of the same name come from different `--agents`.
    const isTaken = folders.slice(0, at).some((other) => basename(other) === name);
    cpSync(source, join(agents, isTaken ? `${name}-${at + 1}` : name), { recursive: true });
  }
  if (config.policy.library !== null) cpSync(programsFolder, library, { recursive: true });
  const modules = personas.flatMap((persona) => persona.modules);
  for (const module of new Set(modules)) writeModule(copies, module);
};

const unwritable = (folder: string): string => `cannot write the run to ${folder}`;

/** Removes the directory of a run that did not start, so that a new run can use the same name. */
export const discard = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** False also for an unreadable folder: writing a checkpoint to it will report that error. */
export const holdsCheckpoints = (folder: string): boolean => {
  try {
    return readdirSync(folder).some(isCheckpointName);
  } catch {
    return false;
  }
};

export const writeConfig = (folder: string, config: Config): string | null =>
  replaceFile(runPaths(folder).config, renderConfig(config));

export const runFileSchema = z.looseObject({
  run_id: z.string(),
  status: z.enum(["running", "finished", "failed"]),
  started_at: z.iso.datetime(),
  labels: z.array(z.string()).default([]),
  /** The settings that differ from the shipped ones, by dotted key. */
  changed: z.record(z.string(), z.unknown()).default({}),
  seed: z.int().default(0),
  clock: z.enum(["wall", "virtual"]).default("virtual"),
  version: z.string().default(""),
  engine: z.string().default(""),
  horizon_ms: z.number().default(0),
  stopped_by: z.string().nullable().default(null),
  /** The run time at the start of the run: 0, or the run time of the forked state. */
  from_s: z.number().default(0),
  duration_s: z.number(),
  /** The number of events of this run, without the events of its parent. */
  events: z.int(),
  /** The run from which this run was forked. `parent_seq` is the last event before the fork. */
  parent: z.string().nullable(),
  parent_seq: z.int().nullable().default(null),
});

export type RunFile = z.infer<typeof runFileSchema> & { readonly pid: number };

export const writeRunFile = (folder: string, run: RunFile): string | null =>
  replaceFile(runPaths(folder).run, `${JSON.stringify(run, null, 2)}\n`);

const controlFileSchema = z.looseObject({
  /** The path of a unix domain socket, or the name of a pipe on Windows. */
  address: z.string(),
});

type ControlFile = z.infer<typeof controlFileSchema>;

/** Writes the file so that only this user can read it. */
export const writeControlFile = (folder: string, control: ControlFile): string | null =>
  replaceFile(runPaths(folder).control, `${JSON.stringify(control)}\n`, 0o600);

/** Returns null if the file is missing or unreadable. */
export const readControlFile = (folder: string): ControlFile | null => {
  try {
    const read = readPlainText(runPaths(folder).control);
    return read.ok ? (controlFileSchema.safeParse(jsonIn(read.text)).data ?? null) : null;
  } catch {
    return null;
  }
};

/** Replaces a file atomically. Returns why the file could not be replaced, or null on success. */
export const replaceFile = (path: string, text: string, mode = 0o666): string | null => {
  const draft = `${path}.new`;
  try {
    // What a killed process has left, or a link that somebody else has put there.
    rmSync(draft, { force: true });
    writeFileSync(draft, text, { mode, flag: "wx" });
    renameSync(draft, path);
    return null;
  } catch (error) {
    rmSync(draft, { force: true });
    return `cannot write ${path}: ${errorMessage(error)}`;
  }
};
