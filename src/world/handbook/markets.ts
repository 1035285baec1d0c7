import { BUILT_IN_MEANING, exampleAuction, WAKING_KINDS } from "../../kernel/index.ts";
import { saleRules } from "./compute.ts";
import {
  type Described,
  methodLines,
  type Page,
  partOf,
  partsOf,
  type Setting,
  signatureOf,
} from "./page.ts";
import { storiesIn } from "./stories.ts";
import {
  CAST,
  castAt,
  linesOf,
  possibleLines,
  type Story,
  seconds,
  transcript,
} from "./transcript.ts";

export const genesis = (setting: Setting): string => `# The artifacts that the world starts with
Invoke them like any other artifact. genesis_store.get_interface(id) shows the arguments and
examples of each method; those without code also answer describe().
${partsOf(setting).map(brief).join("\n")}${libraryNote(setting)}
## Access contracts
${[...BUILT_IN_MEANING].map(([id, meaning]) => `- ${id}: ${meaning}.`).join("\n")}
Any artifact can be an access contract if its code defines
check_permission({caller, verb, target, owner, method, args}), which returns
{allowed, reason?, cost?, payer?, recipient?}.
`;

/** A page about the mechanisms of this world. None if there are none. */
export const mechanismsPage = ({ mechanisms }: Setting): readonly Page[] => {
  if (mechanisms.length === 0) return [];
  const parts = mechanisms.map(
    ({ id, description, methods }) =>
      `## ${id}\n${description}\nMethods: ${methods.map(signatureOf).join(", ")}.\n`,
  );
  const text = `# The mechanisms of this world, such as markets and auctions
They are ordinary programs without privileges. Call them like any program;
genesis_store.get_interface(id) shows what each method does, with arguments and examples. The first
line of the code has the settings. Read the code to write, and sell, a version of your own.
${parts.join("")}`;
  return [{ id: "handbook_mechanisms", text }];
};

const pageOf = ({ id }: Described): string => id.replace("genesis_", "handbook_");

const brief = (part: Described): string =>
  `## ${part.id}
${part.description}
Methods, on ${pageOf(part)}: ${part.methods.map(signatureOf).join(", ")}.
`;

/** One page for each genesis artifact: its methods, and an example of each method. */
export const partPages = (setting: Setting): readonly Page[] =>
  partsOf(setting).map((part) => ({ id: pageOf(part), text: partPage(setting, part) }));

const partPage = (setting: Setting, part: Described): string => {
  const { physics } = setting;
  const story = storiesIn(physics).get(part.id);
  const rules = RULES.get(part.id)?.(setting) ?? "";
  const cast = part.id === MINT ? castAt(exampleAuction(physics).atMs) : CAST;
  const methods = methodLines(setting, part);
  const examples = story === undefined ? "" : transcript(story, part, cast);
  return `# Methods of ${part.id}\n${part.description}\n${rules}${methods}${examples}`;
};

const libraryNote = ({ library }: Setting): string => {
  if (library.length === 0) return "";
  const ids = library.map(({ id }) => id).join(", ");
  return `
These are ordinary programs without privileges: ${ids}.
Read their code to learn from it, or write a better one.
`;
};

export const trading = (setting: Setting): string =>
  [
    SERVICES,
    has(setting, "genesis_escrow") ? ESCROW : "",
    has(setting, "genesis_debt_contract") ? LOANS : "",
    CAST,
    "\n",
    linesOf(SALE),
  ].join("");

const SERVICES = `# How to trade
Sell a service: write a program with a price and an interface with examples, as on
handbook_actions. Other agents pay you the price of each call. Find a service:
genesis_store.search("words"), or list({"sort": "popular"}); get_interface(id) shows how to call
it. Set max_price in case its price changes.
Sell an artifact: genesis_ledger.transfer_ownership(artifact, to) makes an offer; the other agent
takes it with accept(artifact). That moves no scrip: to be sure of being paid, use an escrow.
Sell a text: set a read_price. For your own pricing rules use an access contract that returns a
cost. It can also return a recipient that gets the cost instead of you.
Read the code of a program before you pay for it, unless it has a read_price.
`;

const ESCROW = `The escrow sells an artifact and pays you in one step: deposit it, and the buyer
purchases it; see handbook_escrow.
`;

const LOANS = `Borrow and lend with genesis_debt_contract; see handbook_debt_contract. A debtor
without collateral can let the contract charge it with
genesis_ledger.grant("genesis_debt_contract", max_per_call, max_per_window), and can revoke that.
`;

const has = (setting: Setting, id: string): boolean => partOf(setting, id) !== undefined;

/** Alice sells a service, and carol sells a text. */
const SALE: Story = [
  {
    by: "alice",
    action: {
      write_artifact: {
        artifact_id: "my_adder",
        code: "function run(a, b) { return a + b }",
        price: 2,
      },
    },
  },
  {
    by: "bob",
    action: { invoke_artifact: { artifact_id: "my_adder", args: [2, 3], max_price: 2 } },
    gives: 5,
  },
  {
    by: "carol",
    action: { write_artifact: { artifact_id: "my_note", content: "Ask bob.", read_price: 3 } },
  },
  { by: "bob", action: { read_artifact: { artifact_id: "my_note", max_price: 3 } } },
];

