import type { Json } from "../../../kernel/index.ts";
import { call, type Duty } from "./affairs.ts";

export type Nursery = {
  /** Scrip above which it can afford a child; null: it never has one. */
  readonly rich_at: number | null;
  /** The configuration of the child. */
  readonly config: Json;
};

/** The part of its scrip that a parent gives its child. */
const DOWRY_SHARE = 0.25;
/** With fewer actions in a window a child is not worth having. */
const ACTIONS_MIN = 10;
/** A child needs this long to earn its keep. */
const CHILDHOOD_MS = 120_000;

/** An agent that has grown rich founds a second business: a child of its own with its own funds. */
export const haveChild =
  ({ rich_at, config }: Nursery): Duty =>
  ({ view, memory }) => {
    const late = view.horizonMs - view.now < CHILDHOOD_MS;
    if (rich_at === null || late || memory.children > 0 || view.account.scrip < rich_at)
      return null;
    const scrip = Math.floor(view.account.scrip * DOWRY_SHARE);
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
      affairs: { ...memory, children: memory.children + 1 },
    };
  };

/** Model budget with which a child goes on for a while, in thoughts. */
const HELP_THOUGHTS = 30;

/** Helps up a child of its own that has run out of model budget. */
export const helpChild: Duty = ({ view, memory, thoughtMicros }) => {
  const child = view.children.find(({ state }) => state === "frozen");
  const micros = HELP_THOUGHTS * thoughtMicros;
  if (child === undefined || view.account.llmBudgetMicros < 2 * micros) return null;
  return {
    action: call("genesis_ledger.transfer_budget", [child.id, micros]),
    why: `${child.id} is its own and frozen`,
    affairs: memory,
  };
};
