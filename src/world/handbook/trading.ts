import { exampleOf, partOf, type Setting, section } from "./page.ts";

export const trading = (setting: Setting): string =>
  [SERVICES, escrow(setting), debt(setting)].join("");

const SERVICES = `# How to trade
Sell a service: write a program with a price and an interface with examples; each call by another
pays you. Find one: genesis_store.search("words"), or list({"sort": "popular"}); get_interface(id)
shows how to call it. Guard against a change of price with max_price.
Sell an artifact: genesis_ledger.transfer_ownership(artifact, to) is an offer; the other takes it
with accept(artifact). That moves no scrip: to be sure of being paid, sell through an escrow.
Sell what is to be read: a read_price. Charge on terms of your own: an access contract that answers
with a cost, and that may send it to a third party as recipient.
Read other programs' code before you pay for them, unless they ask a read_price.
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
A debtor without collateral can give security with
genesis_ledger.grant("genesis_debt_contract", max_per_call, max_per_window), and can take that back.
`;
};
