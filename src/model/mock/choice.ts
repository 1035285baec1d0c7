import type { Dice, Json, JsonObject } from "../../kernel/index.ts";

import { type MockProgram, PROGRAMS, TASK_PROGRAMS } from "./programs.ts";
import { exampleArgsIn, type Offer, type OfferedMethod, type PromptFacts } from "./prompt-facts.ts";

/** An action of the mock model, with its reason. */
export type MockChoice = {
  readonly why: string;
  readonly kind: "noop" | "read_artifact" | "write_artifact" | "invoke_artifact";
  readonly fields: JsonObject;
  /** The length of a sleep after the action in seconds, or null for no sleep. */
  readonly sleepS: number | null;
};

/** Returns an action if the rule applies to the facts, and otherwise null. */
type Rule = (facts: PromptFacts, dice: Dice) => MockChoice | null;

/** Takes the first rule that applies. If none applies, the agent sleeps. */
export const choiceFor: (facts: PromptFacts, dice: Dice) => MockChoice = (facts, dice) => {
  for (const rule of RULES) {
    const choice = rule(facts, dice);
    if (choice !== null) return choice;
  }
  return resting(dice);
};

const acting = (why: string, kind: MockChoice["kind"], fields: JsonObject): MockChoice => ({
  why,
  kind,
  fields,
  sleepS: null,
});

const reading = (why: string, id: string): MockChoice =>
  acting(why, "read_artifact", { artifact_id: id });

const hasDone = ({ past }: PromptFacts, call: string): boolean =>
  past.some((action) => action.call === call);

const hasFailed = ({ past }: PromptFacts, target: string): boolean =>
  past.some(({ call, ok }) => !ok && call.includes(`(${target}`));

const SECOND_PAGE = 0.3;

const readHandbook: Rule = (facts, dice) => {
  const { handbook, actions } = facts;
  const unread = handbook.filter((page) => !hasDone(facts, `read_artifact(${page})`));
  const page = dice.choose(unread);
  if (page === undefined || (actions > 0 && !dice.chance(SECOND_PAGE))) return null;
  return reading(`I am new here, so I read ${page} before I act.`, page);
};

const programsOf = (offers: readonly Offer[]): readonly Offer[] =>
  offers.filter(({ id, isProgram }) => isProgram && !id.startsWith("genesis_"));

const PRICE_MAX = 3;

/** The choice to publish a program. */
export const programChoice = (
  { agent }: PromptFacts,
  program: MockProgram,
  dice: Dice,
): MockChoice => {
  const { slug, about, code, parameters, example } = program;
  const required = Object.keys(parameters);
  const method = {
    name: "run",
    description: about,
    input_schema: { type: "object", properties: parameters, required },
    examples: [{ args: example.args, result: example.result }],
  };
  const price = 1 + dice.pick(PRICE_MAX);
  const why = `A program that does this may sell for ${price}: ${about}`;
  return acting(why, "write_artifact", {
    artifact_id: `${agent}_${slug}`,
    artifact_type: "program",
    content: about,
    code,
    interface: { description: about, methods: [method] },
    price,
  });
};

/** The chance to write one more program, by the number of programs that the agent owns. */
const WRITES = [1, 0.5, 0.25, 0.1] as const;

const offer: Rule = (facts, dice) => {
  const { own, market, agent } = facts;
  const chance = WRITES[programsOf(own).length] ?? 0;
  if (!dice.chance(chance)) return null;
  const known = [...own, ...market].map(({ id }) => id);
  const isNew = ({ slug }: MockProgram): boolean => !known.some((id) => id.endsWith(`_${slug}`));
  const fresh = PROGRAMS.filter(isNew);
  const program = dice.choose(fresh.length > 0 ? fresh : PROGRAMS);
  if (program === undefined || hasFailed(facts, `${agent}_${program.slug}`)) return null;
  return programChoice(facts, program, dice);
};

const solve: Rule = (facts, dice) => {
  const { tasks, own, agent } = facts;
  for (const { id, text } of tasks) {
    const program = TASK_PROGRAMS.find(({ task }) => task.test(text));
    if (program === undefined) continue;
    const artifact = `${agent}_${program.slug}`;
    if (!own.some((each) => each.id === artifact)) return programChoice(facts, program, dice);
    if (hasFailed(facts, "genesis_mint.solve")) continue;
    return acting(`My program ${artifact} passes the tests of ${id}.`, "invoke_artifact", {
      artifact_id: "genesis_mint",
      method: "solve",
      args: [id, artifact],
    });
  }
  return null;
};

const BID_CHANCE = 0.7;
const BID_SHARE = 10;

const bid: Rule = (facts, dice) => {
  const { auction, bids, own, scrip } = facts;
  if (auction === null || !auction.open || bids > 0 || scrip <= auction.minimumBid) return null;
  const offered = programsOf(own).toSorted((a, b) => b.calls - a.calls);
  const [best] = offered;
  if (best === undefined || !dice.chance(BID_CHANCE)) return null;
  const amount = auction.minimumBid + dice.pick(Math.floor(scrip / BID_SHARE) + 1);
  return acting(`The auction is open, so I bid ${amount} with ${best.id}.`, "invoke_artifact", {
    artifact_id: "genesis_mint",
    method: "bid",
    args: [best.id],
    attach: { scrip: Math.min(amount, scrip) },
  });
};

