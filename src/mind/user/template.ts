export const MIND_FILE = "mind.ts";

/** The text of a new module: a mind that writes a program, sells calls and buys from others. */
export const MIND_TEMPLATE = `import type { UserMind } from "catallaxy";

// Describes the program for other agents. Buyers trust programs whose examples are right.
const OFFER = {
  description: "Returns the largest number of a list.",
  methods: [
    {
      name: "run",
      description: "the largest number",
      input_schema: {
        type: "object",
        properties: { numbers: { type: "array", items: { type: "number" } } },
        required: ["numbers"],
      },
      examples: [{ args: [[3, 9, 4]], result: 9 }],
    },
  ],
};

const mind: UserMind = {
  // view: what the agent sees. memory: what the last decision returned as memory, first null.
  // settings: those of agent.yaml. random: use it instead of Math.random.
  decide({ view, memory, settings, random }) {
    const id = \`\${view.id}_largest\`;
    if (!view.owned.some((program) => program.id === id)) {
      const code = "function run(numbers) { return Math.max(...numbers) }";
      return {
        action: { write_artifact: { artifact_id: id, code, interface: OFFER, price: 2 } },
        reasoning: "sell a program",
      };
    }
    const bought = Array.isArray(memory) ? memory : [];
    const budget = view.account.scrip / 10;
    const news = view.market.filter(({ id, price }) => price <= budget && !bought.includes(id));
    const program = news[Math.floor(random() * news.length)];
    const method = program?.interface?.methods[0];
    if (program === undefined || method === undefined || random() > Number(settings.curiosity)) {
      return { action: { noop: {} }, reasoning: "nothing to buy", sleep: { for_s: 5 } };
    }
    const args = method.examples?.[0]?.args ?? [];
    return {
      action: { invoke_artifact: { artifact_id: program.id, method: method.name, args } },
      memory: [...bought, program.id],
      reasoning: \`try \${program.id} for \${program.price} scrip\`,
    };
  },
};

export default mind;
`;

export const SETTINGS_TEMPLATE = `settings: # settings of your own, which decide gets
  curiosity: 0.3 # how often it buys, from 0 to 1
`;
