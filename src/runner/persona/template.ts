import { POLICY_NAMES } from "../../mind/index.ts";

/** The minds that `personaTemplate` writes a persona for. */
export const TEMPLATE_MINDS: readonly string[] = [
  ...POLICY_NAMES.map((name) => `policy/${name}`),
  "script",
];

/** The settings of each mind, with what they mean, as the text of an `agent.yaml`. */
const SETTINGS: Readonly<Record<string, string>> = {
  "policy/producer": `policy:
  topics: [text, parsing] # folders of agents/library that it writes programs from; []: all of them
  goods_max: 8 # programs it offers at a time
  markup: 0.6 # what it asks at first, as a part of what an answer is worth
  consumes: 0.25 # how much of its time it spends as a customer, from 0 to 1
`,
  "policy/integrator": `policy:
  fronts_max: 4 # programs that call two others, which it offers at a time
  margin: 0.5 # what it adds to what its suppliers ask, as a part of it
  working_capital: 15 # scrip that each such program gets to pay its suppliers with
  consumes: 0.2 # how much of its time it spends as a customer, from 0 to 1
`,
  "policy/explorer": `policy:
  read_price: 1 # scrip it asks for reading what it publishes
  publishes_every_s: 20 # how often it publishes what it looked for in vain, and what was good
`,
  "policy/zero_intelligence": `# It has no settings: it does legal things at random.
`,
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
