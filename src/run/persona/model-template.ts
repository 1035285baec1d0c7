import { must } from "../../kernel/index.ts";
import { ownPromptSettings, promptSettings, SECTION_NAMES } from "../../mind/index.ts";
import { toolSettings } from "../../tools/index.ts";
import { type ShippedSetting, shippedSettings } from "../config/index.ts";
import { keyDescription } from "./persona.ts";

type Settings = ReadonlyMap<string, ShippedSetting>;

const remark = (says: string | null): string => (says === null ? "" : ` # ${says}`);

const defaultOf = (settings: Settings, key: string): string =>
  JSON.stringify(must(settings.get(key), `config.yaml must have ${key}`).value);

const schemaOf = (settings: Settings): string =>
  defaultOf(settings, "agents.defaults.cognitive_schema");

const RUN_ONLY: ReadonlySet<string> = new Set(
  Object.keys(promptSettings.shape).filter((name) => !(name in ownPromptSettings.shape)),
);

const SECTIONS = `#  # The sections: ${SECTION_NAMES.join(", ")}.\n`;

/** Returns the settings of a section that an agent can override, as commented-out lines. */
const section = (settings: Settings, name: string): string => {
  const key = `agent.${name}`;
  const whole = must(settings.get(key), `config.yaml must have ${key}`);
  const within = [...settings].filter(
    ([each, { name: part }]) => each.startsWith(`${key}.`) && !RUN_ONLY.has(part),
  );
  const lines = within.map(([_, each]) => {
    const names = each.name === "order" ? SECTIONS : "";
    return `${names}#  ${each.name}: ${JSON.stringify(each.value)}${remark(each.comment)}\n`;
  });
  return `#${name}:${remark(whole.comment)}\n${lines.join("")}`;
};

/** What applies without a setting that only one of the minds has. */
const UNSET = { protocol: "calls", language: "javascript" };

/** The settings of agents with tools, as commented-out lines. */
const toolLines = (mind: "tools" | "code"): string => {
  const { protocol, language } = UNSET;
  const own = mind === "code" ? { language } : { protocol };
  const values = new Map<string, unknown>(Object.entries({ ...toolSettings.parse({}), ...own }));
  const lines = Object.entries(toolSettings.shape).flatMap(([name, { description }]) => {
    const value = values.get(name);
    return value === undefined ? [] : [`#  ${name}: ${value}${remark(description ?? null)}\n`];
  });
  return `
# The folder workspace/ has the files that the agent starts with (docs/tools.md).
#plugins: [] # such as [./plugin.ts]; ${keyDescription("plugins")}
#tools: # ${keyDescription("tools")}
${lines.join("")}`;
};

/** An agent with tools has no form of a reply. */
const toolSettingLines = (settings: Settings): string => modelLines(settings) + sections(settings);

const settingLines = (settings: Settings): string => {
  const form = remark(keyDescription("cognitive_schema"));
  const line = `#cognitive_schema: ${schemaOf(settings)}${form}\n`;
  return modelLines(settings) + line + sections(settings);
};

const modelLines = (settings: Settings): string => `
# Commented-out lines show defaults; remove the # to change one for this agent.
# temperature and reasoning have no default: if they are not set, none is sent.
#llm_model: ${defaultOf(settings, "llm.default_model")} # ${keyDescription("llm_model")}
#temperature: 0.7 # ${keyDescription("temperature")}
#reasoning: low # ${keyDescription("reasoning")}
#max_tokens: ${defaultOf(settings, "llm.max_tokens")} # ${keyDescription("max_tokens")}
`;

const sections = (settings: Settings): string =>
  ["rag", "working_memory", "prompt"].map((name) => section(settings, name)).join("");

const WORKFLOW = `
workflow: # ${keyDescription("workflow")}
  max_model_calls: 3 # per iteration
  error_handling: { on_step_failure: continue } # or abort
  steps:
    - name: metrics
      type: code # runs a built-in or an expression
      run: compute_metrics # sets success_rate, stuck_in_loop, should_pivot and more

    - name: plan
      type: llm
      if: iteration % 5 === 1 || should_pivot # in every fifth iteration, and when actions fail
      prompt: |
        You have {balance} scrip. What you own: {my_artifacts}
        Your latest actions: {recent_actions}
        Your plan up to now: {plan.goal}
        Settle on a goal, and on the next step towards it.
      schema: { goal: string, next_step: string } # without a schema the step decides on an action
      persist: true # keeps the plan for later iterations

    - name: act
      type: llm
      prompt: |
        Your goal: {plan.goal}
        The next step: {plan.next_step}
        Choose the one action that takes this step.
`;

/** For each language-model mind: returns the template text that follows the line `mind`. */
export const MODEL_TEMPLATES: ReadonlyMap<string, () => string> = new Map([
  ["llm", () => settingLines(shippedSettings())],
  ["tools", () => `${toolLines("tools")}${toolSettingLines(shippedSettings())}`],
  ["code", () => `${toolLines("code")}${toolSettingLines(shippedSettings())}`],
  ["workflow", () => `${WORKFLOW}${settingLines(shippedSettings())}`],
]);

export const SYSTEM_PROMPT = `You build small programs that others pay to run, and you live on that.

How you work:
- Look at the market first. Build what is missing, or clearly better versions of what exists.
- Each program does one thing and has an interface with a correct example.
- Start with a low price. Raise the price of programs that sell, and replace the others.
- When there is nothing worth doing, sleep until something happens.
`;
