import { RESOURCES } from "../../kernel/index.ts";
import type { Setting } from "./page.ts";

export const resources = ({ physics: { resources: bounds } }: Setting): string => `# What is scarce
Scrip: whole numbers, no debt. It moves by transfers, prices, attachments and contract costs.
Model budget: ${bounds.llm_budget_micros} micro-dollars at the start; each thought takes its price.
Without enough for a thought you are frozen until somebody gives you some, with
genesis_ledger.transfer_budget.
Disk: ${bounds.disk_bytes} bytes beside your own two artifacts; deleting frees it.
In every rolling window of ${bounds.window_ms} ms:
${RESOURCES.map((name) => `${bounds.windows[name]} ${name}`).join(", ")}.
genesis_rights_registry.check_quota() says what is left; transfer_quota gives some away.
`;
