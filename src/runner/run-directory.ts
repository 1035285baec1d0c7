import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { RunLock } from "../world/index.ts";
import { type Config, renderConfig } from "./config/index.ts";
import type { Persona } from "./persona/index.ts";

/** The folder of one run, held by this process alone. */
export type RunDirectory = {
  readonly runId: string;
  readonly folder: string;
  readonly lock: RunLock;
};

export type Made =
  | { readonly ok: true; readonly directory: RunDirectory }
  | { readonly ok: false; readonly problem: string };

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
    const problem = `"${runId}" cannot name a run: ${rule}`;
    return { ok: false, problem };
  }
  const folder = join(out, runId);
  if (existsSync(folder)) {
    return { ok: false, problem: `${folder} is there already; choose another --name` };
  }
  try {
    mkdirSync(join(folder, "agents"), { recursive: true });
    writeFileSync(join(folder, "config.yaml"), renderConfig(config));
    for (const persona of personas) {
      const copy = join(folder, "agents", basename(persona.folder));
      cpSync(persona.folder, copy, { recursive: true });
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: `cannot write the run to ${folder}: ${why}` };
  }
  const taken = RunLock.take(folder);
  if (!taken.ok) return taken;
  return { ok: true, directory: { runId, folder, lock: taken.lock } };
};
