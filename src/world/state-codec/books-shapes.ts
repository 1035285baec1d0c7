import type {
  Account,
  Entry,
  Flow,
  Grant,
  Hold,
  Purpose,
  Quotas,
  Usage,
  WrittenWindow,
} from "../../kernel/index.ts";
import {
  amount,
  either,
  finite,
  holdId,
  id,
  list,
  nullable,
  oneOf,
  record,
  text,
} from "./shape.ts";

export const quotas = record<Quotas>({
  actions: amount,
  llm_calls: amount,
  llm_tokens: amount,
  cpu_gas: amount,
  bytes_written: amount,
});

export const account = record<Account>({
  id,
  scrip: amount,
  held: amount,
  llmBudgetMicros: amount,
  diskUsed: amount,
  diskQuota: amount,
  quotas,
  owned: amount,
  parent: nullable(id),
});

const window = record<WrittenWindow>({
  entries: list(record<Entry>({ at: amount, amount })),
  total: amount,
});

export const usage = record<{ readonly [R in keyof Usage]: WrittenWindow }>({
  actions: window,
  llm_calls: window,
  llm_tokens: window,
  cpu_gas: window,
  bytes_written: window,
});

type PurposeOf<Kind> = Extract<Purpose, { readonly kind: Kind }>;

const purpose = either<Purpose>(
  record<PurposeOf<"purse">>({ kind: oneOf(["purse"]), artifact: id }),
  record<PurposeOf<"bid">>({ kind: oneOf(["bid"]), submission: text }),
  record<PurposeOf<"task">>({ kind: oneOf(["task"]), task: text }),
);

export const hold = record<Hold>({ id: holdId, owner: id, amount, purpose });

export const grant = record<Omit<Grant, "used"> & { readonly used: WrittenWindow }>({
  grantor: id,
  contract: id,
  maxPerCall: amount,
  maxPerWindow: amount,
  used: window,
});

/** What was paid back and forth often enough is more than can be counted to the last scrip. */
export const flow = record<Flow>({ from: id, to: id, amount: finite });
