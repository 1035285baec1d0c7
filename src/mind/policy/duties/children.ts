import type { Json } from "../../../kernel/index.ts";
import { call } from "../policy.ts";
import type { Duty } from "./duty.ts";

type ChildPlan = {
  /** The scrip with which it can afford a child; null: never. */
  readonly rich_at: number | null;
  /** The configuration of the child. */
  readonly config: Json;
};

/** The share of its scrip that a parent gives its child. */
const ENDOWMENT_SHARE = 0.25;
/** A child with fewer actions in a window cannot pay for itself. */
const ACTIONS_MIN = 10;
/** A child needs this long to pay for itself. */
const PAYBACK_MS = 120_000;

/** A rich agent founds a second business: one child, endowed with a quarter of what it has. */
export const haveChild =
  ({ rich_at, config }: ChildPlan): Duty =>
  ({ view, memory }) => {
    const late = view.horizonMs - view.now < PAYBACK_MS;
    if (rich_at === null || late || memory.children > 0 || view.account.scrip < rich_at)
      return null;
    const scrip = Math.floor(view.account.scrip * ENDOWMENT_SHARE);
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
    const id = `${view.id}_${memory.children + 2}`;
    return {
      action: call("genesis_ledger.spawn_principal", [id, config, given], { attach: { scrip } }),
      why: `${view.account.scrip} scrip are enough to found a second business`,
      memory: { ...memory, children: memory.children + 1 },
    };
  };

/** Model budget that a frozen child gets, in thoughts. */
const HELP_THOUGHTS = 30;

/** Gives a frozen child model budget. */
export const helpChild: Duty = ({ view, memory, thoughtMicros }) => {
  const child = view.children.find(({ state }) => state === "frozen");
  const micros = HELP_THOUGHTS * thoughtMicros;
  if (child === undefined || view.account.llmBudgetMicros < 2 * micros) return null;
  return {
    action: call("genesis_ledger.transfer_budget", [child.id, micros]),
    why: `its child ${child.id} is frozen`,
    memory,
  };
};
