import { z } from "zod";
import { Dice, diceState, type Json, must, type View } from "../../kernel/index.ts";
import {
  CLI_SYSTEM_PROMPT,
  cliMind,
  cliSettings,
  FREE,
  type LlmDefaults,
  type Mind,
  type MindSettings,
  type ModuleRole,
  moduleMind,
  type Own,
  readMemory,
  type SeatSource,
  scriptMind,
  seatMind,
  type Thought,
  type ThoughtPrice,
  type TurnSource,
  type UserModule,
  valuesText,
} from "../../mind/index.ts";
import { POLICIES, type PolicyName, type RecipeBook } from "../../policy/index.ts";
import {
  modulePlugin,
  type ToolAgent,
  type ToolParts,
  toolSettings,
  toolsMind,
  toolsPreview,
} from "../../tools/index.ts";
import { llmMind, previewOf } from "../../workflow/index.ts";
import {
  type AgentConfig,
  hasTools,
  isModelMind,
  type ModuleConfig,
  policyOf,
  settingsOf,
} from "./agent-config.ts";

export type MindParts = {
  readonly seed: number;
  /** Returns the programs that policies can write. Called only if an agent has a policy. */
  readonly recipeBook: () => RecipeBook;
  readonly policyPrice: ThoughtPrice;
  readonly policyThinkMs: readonly [number, number];
  readonly scriptThinkMs: number;
  /** Returns a module of the user by the name of the run's copy. */
  readonly moduleNamed: (name: string, role: ModuleRole) => UserModule;
  /** Null outside of a run, where no seat can move. */
  readonly seats: SeatSource | null;
  /** Null outside of a run, where no coding agent makes a turn. */
  readonly turns: TurnSource | null;
  /** Null in a run without language models. */
  readonly llm: ModelParts | null;
};

type ModelParts = { readonly defaults: LlmDefaults; readonly parts: ToolParts };

type AnyConfig = AgentConfig | ModuleConfig;

export const mindFor = (own: Own, config: AnyConfig, parts: MindParts): Mind => {
  const { id } = own;
  if (config.mind === "module") {
    const { module, settings = {} } = config;
    return moduleMind({ id, module: parts.moduleNamed(module, "mind"), settings }, parts);
  }
  if (config.mind === "script") {
    const { script = [], script_loop = false } = config;
    return scriptMind({ entries: script, loop: script_loop, thinkMs: parts.scriptThinkMs });
  }
  if (config.mind === "seat") {
    return seatMind(id, config.seat ?? {}, must(parts.seats, "only a run can have seats"));
  }
  if (config.mind === "cli") {
    const settings = cliSettings.parse(config.cli);
    const systemPrompt = [CLI_SYSTEM_PROMPT, config.system_prompt ?? "", valuesText(own.values)]
      .filter((part) => part !== "")
      .join("\n\n");
    return cliMind({ id, settings, systemPrompt }, must(parts.turns, "only a run has turns"));
  }
  if (isModelMind(config.mind)) {
    const llm = must(parts.llm, "a run with model minds must have models");
    const settings = settingsOf(own, config, llm.defaults);
    return hasTools(config.mind)
      ? toolsMind(toolAgent({ id, config, settings }, parts), llm.parts)
      : llmMind(id, { settings, workflow: config.workflow }, llm.parts);
  }
  return policyMind({ id, name: policyOf(config.mind), settings: config.policy ?? {} }, parts);
};

type PluginParts = Pick<MindParts, "seed" | "moduleNamed">;

const toolAgent = (
  { id, config, settings }: ModelAgent,
  { seed, moduleNamed }: PluginParts,
): ToolAgent => {
  const { plugins = [] } = config;
  const tools = toolSettings.parse(config.tools ?? {});
  const protocol =
    config.mind === "code" ? (tools.language ?? "javascript") : (tools.protocol ?? "calls");
  const tokensMax = Math.floor(tools.plugins_tokens / Math.max(1, plugins.length));
  const own = plugins.map(({ module: name, settings: given = {} }) => {
    const module = moduleNamed(name, "plugin");
    return modulePlugin({ module, settings: given, agent: id, seed, tokensMax });
  });
  return { settings, tools, protocol, plugins: own };
};

type PreviewParts = Parameters<typeof previewOf>[1] & PluginParts;
type Moment = Parameters<typeof previewOf>[2];

type ModelAgent = {
  readonly id: string;
  readonly config: AgentConfig;
  readonly settings: MindSettings;
};

/** Returns what the next call of an agent's model would send. Its mind must use a model. */
export const previewFor = (
  agent: ModelAgent,
  parts: PreviewParts,
  moment: Moment,
): ReturnType<typeof previewOf> => {
  const { config, settings } = agent;
  return hasTools(config.mind)
    ? toolsPreview(toolAgent(agent, parts), parts, moment)
    : previewOf({ settings, workflow: config.workflow }, parts, moment);
};

/** Accepts any `dice` and `policy`. `diceState` checks `dice`, and the policy checks `policy`. */
const keptSchema = z.object({
  dice: z.custom<Json>(),
  policy: z.custom<Json>(),
  /** The name of the policy that wrote `policy`. Any other policy starts without `policy`. */
  of: z.string(),
});

type PolicyAgent = { readonly id: string; readonly name: PolicyName; readonly settings: unknown };

/** Creates a mind with a policy. Thoughts cost budget; free ones would distort the economy. */
const policyMind = ({ id, name, settings }: PolicyAgent, parts: MindParts): Mind => {
  const { seed, policyPrice: price, policyThinkMs: thinkMs } = parts;
  const recipeBook = parts.recipeBook();
  const strategy = POLICIES[name].start(settings);
  const decide = (view: View): Thought => {
    const kept = readMemory(view.agent.mind, { dice: null, policy: null, of: name }, keptSchema);
    const rolled = diceState(kept.dice);
    const dice = rolled === null ? Dice.of(seed, id) : new Dice(rolled);
    const memory = kept.of === name ? kept.policy : null;
    const move = strategy({ view, recipeBook, memory, dice, thoughtMicros: price.micros });
    const { micros: cost_micros, calls, tokens: input_tokens } = price;
    return {
      kind: "decided",
      action: move.action,
      reasoning: move.why,
      memory: { dice: dice.state, policy: move.memory, of: name },
      usage: { ...FREE, calls, input_tokens, cost_micros },
      waitMs: move.waitMs ?? 0,
      sleep: move.sleep ?? null,
    };
  };
  const hasLazyView = true;
  return { price, exactPrice: null, thinkMs, parallel: null, recollect: null, hasLazyView, decide };
};
