import { asId, emptyState, must, VIEW_BOUNDS, type View, viewOf } from "../../kernel/index.ts";
import {
  type MindParts,
  type ModuleFault,
  type ModuleHost,
  ModuleThread,
  type PreviewParts,
} from "../../mind/index.ts";
import { pricingFrom } from "../../model/index.ts";
import { actionsGuide, openingRequests, sandboxFor, World } from "../../world/index.ts";
import { type Config, physicsFor } from "../config/index.ts";
import { readAgent } from "../minds/agent-config.ts";
import { createAgents, newcomersOf } from "../persona/newcomers.ts";
import type { Persona } from "../persona/persona.ts";
import { agentProblem } from "./agent-minds.ts";
import { llmDefaultsOf } from "./model-users.ts";

export type FirstPrompt = Awaited<ReturnType<typeof firstPromptOf>>[number];

/** The first prompts, built in a temporary world. Omits personas without a language model. */
export const firstPrompts = async (config: Config, personas: readonly Persona[]) =>
  await inFirstWorld(config, personas, (persona, seen) => firstPromptOf(config, persona, seen));

/** Returns a getter of the modules of a persona, which have been loaded before without a fault. */
export const modulesOfPersona =
  ({ modules }: Pick<Persona, "modules">, host: ModuleHost): MindParts["moduleNamed"] =>
  (name, role) => {
    const { path } = must(
      modules.find((module) => module.name === name),
      `a persona must have its modules: ${name}`,
    );
    const read = host.load(path, role);
    return must(read.ok ? read.module : null, `a module of a persona must load: ${path}`);
  };

/** What a prompt is made of besides its agent and the world. */
export const promptPartsOf = (config: Config): Omit<PreviewParts["llm"], "memory"> => ({
  defaults: llmDefaultsOf(config),
  pricing: pricingFrom(config.llm.pricing, config.llm.default_pricing),
  actionsGuide: actionsGuide(),
  sleepMaxS: config.agent.loop.sleep_max_s,
  jsonDepthMax: config.artifacts.json_depth_max,
});

export type FirstView = { readonly view: View } & Pick<PreviewParts, "sandbox" | "physics">;

/** Calls `use` with what each persona sees at the start of a temporary world. */
export const inFirstWorld = async <Found>(
  config: Config,
  personas: readonly Persona[],
  use: (persona: Persona, seen: FirstView) => readonly Found[] | Promise<readonly Found[]>,
): Promise<readonly Found[]> => {
  const physics = physicsFor(config);
  const sandbox = sandboxFor(physics);
  const world = new World({
    state: emptyState(),
    journal: { append: () => {} },
    sandbox,
    agentProblem,
    checkEvery: config.checks.invariants_every,
  });
  for (const request of openingRequests(physics)) world.submit(request);
  createAgents(world, newcomersOf(config, personas), 0);
  const prompts = personas.map((persona) => {
    const view = { ...viewOf(world.state, asId(persona.id), { now: 0, bounds: VIEW_BOUNDS }) };
    return use(persona, { view, sandbox, physics });
  });
  const found = (await Promise.all(prompts)).flat();
  await sandbox.close();
  return found;
};

export const firstPromptOf = async (
  config: Config,
  persona: Persona,
  {
    view,
    warn = () => {},
    ...parts
  }: FirstView & { readonly warn?: (text: string, at?: ModuleFault) => void },
) => {
  const read = readAgent(persona.content);
  const loaded = read.ok && read.kind.cost === "models" ? await read.kind.load() : null;
  if (!read.ok || loaded === null || loaded.preview === null) return [];
  const modules = new ModuleThread(config.timeouts.module_s);
  const preview = await loaded.preview(
    { own: { id: persona.id, values: persona.terms.values ?? {} }, config: read.config },
    {
      ...parts,
      seed: config.run.seed,
      moduleNamed: modulesOfPersona(persona, modules),
      warn,
      llm: { ...promptPartsOf(config), memory: null },
    },
    { view, signal: new AbortController().signal },
  );
  modules.close();
  return [{ persona, ...preview }];
};