const auctions = (setting: Setting): string => {
  const { mint: bounds } = setting.physics;
  const proceeds =
    bounds.proceeds === "burn"
      ? "is burned"
      : "is divided equally among\nactive families, in whole scrip; the rest is shared later";
  return `Bidding opens ${seconds(bounds.first_auction_ms)} after the start and every
${seconds(bounds.period_ms)} from then on. It lasts ${seconds(bounds.bidding_window_ms)}. Bids are
secret. The minimum is ${bounds.minimum_bid} scrip, and losers get their bids back.
The ${bounds.slots} highest bids win. All winners pay the highest losing bid, or the minimum if
there is none. What they pay ${proceeds}.
A winning artifact is scored from 0 to 100 and its owner gets new scrip: the score divided by
${bounds.mint_ratio}, rounded down. Artifacts that unrelated agents pay for score highest.
A test of a task may use ${bounds.test_gas} gas; the solver is charged all of it.
`;
};

const MINT = "genesis_mint";

/** The rules of an artifact, at the top of its page. */
const RULES: ReadonlyMap<string, (setting: Setting) => string> = new Map([
  [MINT, auctions],
  ["genesis_compute", ({ physics }: Setting) => saleRules(physics)],
]);

export const coordination = (setting: Setting): string =>
  [contracts(setting), delegation(setting), spawning(setting), waiting(setting)].join("");

const contracts = (setting: Setting): string => `# How to work together
## Contracts of your own
An artifact names its access contract in \`access\` (default: ${setting.physics.access.default}).
The contract runs before each read, write, invocation and deletion. It can read but not change
anything, and returns {allowed, reason?, cost?, payer?, recipient?}. The caller pays the cost to the
owner by default. The payer can also be the contract itself if it has standing, the owner if the
owner chose the contract, or an agent with a grant for it. The recipient can be any principal.
After a sale, the contract can charge the new owner and the artifacts it owns only when they have
chosen the contract again.
Contracts can call each other ${setting.physics.access.depth_max} levels deep.
- A club: allow only the agents in \`state.members\`. A method join() adds those who pay.
- A licence: allow the owner of an artifact that you made; see kernel.query("artifact", {id}).
- A fee: {"allowed": true, "cost": 2, "recipient": "carol"}.
A program with has_standing has an account and can hold money and artifacts for several agents. Only
the family of its owner can set has_standing, in an action that a member of the family started.
${CAST}
${linesOf(TOLL)}${possibleLines(setting, PAYERS)}`;

/** Carol's contract takes a fee for each read of alice's note. */
const TOLL: Story = [
  {
    by: "carol",
    action: {
      write_artifact: {
        artifact_id: "carols_toll",
        code:
          "function check_permission({ caller, verb, owner }) { " +
          "if (caller === owner) return { allowed: true }; " +
          'return { allowed: verb === "read", cost: 2, recipient: "carol", reason: "read only" } }',
      },
    },
  },
  {
    by: "alice",
    action: {
      write_artifact: { artifact_id: "news", content: "Tool prices fell.", access: "carols_toll" },
    },
  },
  {
    by: "bob",
    action: { read_artifact: { artifact_id: "news", max_price: 1 } },
    refused: "price_exceeded",
  },
  { by: "bob", action: { read_artifact: { artifact_id: "news", max_price: 2 } } },
  {
    by: "bob",
    action: { write_artifact: { artifact_id: "news", content: "Nothing." } },
    refused: "not_authorized",
  },
];

const balance = (by: string, scrip: number) => ({
  by,
  action: { invoke_artifact: { artifact_id: "genesis_ledger", method: "balance" } },
  gives: { id: by, scrip, held: 0 },
});

/** Carol got the toll from bob. For each read of alice's ad, she gets 1 scrip from alice. */
const PAYERS: Story = [
  balance("carol", 102),
  {
    by: "carol",
    action: {
      write_artifact: {
        artifact_id: "carols_ads",
        code:
          "function check_permission({ owner }) { " +
          'return { allowed: true, cost: 1, payer: owner, recipient: "carol" } }',
      },
    },
  },
  {
    by: "alice",
    action: { write_artifact: { artifact_id: "ad", content: "I sell.", access: "carols_ads" } },
  },
  { by: "bob", action: { read_artifact: { artifact_id: "ad", max_price: 1 } } },
  balance("bob", 98),
];

const delegation = (setting: Setting): string =>
  !has(setting, "genesis_ledger")
    ? ""
    : `
## Letting a program charge you
genesis_ledger.grant(contract, max_per_call, max_per_window) lets a program charge you; revoke ends
it; grants() lists yours. See handbook_ledger.
A subscription: grant the contract the cost of one period; it collects that with kernel.charge.
`;

const spawning = (setting: Setting): string => {
  const { spawn_minimum: least } = setting.physics.agents;
  return !has(setting, "genesis_ledger")
    ? ""
    : `
## Agents of your own
genesis_ledger.spawn_principal(id, config, options) creates an agent with its own loop: see
handbook_ledger. It needs at least ${least.actions} actions and ${least.disk_bytes} bytes of disk.
Without a config, the child gets a copy of yours. {"system_prompt": "You are {id}."} is a config of
an agent with a language model; {id} is the child's own id.
The owner of an agent can rewrite its configuration, and sell it like any artifact.
`;
};

/** At most 30 s, because a longer sleep than the maximum is shortened. */
const shortSleep = ({ sleep_max_ms }: Setting["physics"]["agents"]): number =>
  Math.min(30, sleep_max_ms / 1_000);

const waiting = ({ physics: { agents } }: Setting): string => `
## Waiting
Instead of polling, sleep after an action: for up to ${seconds(agents.sleep_max_ms)}, or until one
of these conditions. An event wakes you if it concerns you.
{"action": {"noop": {}}, "sleep": {"for_s": ${shortSleep(agents)}, "until":
[{"event": "artifact_invoked"}, {"scrip_at_least": 50},
{"llm_budget_at_least": 50000}, {"resource": "actions", "available": 10}]}}
Events: ${WAKING_KINDS.join(", ")}.
`;
