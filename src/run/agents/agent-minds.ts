import { type Id, isObject, must } from "../../kernel/index.ts";
import { findingsOf, isModulePath, type Mind } from "../../mind/index.ts";
import { loadLibrary, type RecipeBook, recipeBookOf } from "../../policy/index.ts";
import { JsonCounter, type World } from "../../world/index.ts";
import type { Config } from "../config/index.ts";
import { agentConfigSchema, readAgentConfig, readStoredConfig } from "../minds/agent-config.ts";
import { type MindParts, mindFor } from "../minds/minds.ts";

/** Returns a getter of minds. The getter makes a new mind if the agent's artifact has changed. */
export const mindsOf = ({ state }: World, parts: MindParts): ((id: Id) => Mind) => {
  const made = new Map<Id, { readonly version: number; readonly mind: Mind }>();
  return (id) => {
    const { version, content } = must(
      state.artifacts.get(id),
      `an agent must be an artifact: ${id}`,
    );
    const known = made.get(id);
    if (known?.version === version) return known.mind;
    const agent = must(state.agents.get(id), `an agent must have a loop: ${id}`);
    const mind = mindFor(agent, storedConfig(content), parts);
    made.set(id, { version, mind });
    return mind;
  };
};

/** The configuration of an agent that is in a world. */
const storedConfig = (content: string): Parameters<typeof mindFor>[1] => {
  const read = readStoredConfig(content);
  return must(
    read.ok ? read.config : null,
    "the artifact of an agent must be a valid configuration",
  );
};

/** Resources that all minds of a run share. Programs are read when a policy first needs them. */
export const mindPartsFor = (
  config: Config,
  programsFolder: string,
): Omit<MindParts, "llm" | "moduleNamed" | "seats" | "turns"> => {
  const { policy, virtual, run } = config;
  let known: RecipeBook | null = null;
  return {
    seed: run.seed,
    recipeBook: () => {
      known ??= recipeBookOf(loadLibrary(programsFolder));
      return known;
    },
    policyPrice: { micros: policy.thought_micros, calls: 0, tokens: policy.thought_tokens },
    policyThinkMs: virtual.think_ms.policy,
    scriptThinkMs: virtual.think_ms.script,
  };
};

/** The maximum nesting. Reading scripts is recursive, so more nesting could overflow the stack. */
const DEPTH_MAX = 64;
const PROBLEMS_SHOWN = 3;

/** Returns why an agent cannot write this text as a configuration, or null if it can. */
export const agentProblem = (content: string): string | null => {
  if (nestingOf(content) > DEPTH_MAX) return `it is nested more than ${DEPTH_MAX} levels deep`;
  const read = readAgentConfig(content);
  if (read.ok) {
    if (read.config.mind === "seat") return FOREIGN_SEAT;
    if (read.config.mind === "cli") return FOREIGN_CLI;
    return read.config.plugins === undefined ? null : FOREIGN_PLUGINS;
  }
  if (read.error === null) return 'it is not JSON, such as {"mind":"policy/explorer"}';
  const mind = isObject(read.given) ? read.given.mind : null;
  if (mind === "module" || isModulePath(mind)) return FOREIGN_CODE;
  const found = findingsOf(read.error, { schema: agentConfigSchema, value: read.given });
  const said = found
    .slice(0, PROBLEMS_SHOWN)
    .map(({ message, hint }) => (hint === null ? message : `${message}; ${hint}`));
  const more = found.length - said.length;
  return `${said.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
};

const FOREIGN_PLUGINS =
  "only the personas of a run can have plugins, whose code runs outside the sandbox; " +
  "leave out `plugins`";

/** A seat can stop the virtual clock, so agents must not make one. */
const FOREIGN_SEAT =
  "`mind` must not be seat: only the personas of a run can be seats; " +
  'give another mind, such as {"mind":"policy/explorer"}';

const FOREIGN_CLI =
  "`mind` must not be cli: only the personas of a run can be programs of the host; " +
  'give another mind, such as {"mind":"policy/explorer"}';

const FOREIGN_CODE =
  "`mind` must not be a module: only the personas of a run can have code outside the sandbox; " +
  'give another mind, such as {"mind":"policy/explorer"}';

/** Returns why the configuration in an agent's artifact cannot be used, or null if it can. */
export const storedProblem = (content: string): string | null =>
  readStoredConfig(content).ok ? null : agentProblem(content);

/** The deepest nesting in a JSON text. If the text is not JSON, the result is meaningless. */
const nestingOf = (text: string): number => {
  const counts = new JsonCounter();
  counts.take(Buffer.from(text));
  return counts.found.deepest;
};
