import type { State } from "../../kernel/index.ts";
import type { Environment } from "../../model/index.ts";
import { listed } from "../../text/index.ts";
import { missingPython } from "../../tools/kinds.ts";
import type { Config, Problem } from "../config/index.ts";
import { readableAgentsIn } from "../minds/agent-config.ts";
import { KINDS, kindOf } from "../minds/kinds.ts";
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
  readableAgentsIn(state).flatMap(({ id, kind, config }) =>
    (kind.pythonSetting?.(config) ?? null) === null ? [] : [id],
  );

/** What follows a name: why it cannot run in simulated time. */
export const NEEDS_REAL_TIME = "which needs real time; add --clock wall";

/** Why personas whose minds are programs of this machine cannot run in this run. */
export const realTimeProblems = (
  { run }: Pick<Config, "run">,
  personas: readonly Persona[],
): readonly string[] => {
  const users = personas.filter(({ mind }) => kindOf(mind)?.needsRealTime);
  const [first] = users;
  if (run.clock !== "virtual" || first === undefined) return [];
  const ids = users.map(({ id }) => id);
  const who = `${listed(ids, AGENTS_SHOWN)} ${ids.length === 1 ? "has" : "have"} mind: ${first.mind}`;
  return [`${who}, ${NEEDS_REAL_TIME}`];
};

/** Notes of kinds of minds for the operator, such as which agents may do more than others. */
export const kindNotes = (state: State): readonly string[] => {
  const agents = readableAgentsIn(state);
  return KINDS.flatMap((kind) => {
    const { note } = kind;
    if (note === undefined) return [];
    const ids = agents
      .filter((agent) => agent.kind === kind && note.applies(agent.config))
      .map(({ id }) => id);
    return ids.length === 0 ? [] : [note.says(listed(ids, AGENTS_SHOWN))];
  });
};
