import { must } from "../../kernel/index.ts";
import { cognitiveSchemaKey, modelKeys } from "../core/model-settings.ts";
import {
  ownPromptSettings,
  promptSettings,
  SECTION_NAMES,
  type ShippedSettings,
} from "../core/settings.ts";

/** What follows `#` on the line of a setting. */
export const remark = (says: string | null | undefined): string => (says ? ` # ${says}` : "");

const defaultOf = (shipped: ShippedSettings, key: string): string =>
  JSON.stringify(must(shipped.get(key), `config.yaml must have ${key}`).value);

const RUN_ONLY: ReadonlySet<string> = new Set(
  Object.keys(promptSettings.shape).filter((name) => !(name in ownPromptSettings.shape)),
);

const SECTIONS = `#  # The sections: ${SECTION_NAMES.join(", ")}.\n`;

/** Returns the settings of a section that an agent can override, as commented-out lines. */
const section = (shipped: ShippedSettings, name: string): string => {
  const key = `agent.${name}`;
  const whole = must(shipped.get(key), `config.yaml must have ${key}`);
  const within = [...shipped].filter(
    ([each, { name: part }]) => each.startsWith(`${key}.`) && !RUN_ONLY.has(part),
  );
  const lines = within.map(([_, each]) => {
    const names = each.name === "order" ? SECTIONS : "";
    return `${names}#  ${each.name}: ${JSON.stringify(each.value)}${remark(each.comment)}\n`;
  });
  return `#${name}:${remark(whole.comment)}\n${lines.join("")}`;
};

/** The settings of an agent on a language model, as commented-out lines. */
export const modelTemplate = (
  shipped: ShippedSettings,
  { hasForm }: { readonly hasForm: boolean },
): string => {
  const { llm_model, temperature, reasoning, max_tokens } = modelKeys;
  const schema = defaultOf(shipped, "agents.defaults.cognitive_schema");
  const form = `#cognitive_schema: ${schema}${remark(cognitiveSchemaKey.description)}\n`;
  return `
# Commented-out lines show defaults; remove the # to change one for this agent.
# temperature and reasoning have no default: if they are not set, none is sent.
#llm_model: ${defaultOf(shipped, "llm.default_model")}${remark(llm_model.description)}
#temperature: 0.7${remark(temperature.description)}
#reasoning: low${remark(reasoning.description)}
#max_tokens: ${defaultOf(shipped, "llm.max_tokens")}${remark(max_tokens.description)}
${hasForm ? form : ""}${["rag", "working_memory", "prompt"].map((name) => section(shipped, name)).join("")}`;
};

const SYSTEM_PROMPT = `You build small programs that others pay to run, and you live on that.

How you work:
- Look at the market first. Build what is missing, or clearly better versions of what exists.
- Each program does one thing and has an interface with a correct example.
- Start with a low price. Raise the price of programs that sell, and replace the others.
- When there is nothing worth doing, sleep until something happens.
`;

/** The file that a new persona on a language model has next to `agent.yaml`. */
export const PROMPT_FILES = { "system_prompt.md": SYSTEM_PROMPT };
