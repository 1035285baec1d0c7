import { absentGenesis, type State } from "../../kernel/index.ts";
import type { Journal } from "../../world/index.ts";
import { modelProblems, modelUsersIn } from "../agents/model-users.ts";
import { showProblem } from "../config/index.ts";
import type { PreparedRun, SettledConfig } from "../core/run-plan.ts";
import { actionsIn } from "../course/stop-rule.ts";
import { forkProblems } from "../mechanisms/install-mechanisms.ts";
import { pythonProblems, realTimeProblems } from "../persona/host-programs.ts";
import type { Persona } from "../persona/persona.ts";
import { mentionProblems } from "../schedule/mentions.ts";
import { lateEntry, physicsWith, scheduleOf } from "../schedule/plan.ts";

/** A run that could start, as the checks see it. */
export type Candidate = {
  readonly run: PreparedRun;
  readonly config: SettledConfig;
  readonly stopAtMs: number;
  /** The personas of the agents that join the world at the start, and of those that join later. */
  readonly personas: readonly Persona[];
  readonly later: readonly Persona[];
  /** The run time at which the run starts or continues. */
  readonly atMs: number;
  /** The world that continues. Null for a new world. */
  readonly continued: {
    /** What continues, in the words of the user: the id of a run, or its folder. */
    readonly name: string;
    /** A flag with which the user can start from an earlier state, or null. */
    readonly earlier: string | null;
    readonly state: State;
    /** The journal of a resumed run. Null for a fork. */
    readonly journal: Journal | null;
  } | null;
};

/** Returns one line for each problem. */
type Check = (candidate: Candidate) => readonly string[];

/** Why a run cannot start: the problems of the first check that finds any. */
export const requestProblems: Check = (candidate) => {
  for (const check of CHECKS) {
    const problems = check(candidate);
    if (problems.length > 0) return problems;
  }
  return [];
};

const horizon: Check = ({ continued, stopAtMs, atMs }) => {
  if (continued === null || stopAtMs > atMs) return [];
  const { name, earlier } = continued;
  const fix = "add --duration 300s for 300 s more";
  const or = earlier === null ? "" : `, or start from an earlier moment with ${earlier}`;
  return [`${name} has reached its horizon, ${atMs / 1000} s; ${fix}${or}`];
};

const schedule: Check = ({ run, config, continued, atMs }) => {
  if (continued === null) return [];
  const late = lateEntry(run, atMs);
  if (late !== null) return [late];
  // The run itself notes the entries that it skips.
  const { settings } = scheduleOf({ schedule: run.schedule }, continued.state, atMs);
  const physics = physicsWith(config, settings);
  return physics.ok ? [] : [`the settings of its schedule do not fit: ${physics.problem}`];
};

const scheduledNames: Check = ({ run, personas, later, continued, atMs }) =>
  mentionProblems(run.schedule.mentions, {
    personas,
    later,
    state: continued?.state ?? null,
    atMs,
  });

const genesis: Check = ({ config, continued }) =>
  continued === null
    ? []
    : absentGenesis(continued.state, config.genesis.enabled).map(
        (name) => `genesis.enabled: this world was created without ${name}; leave it out`,
      );

const mechanisms: Check = ({ run, continued }) =>
  continued === null ? [] : forkProblems(continued.state, run.schedule.mechanisms);

const python: Check = ({ run, config, personas, later }) =>
  pythonProblems(config, [...personas, ...later], run.env).map(showProblem);

const realTime: Check = ({ config, personas, later }) =>
  realTimeProblems(config, [...personas, ...later]);

const lastAction: Check = ({ config, continued }) => {
  const max = config.run.max_actions;
  if (max === null || continued?.journal == null) return [];
  const taken = actionsIn(continued.journal);
  if (taken < max) return [];
  const fix = `set --max-actions above ${taken}; it counts all actions of the run`;
  return [`${continued.name} has taken ${taken} actions; ${fix}`];
};

const models: Check = ({ run, config, personas, later, continued }) => {
  if (run.replay?.otherwise === "fail") return [];
  const present = continued === null ? [] : modelUsersIn(continued.state);
  const thinkers = [...personas, ...later, ...present];
  return modelProblems(config, { thinkers, env: run.env, isNewWorld: continued === null });
};

/** All checks of a request, in their order. Those of its files come when they are read. */
const CHECKS: readonly Check[] = [
  horizon,
  schedule,
  scheduledNames,
  genesis,
  mechanisms,
  python,
  realTime,
  lastAction,
  models,
];
