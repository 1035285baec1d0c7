import { cliDescription, seatDescription } from "../../mind/index.ts";
import { type PolicyGuide, policyGuides } from "../../policy/index.ts";
import { MIND_FILE, MIND_TEMPLATE } from "./mind-template.ts";
import { MODEL_TEMPLATES, SYSTEM_PROMPT } from "./model-template.ts";
import { keyDescription } from "./persona.ts";
import { PROMPT_FILE } from "./system-prompt.ts";

const settingsOf = ({ settings }: PolicyGuide): string => {
  if (settings.length === 0) return "# This policy has no settings.\n";
  const lines = settings.map(({ name, meaning, form, default: value }) => {
    return `  ${name}: ${value} # ${meaning} (${form})\n`;
  });
  return `policy: # all keys are optional\n${lines.join("")}`;
};

const SCRIPT = `script: # ${keyDescription("script")}
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
script_loop: false # ${keyDescription("script_loop")}
`;

const SEAT = `seat: # all keys are optional (docs/people.md)
  move_s: 5 # ${seatDescription("move_s")}
#  absent: wait # ${seatDescription("absent")}
#  absent_after_s: 60 # ${seatDescription("absent_after_s")}
`;

const CLI = `cli: # docs/coding-agents.md
  provider: claude # ${cliDescription("provider")}
#  llm_model: sonnet # ${cliDescription("llm_model")}
#  timeout_s: 300 # ${cliDescription("timeout_s")}
#  rest_s: 60 # ${cliDescription("rest_s")}
`;

const SETTINGS: ReadonlyMap<string, () => string> = new Map([
  ...policyGuides().map((policy) => [policy.mind, () => settingsOf(policy)] as const),
  ["script", () => SCRIPT] as const,
  ["seat", () => SEAT] as const,
  ["cli", () => CLI] as const,
  ...MODEL_TEMPLATES,
]);

/** Stands for a mind that is a module, in the persona's own folder. */
const FILE_MIND = "file";

export const TEMPLATE_MINDS: readonly string[] = [...SETTINGS.keys(), FILE_MIND];

type NewPersona = {
  readonly id: string;
  readonly mind: string;
  /** The relative path from the persona to the JSON Schema of `agent.yaml`. */
  readonly schema: string;
};

/** The files of a new, valid persona by file name. Commented-out lines show the defaults. */
export const personaFiles = (persona: NewPersona): Readonly<Record<string, string>> => {
  const prompt = MODEL_TEMPLATES.has(persona.mind) ? { [PROMPT_FILE]: SYSTEM_PROMPT } : {};
  const code = persona.mind === FILE_MIND ? { [MIND_FILE]: MIND_TEMPLATE } : {};
  return { "agent.yaml": agentYaml(persona), ...prompt, ...code };
};

const FILE_SETTINGS = `settings: # settings of your own, which decide gets
  curiosity: 0.3 # how often it buys, from 0 to 1
`;

const agentYaml = ({ id, mind, schema }: NewPersona): string =>
  `# yaml-language-server: $schema=${schema}
description: A new ${nameOf(mind)} agent. # ${keyDescription("description")}

id: ${idText(id)} # ${keyDescription("id")}
enabled: true # ${keyDescription("enabled")}
#starting_scrip: 100 # ${keyDescription("starting_scrip")}
#compute: { lots: 0 } # ${keyDescription("compute")}
#review: actions # ${keyDescription("review")}

mind: ${mindText(mind)}
${(SETTINGS.get(mind)?.() ?? FILE_SETTINGS).replaceAll("NAME", id)}`;

const mindText = (mind: string): string => {
  if (mind === FILE_MIND) return `./${MIND_FILE} # a module that exports default { decide }`;
  const names = [...SETTINGS.keys()].join(", ");
  return `${mind} # one of ${names}, or a path such as ./${MIND_FILE}`;
};

const nameOf = (mind: string): string =>
  mind === "llm"
    ? "language-model"
    : mind.replace("file", "custom").replace("policy/", "").replaceAll("_", " ");

/** Puts quotes around an id such as 007 or null. Without quotes, YAML would not read it as text. */
const idText = (id: string): string => (/^[A-Za-z]/.test(id) && !isWord(id) ? id : `"${id}"`);

const isWord = (id: string): boolean => ["null", "true", "false"].includes(id.toLowerCase());
