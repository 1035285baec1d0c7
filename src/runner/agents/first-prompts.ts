import {
  asId,
  emptyState,
  parseAction,
  VIEW_BOUNDS,
  type View,
  viewOf,
} from "../../kernel/index.ts";
import {
  callsNeeded,
  type Evaluate,
  isModelMind,
  loadUserMind,
  moduleMind,
  previewOf,
  readAgentConfig,
  readStoredConfig,
  settingsOf,
  type Thought,
} from "../../mind/index.ts";
import {
  actionsGuide,
  openingRequests,
  type Sandbox,
  sandboxFor,
  World,
} from "../../world/index.ts";
import { type Config, type Problem, physicsFor } from "../config/index.ts";
import type { Persona } from "../persona/persona.ts";
import { agentProblem, mindPartsFor } from "./agent-minds.ts";
import { evaluatorIn } from "./expression-evaluator.ts";
import { llmDefaultsOf } from "./model-users.ts";
import { createAgents, newcomersOf } from "./newcomers.ts";

export type FirstPrompt = Awaited<ReturnType<typeof firstPromptOf>>[number];

/** The first prompts, built in a temporary world. Omits personas without a language model. */
export const firstPrompts = async (config: Config, personas: readonly Persona[]) =>
  await inFirstWorld(config, personas, (persona, seen) => firstPromptOf(config, persona, seen));

/**
 * Asks each mind that is a module for a first decision, in a temporary world. Returns a problem for
 * each persona whose module fails, or whose action the world refuses. Asks one agent of each
 * population.
 */
export const moduleTrials = async (config: Config, personas: readonly Persona[]) => {
  const isTried = ({ module, population }: Persona, at: number): boolean =>
    module !== null && personas.findIndex((other) => other.population === population) === at;
  const tried = personas.filter(isTried);
  if (tried.length === 0) return [];
  return await inFirstWorld(config, tried, (persona, { view }) => trialOf(config, persona, view));
};

const trialOf = (config: Config, persona: Persona, view: View): readonly Problem[] => {
  const read = readStoredConfig(persona.content);
  const loaded = loadUserMind(persona.module?.path ?? "");
  if (!read.ok || read.config.mind !== "module" || !loaded.ok) return [];
  const { settings = {} } = read.config;
  const agent = { id: persona.id, module: loaded.module, settings };
  const thought = moduleMind(agent, mindPartsFor(config, "")).decide(view, NO_SIGNAL);
  const problem = thought instanceof Promise ? null : problemOfThought(config, thought);
  return problem === null ? [] : [{ ...persona.place, message: problem, hint: null }];
};

const NO_SIGNAL = new AbortController().signal;

const problemOfThought = (config: Config, thought: Thought): string | null => {
  if (thought.kind === "failed") return `its first decision fails: ${thought.message}`;
  if (thought.kind === "finished") return null;
  const parsed = parseAction(thought.action, config.artifacts.json_depth_max);
  if (parsed.kind !== "refused") return null;
  return `the world refuses its first action: ${parsed.refusal.message}`;
};

type FirstView = { readonly view: View; readonly evaluator: () => Evaluate };

const inFirstWorld = async <Found>(
  config: Config,
  personas: readonly Persona[],
  use: (persona: Persona, seen: FirstView) => readonly Found[] | Promise<readonly Found[]>,
): Promise<readonly Found[]> => {
  const physics = physicsFor(config);
  const sandbox: Sandbox = sandboxFor(physics);
  const world = new World({
    state: emptyState(),
    journal: { append: () => {} },
    sandbox,
    agentProblem,
    checkEvery: config.checks.invariants_every,
  });
  for (const request of openingRequests(physics)) world.submit(request);
  createAgents(world, newcomersOf(config, personas), 0);
  const evaluator = evaluatorIn(sandbox, physics);
  const prompts = personas.map((persona) => {
    const view = viewOf(world.state, asId(persona.id), { now: 0, bounds: VIEW_BOUNDS });
    return use(persona, { view, evaluator });
  });
  const found = (await Promise.all(prompts)).flat();
  await sandbox.close();
  return found;
};

const firstPromptOf = async (config: Config, persona: Persona, { view, evaluator }: FirstView) => {
  const read = readAgentConfig(persona.content);
  if (!read.ok || !isModelMind(read.config.mind)) return [];
  const settings = settingsOf(read.config, llmDefaultsOf(config));
  const { workflow } = read.config;
  const parts = {
    actionsGuide: actionsGuide(),
    sleepMaxS: config.agent.loop.sleep_max_s,
    jsonDepthMax: config.artifacts.json_depth_max,
    evaluator,
    memory: null,
    warn: () => {},
  };
  const moment = { view, signal: new AbortController().signal };
  const { prompt, steps } = await previewOf({ settings, workflow }, parts, moment);
  const callsPerThought = workflow === undefined ? 1 : callsNeeded({ settings, workflow });
  return [{ persona, settings, prompt, steps, callsPerThought }];
};
