import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseAction, type View } from "../../kernel/index.ts";
import {
  askModule,
  type ModuleAnswer,
  type ModuleConfig,
  type ModuleFault,
  type ModuleHost,
  ModuleThread,
} from "../../mind/index.ts";
import { type Config, type Problem, problemOf } from "../config/index.ts";
import { readAgent } from "../minds/agent-config.ts";
import { moduleProblem } from "../persona/load-personas.ts";
import type { Persona } from "../persona/persona.ts";
import { type FirstView, firstPromptOf, inFirstWorld } from "./first-prompts.ts";

/** What is wrong with the modules of personas, and what may be wrong. */
type Trials = { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] };

const NONE: Trials = { problems: [], warnings: [] };

/**
 * Asks each mind that is a module for a first decision, in a temporary world. Returns a problem for
 * each persona whose module fails, or whose action the world refuses. Asks one agent of each
 * population, and asks it twice, because the same question must have the same answer.
 */
export const moduleTrials = async (
  config: Config,
  personas: readonly Persona[],
): Promise<Trials> => {
  const isTried = ({ modules, population }: Persona, at: number): boolean =>
    modules.length > 0 && personas.findIndex((other) => other.population === population) === at;
  const tried = personas.filter(isTried);
  if (tried.length === 0) return NONE;
  const modules = new ModuleThread(config.timeouts.module_s);
  const trials = await inFirstWorld(config, tried, async (persona, seen) => [
    persona.modules.some(({ role }) => role === "mind")
      ? trialOf(persona, { config, modules, view: seen.view })
      : await pluginTrial(config, persona, seen),
  ]);
  modules.close();
  return {
    problems: trials.flatMap(({ problems }) => problems),
    warnings: trials.flatMap(({ warnings }) => warnings),
  };
};

type TrialParts = { readonly config: Config; readonly modules: ModuleHost; readonly view: View };

const trialOf = (persona: Persona, { config, modules, view }: TrialParts): Trials => {
  const read = readAgent(persona.content);
  const path = persona.modules[0]?.path ?? "";
  const loaded = modules.load(path);
  if (!read.ok || !loaded.ok) return NONE;
  const { id } = persona;
  const { module } = loaded;
  const agent = { id, module, settings: (read.config as ModuleConfig).settings ?? {} };
  const ask = (): ModuleAnswer => askModule(agent, { view, seed: config.run.seed });
  const first = ask();
  const second = first.read.ok ? ask() : null;
  const notes = [...first.notes, ...(second?.notes ?? [])];
  const warnings = notes.map((note) => moduleProblem(path, note));
  const failed = [first, second].flatMap((each) =>
    each === null || each.read.ok ? [] : [each.read.fault],
  );
  const problems = failed.map((fault): Problem => {
    const message = `the first decision of ${id} fails: ${fault.message}`;
    return moduleProblem(path, { ...fault, message });
  });
  if (!first.read.ok || second?.read.ok !== true) return { problems, warnings };
  const atDecide = (message: string): Problem => moduleProblem(path, { ...module.at, message });
  const parsed = parseAction(first.read.decision.action, config.artifacts.json_depth_max);
  if (parsed.kind === "refused") {
    const message = `the world refuses the first action of ${id}: ${parsed.refusal.message}`;
    return { problems: [atDecide(message)], warnings };
  }
  const isSame = isDeepStrictEqual(first.read.decision, second.read.decision);
  return { problems, warnings: isSame || notes.length > 0 ? warnings : [atDecide(CHANGES)] };
};

/** Asks the plugins of a persona for what they add to its first prompt. */
const pluginTrial = async (config: Config, persona: Persona, seen: FirstView): Promise<Trials> => {
  const problems: Problem[] = [];
  const warn = (message: string, at?: ModuleFault): void => {
    const [first] = persona.modules;
    const module = persona.modules.find(({ path }) => basename(path) === at?.file) ?? first;
    const yaml = join(persona.folder, "agent.yaml");
    problems.push(
      at === undefined || module === undefined
        ? problemOf(yaml, message)
        : moduleProblem(module.path, { ...at, message }),
    );
  };
  await firstPromptOf(config, persona, { ...seen, warn });
  return { problems, warnings: [] };
};

const CHANGES =
  "decide returned two decisions for the same argument, so runs do not repeat; " +
  "keep values in `memory`, not in variables, and use `random`";
