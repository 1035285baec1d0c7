import type { State } from "../../kernel/index.ts";
import type { Environment } from "../../model/index.ts";
import { listed } from "../../text/index.ts";
import { missingPython } from "../../tools/index.ts";
import type { Config, Problem } from "../config/index.ts";
import { needsPython, readStoredConfig } from "../minds/agent-config.ts";
import { agentContents } from "../minds/agent-contents.ts";
import type { Persona } from "./persona.ts";

const ALLOW = "set tools.python: true in the configuration of the run, or choose javascript";
const INSTALL = "install Python 3.8 or later, or choose javascript";

const NOT_ALLOWED =
  "`tools.language`: python is not allowed, because its scripts run on this machine, outside the " +
  "sandbox";

/** Returns a problem for each persona that needs Python, if it cannot run in this run. */
export const pythonProblems = (
  { tools }: Pick<Config, "tools">,
  personas: readonly Persona[],
  env: Environment,
): readonly Problem[] => {
  const users = personas.filter(({ python }) => python !== null);
  if (users.length === 0) return [];
  const missing = tools.python ? missingPython(env) : null;
  if (tools.python && missing === null) return [];
  const message = missing === null ? NOT_ALLOWED : `\`tools.language\`: ${missing}`;
  const hint = missing === null ? ALLOW : INSTALL;
  const byPopulation = new Map(users.map(({ population, python }) => [population, python]));
  return [...byPopulation.values()].flatMap((place) =>
    place === null ? [] : [{ ...place, message, hint }],
  );
};

type World = {
  /** The state that the run starts with, or null for a new world. */
  readonly state: State | null;
  readonly env: Environment;
};

const AGENTS_SHOWN = 5;

/**
 * Notes for the operator at the start of a run: that it runs Python, and which of its agents need
 * Python and cannot have it. Such agents do not stop a run, because they can change themselves.
 */
export const pythonNotes = (
  { tools }: Pick<Config, "tools">,
  { state, env }: World,
): readonly string[] => {
  const users = state === null ? [] : usersIn(state);
  const missing = tools.python && users.length > 0 ? missingPython(env) : null;
  const isUnusable = users.length > 0 && (!tools.python || missing !== null);
  const names = listed(users, AGENTS_SHOWN);
  const why = missing ?? "tools.python is false in the configuration of the run";
  return [
    ...(tools.python ? [OUTSIDE] : []),
    ...(isUnusable ? [`scripts of these agents will fail: ${names}; ${why}`] : []),
  ];
};

const OUTSIDE =
  "agents may run Python on this machine, outside the sandbox (tools.python: true); " +
  "such a run does not repeat by itself from its seed";

const usersIn = (state: State): readonly string[] =>
  agentContents(state).flatMap(({ id, content }) => {
    const read = readStoredConfig(content);
    return read.ok && needsPython(read.config) ? [id] : [];
  });

/** What follows a name: why it cannot run in simulated time. */
export const NEEDS_REAL_TIME = "which needs real time; add --clock wall";

/** Why the coding agents among the personas cannot run in this run. Empty if all can. */
export const cliProblems = (
  { run }: Pick<Config, "run">,
  personas: readonly Persona[],
): readonly string[] => {
  const users = personas.filter(({ mind }) => mind === "cli").map(({ id }) => id);
  if (run.clock !== "virtual" || users.length === 0) return [];
  const who = `${listed(users, AGENTS_SHOWN)} ${users.length === 1 ? "has" : "have"} mind: cli`;
  return [`${who}, ${NEEDS_REAL_TIME}`];
};

/** Notes for the operator: which coding agents act without asking for permission. */
export const cliNotes = (state: State): readonly string[] => {
  const unsafe = agentContents(state)
    .filter(isUnsafe)
    .map(({ id }) => id);
  if (unsafe.length === 0) return [];
  const names = listed(unsafe, AGENTS_SHOWN);
  return [`cli.unsafe: ${names} can do on this machine what you can, without asking`];
};

const isUnsafe = ({ content }: { readonly content: string }): boolean => {
  const read = readStoredConfig(content);
  return read.ok && read.config.mind === "cli" && read.config.cli?.unsafe === true;
};
