import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf } from "../kernel/index.ts";
import { errorCode, isCheckpointName, makeFolders, RunLock, whyNot } from "../world/index.ts";
import { type Config, renderConfig } from "./config/index.ts";
import type { Persona } from "./persona/index.ts";
import { replaceFile } from "./replace-file.ts";
import { runPaths } from "./run-paths.ts";

/** The folder of one run, held by this process alone. */
export type RunDirectory = {
  readonly runId: string;
  readonly folder: string;
  readonly lock: RunLock;
};

export type Made =
  | { readonly ok: true; readonly directory: RunDirectory }
  | {
      readonly ok: false;
      readonly problem: string;
      /** True where the name is wrong, and false where the disk is. */
      readonly mistaken: boolean;
    };

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** `YYYYMMDD-HHMMSS-<4 letters>`, in universal time. `roll` gives a number in [0, 1). */
export const newRunId = (now: Date, roll: () => number): string => {
  const [day = "", time = ""] = now
    .toISOString()
    .replace(/\.\d+Z$/, "")
    .split("T");
  const letters = Array.from({ length: 4 }, letterOf(roll));
  return `${day.replaceAll("-", "")}-${time.replaceAll(":", "")}-${letters.join("")}`;
};

const letterOf = (roll: () => number) => (): string =>
  String.fromCharCode(97 + Math.floor(roll() * 26));

export type RunContents = {
  readonly out: string;
  readonly runId: string;
  readonly config: Config;
  readonly personas: readonly Persona[];
};

/** Makes the folder of a new run and keeps in it the configuration and the personas as used. */
export const makeRunDirectory = (contents: RunContents): Made => {
  const { out, runId, config, personas } = contents;
  if (!NAME.test(runId)) {
    const rule = "use letters, digits, _ . - and begin with a letter or digit";
    return misnamed(`--name "${runId}" cannot name a run: ${rule}`);
  }
  if (runId === "latest") {
    return misnamed('--name "latest" stands for the newest run; choose another');
  }
  const folder = join(out, runId);
  try {
    makeFolders(out);
    // Fails when it is there: of two processes that want one name, one gets it.
    mkdirSync(folder);
  } catch (error) {
    if (errorCode(error) !== "EEXIST" || !existsSync(folder)) return unwritable(folder, error);
    return misnamed(`${folder} is there already; choose another --name`);
  }
  try {
    const { agents, config: file } = runPaths(folder);
    mkdirSync(agents);
    writeFileSync(file, renderConfig(config));
    for (const persona of personas) {
      const copy = join(agents, basename(persona.folder));
      cpSync(persona.folder, copy, { recursive: true });
    }
  } catch (error) {
    discard(folder);
    // What was to be copied may be at fault, and only the system's own words name it.
    return {
      ok: false,
      problem: `cannot write the run to ${folder}: ${messageOf(error)}`,
      mistaken: false,
    };
  }
  const taken = RunLock.take(folder);
  if (taken.ok) return { ok: true, directory: { runId, folder, lock: taken.lock } };
  discard(folder);
  return { ...taken, mistaken: false };
};

const misnamed = (problem: string): Made => ({ ok: false, problem, mistaken: true });

const unwritable = (folder: string, error: unknown): Made => ({
  ok: false,
  problem: unwritten(folder, error),
  mistaken: false,
});

/** Keeps another configuration of a run, whole or not at all. Returns the trouble, or null. */
export const keepConfig = (folder: string, config: Config): string | null =>
  replaceFile(runPaths(folder).config, renderConfig(config));

/**
 * Whether a folder holds checkpoint files. Whatever else keeps it from being read will be told by
 * who writes there.
 */
export const holdsCheckpoints = (folder: string): boolean => {
  try {
    return readdirSync(folder).some(isCheckpointName);
  } catch {
    return false;
  }
};

/** Takes back a folder in which no run has begun, so that its name is free again. */
export const discard = (folder: string): void => rmSync(folder, { recursive: true, force: true });

const unwritten = (folder: string, error: unknown): string => {
  const code = errorCode(error);
  const why = code === "EEXIST" ? "a link to nothing is in its way" : whyNot(code);
  return `cannot write the run to ${folder}: ${why}`;
};
