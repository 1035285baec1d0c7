import type { Json } from "../../kernel/index.ts";
import { call } from "../core/policy.ts";
import type { Duty } from "./duty.ts";
import { giveBudget } from "./fuel.ts";

/** The minimum actions per window for a child. With fewer, a child cannot earn back its cost. */
const ACTIONS_MIN = 10;
const PAYBACK_MS = 120_000;
/** The time between two children. The parent first earns back what it gave. */
const CHILD_EVERY_MS = 300_000;

/** Spawns a child when the agent is rich. The child gets a quarter of what the agent has. */
export const haveChild =
  (richAt: number | null, config: Json): Duty =>
  ({ view, memory }) => {
    const late = view.horizonMs - view.now < PAYBACK_MS;
    const isRich = richAt !== null && view.account.scrip >= richAt;
    const soon = view.now - memory.childAt < CHILD_EVERY_MS;
    if (!isRich || late || soon) return null;
    const { windows } = view;
    const part = (whole: number): number => Math.floor(whole / 4);
    const actions = Math.min(part(windows.actions.quota), windows.actions.available);
    if (actions < ACTIONS_MIN) return null;
    const given = {
      llm_budget_micros: part(view.account.llmBudgetMicros),
      disk_bytes: part(view.diskLeft),
      actions,
      llm_tokens: part(windows.llm_tokens.available),
      cpu_gas: part(windows.cpu_gas.available),
      bytes_written: part(windows.bytes_written.available),
    };
    const scrip = part(view.account.scrip);
    const id = `${view.id}_${memory.children + 2}`;
    return {
      action: call("genesis_ledger.spawn_principal", [id, config, given], { attach: { scrip } }),
      why: `${view.account.scrip} scrip are enough to found a second business`,
      memory: { ...memory, children: memory.children + 1, childAt: view.now },
    };
  };

export const helpChild: Duty = (here) => {
  const child = here.view.children.find(
    ({ state, lacks }) => state === "frozen" && lacks === "llm_budget",
  );
  return child === undefined ? null : giveBudget(here, child.id, `its child ${child.id} is frozen`);
};