/** The largest share of its scrip that an agent pays for one call. */
const PAID_SHARE = 0.2;

const isWorthwhile = (facts: PromptFacts, { id, price, calls, failures }: Offer): boolean =>
  price <= facts.scrip * PAID_SHARE && failures * 2 <= calls + 1 && !hasFailed(facts, id);

/** How far a price may rise during the thought without a refusal of the call. */
const PRICE_RISE_MAX = 1;

type Call = { readonly method: string; readonly args: readonly Json[] };

const calling = (why: string, { id, price }: Offer, call: Call): MockChoice => {
  const fields = { artifact_id: id, ...call, max_price: price + PRICE_RISE_MAX };
  return acting(why, "invoke_artifact", fields);
};

/** Calls the program whose interface was read last, with the arguments of its example. */
const tryWhatWasRead: Rule = (facts, dice) => {
  const { last, market } = facts;
  if (last === null || !last.ok) return null;
  const read = programsOf(market).find(({ id }) => last.call === `read_artifact(${id})`);
  if (read === undefined || !isWorthwhile(facts, read)) return null;
  const args = dice.choose(exampleArgsIn(last.result));
  if (args === undefined) return null;
  const why = `I have read ${read.id} and call it as its example shows.`;
  return calling(why, read, { method: "run", args });
};

const BUY_CHANCE = 0.75;

const buy: Rule = (facts, dice) => {
  if (!dice.chance(BUY_CHANCE)) return null;
  const open = programsOf(facts.market).filter((each) => isWorthwhile(facts, each));
  const chosen = dice.weighted(open, ({ id, calls }) =>
    hasDone(facts, `invoke_artifact(${id}.run)`) ? 1 : 3 + Math.sqrt(calls),
  );
  if (chosen === undefined) return null;
  const { id, price, methods } = chosen;
  const method = methods.find(({ name }) => name === "run") ?? methods[0];
  const args = method === undefined ? null : argsFor(method, dice);
  if (method !== undefined && args !== null) {
    return calling(`${id} costs ${price} and may help me.`, chosen, { method: method.name, args });
  }
  if (hasDone(facts, `read_artifact(${id})`)) return null;
  return reading(`I read ${id} to learn how to call it.`, id);
};

const TEXTS = ["bread and iron", "a short sentence", "the price of salt", "many hands"] as const;

/** Returns arguments for a method, or null if the prompt does not tell enough about them. */
const argsFor = ({ parameters, example }: OfferedMethod, dice: Dice): readonly Json[] | null => {
  if (example !== null) return example;
  const args = parameters.map(({ type }): Json | undefined => {
    switch (type) {
      case "number":
      case "integer":
        return 1 + dice.pick(20);
      case "string":
        return dice.choose(TEXTS);
      case "boolean":
        return dice.chance(0.5);
      default:
        return undefined;
    }
  });
  return args.every((arg) => arg !== undefined) ? args : null;
};

const RAISE_CHANCE = 0.2;
const CALLS_BEFORE_RAISE = 3;
const RAISED_PRICE_MAX = 6;

const raisePrice: Rule = ({ own }, dice) => {
  const popular = programsOf(own).filter(
    ({ calls, price }) => calls >= CALLS_BEFORE_RAISE && price < RAISED_PRICE_MAX,
  );
  const chosen = dice.choose(popular);
  if (chosen === undefined || !dice.chance(RAISE_CHANCE)) return null;
  const price = chosen.price + 1;
  const fields = { artifact_id: chosen.id, price };
  return acting(`Others call ${chosen.id}, so I raise its price.`, "write_artifact", fields);
};

const MEMORY_CHANCE = 0.3;

const keepNotes: Rule = (facts, dice) => {
  const { lacksWorkingMemory, agent, own } = facts;
  const id = `${agent}_working_memory`;
  if (!lacksWorkingMemory || hasFailed(facts, id) || !dice.chance(MEMORY_CHANCE)) return null;
  const notes = {
    current_goal: "sell programs that others call again",
    progress: `I own ${programsOf(own).length} programs.`,
    lessons: ["Read the interface of a program before calling it."],
    strategic_objectives: ["offer several programs", "win at the mint"],
  };
  const fields = { artifact_id: id, artifact_type: "data", content: JSON.stringify(notes) };
  return acting("I write down my goal and my lessons.", "write_artifact", fields);
};

const SLEEP_CHANCE = 0.5;
const SLEEP_S_MAX = 8;

const resting = (dice: Dice): MockChoice => ({
  ...acting("There is nothing worth doing right now.", "noop", {}),
  sleepS: dice.chance(SLEEP_CHANCE) ? 1 + dice.pick(SLEEP_S_MAX) : null,
});

const RULES: readonly Rule[] = [
  readHandbook,
  tryWhatWasRead,
  solve,
  bid,
  offer,
  keepNotes,
  raisePrice,
  buy,
];
