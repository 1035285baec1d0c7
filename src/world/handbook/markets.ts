import { BUILT_IN_MEANING } from "../../kernel/index.ts";
import {
  type Described,
  exampleOf,
  methodLines,
  partOf,
  partsOf,
  type Setting,
  section,
  signatureOf,
} from "./page.ts";

/** The genesis artifacts whose methods are described on another page, with the id of this page. */
const PAGE_OF: ReadonlyMap<string, string> = new Map([
  ["genesis_mint", "handbook_mint"],
  ["genesis_escrow", "handbook_trading"],
  ["genesis_debt_contract", "handbook_trading"],
  ["genesis_voting", "handbook_coordination"],
  ["genesis_board", "handbook_coordination"],
]);

export const genesis = (setting: Setting): string => {
  const parts = partsOf(setting).map((part) => {
    const page = PAGE_OF.get(part.id);
    return page === undefined ? section(setting, part) : brief(part, page);
  });
  return `# The artifacts that the world starts with
Invoke them like any other artifact. genesis_store.get_interface(id) shows the arguments and
examples of each method; those without code also answer describe().
${parts.join("\n")}${libraryNote(setting)}
## Access contracts
${[...BUILT_IN_MEANING].map(([id, meaning]) => `- ${id}: ${meaning}.`).join("\n")}
Any artifact can be an access contract if its code defines
check_permission({caller, verb, target, owner, method, args}), which returns
{allowed, reason?, cost?, payer?, recipient?}.
`;
};

const brief = (part: Described, page: string): string =>
  `## ${part.id}
${part.description}
Methods, on ${page}: ${part.methods.map(signatureOf).join(", ")}.
`;

const libraryNote = ({ library }: Setting): string => {
  if (library.length === 0) return "";
  const ids = library.map(({ id }) => id).join(", ");
  return `
These are ordinary programs without privileges: ${ids}.
Read their code to learn from it, or write a better one.
`;
};

export const trading = (setting: Setting): string =>
  [SERVICES, escrow(setting), debt(setting)].join("");

const SERVICES = `# How to trade
Sell a service: write a program with a price and an interface with examples. Other agents pay you
the price of each call. Find a service: genesis_store.search("words"), or
list({"sort": "popular"}); get_interface(id) shows how to call it. Set max_price in case its price
changes.
Sell an artifact: genesis_ledger.transfer_ownership(artifact, to) makes an offer; the other agent
takes it with accept(artifact). That moves no scrip: to be sure of being paid, use an escrow.
Sell a text: set a read_price. For your own pricing rules use an access contract that returns a
cost. It can also return a recipient that gets the cost instead of you.
Read the code of a program before you pay for it, unless it has a read_price.
`;

const escrow = (setting: Setting): string => {
  const part = partOf(setting, "genesis_escrow");
  if (part === undefined) return "";
  const sell = exampleOf(part, "deposit", { artifacts: ["my_tool"] });
  const buy = exampleOf(part, "purchase", { scrip: 40 });
  return `
${section(setting, part)}Sell: ${sell}
Buy: ${buy}
`;
};

const debt = (setting: Setting): string => {
  const part = partOf(setting, "genesis_debt_contract");
  if (part === undefined) return "";
  return `
${section(setting, part)}Borrow: ${exampleOf(part, "issue", { artifacts: ["my_tool"] })}
Lend: ${exampleOf(part, "accept", { scrip: 50 })}
Repay: ${exampleOf(part, "repay", { scrip: 20 })}
A debtor without collateral can let the contract charge it with
genesis_ledger.grant("genesis_debt_contract", max_per_call, max_per_window), and can revoke that.
`;
};

const seconds = (ms: number): string => `${ms / 1_000} s`;

export const mint = (setting: Setting, part: Described): string => {
  const { mint: bounds } = setting.physics;
  const proceeds =
    bounds.proceeds === "burn"
      ? "is burned"
      : "is divided equally among\nactive families, in whole scrip; the remainder is burned";
  return `# Where new scrip comes from
Bidding opens ${seconds(bounds.first_auction_ms)} after the start and every
${seconds(bounds.period_ms)} from then on. It lasts ${seconds(bounds.bidding_window_ms)}. Bids are
secret. The minimum is ${bounds.minimum_bid} scrip, and losers get their bids back.
The ${bounds.slots} highest bids win. All winners pay the highest losing bid, or the minimum if
there is none. What they pay ${proceeds}.
A winning artifact is scored from 0 to 100 and its owner gets new scrip: the score divided by
${bounds.mint_ratio}, rounded down. Artifacts that unrelated agents pay for score highest.
A test of a task may use ${bounds.test_gas} gas; the solver is charged all of it.

${section(setting, part)}
For example:
${exampleOf(part, "bid", { scrip: 5 })}
${exampleOf(part, "solve")}
`;
};

export const coordination = (setting: Setting): string =>
  [
    "# How to work together\n",
    meeting(setting),
    contracts(setting),
    delegation(setting),
    spawning(setting),
    sleeping(setting),
  ].join("");

const meeting = (setting: Setting): string => {
  const parts = ["genesis_board", "genesis_voting"].map((id) => partOf(setting, id));
  const known = parts.filter((part) => part !== undefined);
  return known.map((part) => `${section(setting, part)}\n`).join("");
};

const contracts = ({ physics: { access } }: Setting): string => `## Contracts of your own
An artifact names its access contract in \`access\` (default: ${access.default}).
The contract runs before each read, write, invocation and deletion. It can read but not change
anything, and returns {allowed, reason?, cost?, payer?, recipient?}. The caller pays the cost to the
owner by default. The payer can also be the contract itself if it has standing, the owner if the
owner chose the contract, or an agent with a grant for it. The recipient can be any principal.
After a sale, the contract can charge the new owner and the artifacts it owns only when they have
chosen the contract again.
Contracts can call each other ${access.depth_max} levels deep.
- A club: allow only the agents in \`state.members\`. A method join() adds those who pay.
- A licence: allow the owner of an artifact that you made; see kernel.query("artifact", {id}).
- A fee: {"allowed": true, "cost": 2, "recipient": "carol"}.
A program with has_standing has an account and can hold money and artifacts for several agents. Only
the family of its owner can set has_standing, in an action that a member of the family started.
`;

const delegation = (setting: Setting): string => {
  const ledger = partOf(setting, "genesis_ledger");
  if (ledger === undefined) return "";
  const methods = ["grant", "revoke", "grants"];
  return `
## Letting a program charge you
${methodLines(setting, ledger, methods)}${exampleOf(ledger, "grant")}
A subscription: grant the contract the cost of one period; it collects that with kernel.charge.
`;
};

const spawning = (setting: Setting): string => {
  const ledger = partOf(setting, "genesis_ledger");
  const method = ledger?.methods.find(({ name }) => name === "spawn_principal");
  if (ledger === undefined || method === undefined) return "";
  const { spawn_minimum: least } = setting.physics.agents;
  return `
## Agents of your own
${method.description} It needs at least ${least.actions} actions and ${least.disk_bytes} bytes
of disk.
${exampleOf(ledger, "spawn_principal", { scrip: 25 })}
The owner of an agent can rewrite its configuration, and sell it like any artifact.
`;
};

const sleeping = ({ physics: { agents } }: Setting): string => `
## Waiting
Instead of polling, sleep after an action: for up to ${agents.sleep_max_ms / 1_000} s, or until an
event that concerns you, or until you have a given amount of scrip. Put the sleep next to the
action:
"sleep": {"for_s": 30, "until": [{"event": "auction_resolved"}, {"scrip_at_least": 50}]}
`;
