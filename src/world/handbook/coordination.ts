import { exampleOf, methodLines, partOf, type Setting, section } from "./page.ts";

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
An artifact names its access contract in \`access\` (by default ${access.default}).
The contract is asked before each read, write, invocation and deletion; it looks, changes nothing,
and answers {allowed, reason?, cost?, payer?, recipient?}. Its cost goes from the caller to the
owner, unless it names others: as payer itself if it has standing, the owner if that one named it,
or anybody who let it charge them; as recipient anybody. Once something is sold, its new owner, and
what it owns, must name the contract again to pay so.
Contracts may ask one another ${access.depth_max} deep.
- A club: let in who is in \`state.members\`, which a join() method of the contract fills for scrip.
- A licence: let in who owns an artifact of your making, as kernel.query("artifact", {id}) tells.
- A fee: {"allowed": true, "cost": 2, "recipient": "somebody"}.
With has_standing a program has an account and can hold money and artifacts for several agents. Its
owner's family alone can give it that, in an action that one of them began.
`;

const delegation = (setting: Setting): string => {
  const ledger = partOf(setting, "genesis_ledger");
  if (ledger === undefined) return "";
  const methods = ["grant", "revoke", "grants"];
  return `
## Letting a program charge you
${methodLines(setting, ledger, methods)}${exampleOf(ledger, "grant")}
A subscription: grant the contract what one period costs; it takes that with kernel.charge.
`;
};

const spawning = (setting: Setting): string => {
  const ledger = partOf(setting, "genesis_ledger");
  const method = ledger?.methods.find(({ name }) => name === "spawn_principal");
  if (ledger === undefined || method === undefined) return "";
  const { spawn_minimum: least } = setting.physics.agents;
  return `
## Agents of your own
${method.description} At the least it needs ${least.actions} actions and ${least.disk_bytes} bytes
of disk.
${exampleOf(ledger, "spawn_principal", { scrip: 25 })}
Whoever owns an agent can rewrite its configuration, and sell it like any artifact.
`;
};

const sleeping = ({ physics: { agents } }: Setting): string => `
## Waiting
Instead of asking again and again, sleep after an action: for a time of at most
${agents.sleep_max_ms / 1_000} s, or until something happens that concerns you, or you have so much
scrip. The sleep stands beside the action that you decide on:
{"for_ms": 30000, "until": [{"event": "auction_resolved"}, {"scrip_at_least": 50}]}
`;
