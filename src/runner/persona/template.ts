import { type PolicyGuide, policyGuides } from "../../mind/index.ts";
import { PROMPT_FILE } from "./load-personas.ts";
import { MODEL_TEMPLATES, SYSTEM_PROMPT } from "./model-template.ts";
import { saidOf } from "./said-of.ts";

/** The settings of a policy at their defaults, each with what it means, as lines of YAML. */
const settingsOf = ({ settings }: PolicyGuide): string => {
  if (settings.length === 0) return "# This policy has no settings.\n";
  const lines = settings.map(({ name, meaning, form, default: value }) => {
    return `  ${name}: ${value} # ${meaning} (${form})\n`;
  });
  return `policy: # each of these may be left out\n${lines.join("")}`;
};

const SCRIPT = `script: # ${saidOf("script")}
  - write_artifact:
      artifact_id: NAME_adder
      artifact_type: tool
      code: "function run(a, b) { return a + b }"
      price: 5
  - wait: 10 # simulated seconds
  - invoke_artifact: { artifact_id: NAME_adder, args: [2, 3] }
  - sleep: { for_s: 30, until: [{ event: artifact_invoked }, { scrip_at_least: 150 }] }
  - if_last: failed # or succeeded, or an error code
    do: [{ noop: {} }]
script_loop: false # ${saidOf("script_loop")}
`;

/** What each mind can be told, with what it means, as the text of an `agent.yaml`. */
const SETTINGS: ReadonlyMap<string, () => string> = new Map([
  ...policyGuides().map((policy) => [policy.mind, () => settingsOf(policy)] as const),
  ["script", () => SCRIPT] as const,
  ...MODEL_TEMPLATES,
]);

/** The minds that `personaFiles` writes a persona for. */
export const TEMPLATE_MINDS: readonly string[] = [...SETTINGS.keys()];

export type NewPersona = {
  readonly id: string;
  /** One of TEMPLATE_MINDS. */
  readonly mind: string;
  /** The way from the folder of the persona to the JSON Schema of an `agent.yaml`. */
  readonly schema: string;
};

/**
 * The files of a new persona, valid as they stand: text by name. Lines that are commented out are
 * settings at their defaults.
 */
export const personaFiles = (persona: NewPersona): Readonly<Record<string, string>> => {
  const prompt = MODEL_TEMPLATES.has(persona.mind) ? { [PROMPT_FILE]: SYSTEM_PROMPT } : {};
  return { "agent.yaml": agentYaml(persona), ...prompt };
};

const agentYaml = ({ id, mind, schema }: NewPersona): string =>
  `# yaml-language-server: $schema=${schema}
description: A new ${nameOf(mind)} agent. # ${saidOf("description")}

id: ${idText(id)} # ${saidOf("id")}
enabled: true # ${saidOf("enabled")}
#starting_scrip: 100 # ${saidOf("starting_scrip")}

mind: ${mind} # one of ${TEMPLATE_MINDS.join(", ")}
${(SETTINGS.get(mind)?.() ?? "").replaceAll("NAME", id)}`;

const nameOf = (mind: string): string =>
  mind === "llm" ? "language-model" : mind.replace("policy/", "").replaceAll("_", " ");

/** An id such as 007 or null would be read as something else than text. */
const idText = (id: string): string => (/^[A-Za-z]/.test(id) && !isWord(id) ? id : `"${id}"`);

const isWord = (id: string): boolean => ["null", "true", "false"].includes(id.toLowerCase());
