import { type PolicyGuide, policyGuides } from "../../mind/index.ts";

/** The settings of a policy at their defaults, each with what it means, as lines of YAML. */
const settingsOf = ({ settings }: PolicyGuide): string => {
  if (settings.length === 0) return "# This policy has no settings.\n";
  const lines = settings.map(({ name, meaning, form, default: value }) => {
    return `  ${name}: ${value} # ${meaning} (${form})\n`;
  });
  return `policy: # each of these may be left out\n${lines.join("")}`;
};

const POLICIES = policyGuides();

/** The minds that `personaTemplate` writes a persona for. */
export const TEMPLATE_MINDS: readonly string[] = [...POLICIES.map(({ mind }) => mind), "script"];

/** What each mind can be told, with what it means, as the text of an `agent.yaml`. */
const SETTINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(POLICIES.map((policy) => [policy.mind, settingsOf(policy)])),
  script: `script: # one action an iteration, in this order
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
script_loop: false # true: start again at the end
`,
};

/** The text of a new `agent.yaml` that is valid as it stands. `mind` is one of TEMPLATE_MINDS. */
export const personaTemplate = (id: string, mind: string): string =>
  `# Who this is, in one line for \`sim agents list\`.
description: A new ${mind.replace("policy/", "").replaceAll("_", " ")} agent.

id: ${idText(id)} # unique; the name under which it owns, pays and is paid
enabled: true # false: stays out of runs
# starting_scrip: 100 # instead of the configuration's scrip.starting_amount

mind: ${mind} # one of ${TEMPLATE_MINDS.join(", ")}
${(SETTINGS[mind] ?? "").replaceAll("NAME", id)}`;

/** An id such as 007 or null would be read as something else than text. */
const idText = (id: string): string => (/^[A-Za-z]/.test(id) && !isWord(id) ? id : `"${id}"`);

const isWord = (id: string): boolean => ["null", "true", "false"].includes(id.toLowerCase());
