import { partiesOf, rootOf } from "../artifact/owners.ts";
import { notePrice } from "../artifact/trade.ts";
import type { Decision } from "../core/decision.ts";
import { invariant, must } from "../core/errors.ts";
import { type EventIn, rowsOf } from "../core/event.ts";
import type { HoldId, Id } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import type { Quotas } from "../core/physics.ts";
import { physicsOf } from "../core/world.ts";
import { grantKey, type LedgerTables, type Purpose, type QuotaName } from "./account.ts";
import * as books from "./books.ts";
import { consume, emptyUsage, emptyWindow } from "./rolling-window.ts";

export type Reason =
  | "transfer"
  | "price"
  | "read_price"
  | "access"
  | "attached"
  | "pay"
  | "charge"
  | "spawn"
  | "task";

type Delegation = { readonly grantor: Id; readonly contract: Id };

/** A grant concerns the principal that can be charged, and the contract and its owner. */
const ofGrant = ({ grantor, contract }: Delegation, state: LedgerTables) => [
  grantor,
  ...partiesOf(state, contract),
];

const row = rowsOf<LedgerTables>();

/** Events that move money and quotas. */
export const LEDGER_EVENTS = {
  principal_created: row<{
    id: Id;
    scrip: number;
    llm_budget_micros: number;
    disk_quota: number;
    quotas: Quotas;
    parent: Id | null;
  }>({
    about: "an account was opened; the event has the first balance and quotas",
    evolve: (state, { id, scrip, llm_budget_micros, disk_quota, quotas, parent }) => {
      state.usages.put(id, emptyUsage());
      invariant(!state.accounts.has(id), `an account must be opened only once: ${id}`);
      state.families.put(id, parent === null ? id : rootOf(state, parent));
      books.enter(state, {
        id,
        scrip,
        held: 0,
        llmBudgetMicros: llm_budget_micros,
        diskUsed: 0,
        diskQuota: disk_quota,
        quotas,
        owned: 0,
        parent,
      });
      books.changeSupply(state, { endowed: scrip });
      if (llm_budget_micros > 0) books.changeBudget(state, { endowed: llm_budget_micros });
    },
    concerns: ({ parent }) => [parent],
    facts: ({ id, scrip }) => ({ target: id, amount: scrip }),
  }),

  scrip_transferred: row<{
    from: Id;
    to: Id;
    amount: number;
    reason: Reason;
    artifact_id?: Id;
    memo?: string;
  }>({
    about: "scrip moved between accounts; the event has the reason",
    evolve: (state, event) => {
      const { from, to, amount } = event;
      books.addScrip(state, from, -amount);
      books.addScrip(state, to, amount);
      books.noteFlow(state, from, to, amount);
      notePrice(state, from, event);
    },
    // A payment concerns its receiver and the owner of the artifact that it was made for.
    concerns: ({ to, artifact_id }, state) => [to, ...partiesOf(state, artifact_id)],
    facts: ({ artifact_id, principal, from, to, amount }) => ({
      // A program that pays is the target.
      target: artifact_id ?? (from === principal ? null : from),
      other: to,
      amount,
    }),
    // The event of the call or the read also has the price.
    isToldElsewhere: ({ reason }) => reason === "price" || reason === "read_price",
  }),

  scrip_minted: row<{ to: Id; amount: number; reason: string }>({
    about: "new scrip came into the world",
    evolve: (state, { to, amount }) => {
      books.addScrip(state, to, amount);
      books.changeSupply(state, { minted: amount });
    },
    concerns: ({ to }) => [to],
    facts: ({ to, amount }) => ({ other: to, amount }),
  }),

  scrip_burned: row<{ from: Id; amount: number; reason: string }>({
    about: "scrip left the world, for example to pay for a genesis method",
    evolve: (state, { from, amount }) => {
      books.addScrip(state, from, -amount);
      books.changeSupply(state, { burned: amount });
    },
    facts: ({ amount }) => ({ amount }),
  }),

  scrip_held: row<{ hold: HoldId; from: Id; amount: number; purpose: Purpose }>({
    about: "scrip was set aside for a purpose",
    evolve: (state, { hold: id, from: owner, amount, purpose }) =>
      books.holdScrip(state, { id, owner, amount, purpose }),
  }),

  hold_split: row<{ hold: HoldId; into: HoldId; amount: number; purpose: Purpose }>({
    about: "part of a hold was set aside for a nested call",
    evolve: (state, { hold, into: id, amount, purpose }) => {
      const owner = books.takeFromHold(state, hold, amount);
      books.openHold(state, { id, owner, amount, purpose });
    },
  }),

  hold_spent: row<{
    hold: HoldId;
    to: Id | null;
    amount: number;
    reason: Reason | "burned";
    artifact_id?: Id;
  }>({
    about: "held scrip was paid out or burned",
    evolve: (state, event) => {
      const { hold, to, amount } = event;
      const owner = books.spendHold(state, hold, amount);
      if (to === null) books.changeSupply(state, { burned: amount });
      else books.addScrip(state, to, amount);
      books.noteFlow(state, owner, to, amount);
      notePrice(state, owner, event);
    },
    concerns: ({ to, artifact_id }, state) => [to, ...partiesOf(state, artifact_id)],
    facts: ({ artifact_id, to, amount, reason }) =>
      to === null || reason === "price" || reason === "read_price"
        ? null
        : { target: artifact_id ?? null, other: to, amount },
  }),

  hold_released: row<{ hold: HoldId; into: HoldId | null }>({
    about: "the remainder of a hold was returned",
    evolve: (state, { hold, into }) => books.releaseHold(state, hold, into),
    concerns: ({ hold }, state) => [state.holds.get(hold)?.owner],
  }),

  /** Held scrip became proceeds of the mint, which are then shared or burned. */
  proceeds_collected: row<{ hold: HoldId; amount: number; artifact_id: Id }>({
    about: "the price that the winner of an auction paid became proceeds",
    evolve: (state, { hold, amount }) => {
      const { owner } = books.holdNamed(state, hold);
      books.payProceeds(state, owner, hold, amount);
    },
  }),

  /** `payer` caused the sharing, and `of_price` of `amount` is a part of the price it paid. */
  proceeds_shared: row<{ to: Id; amount: number; payer: Id | null; of_price: number }>({
    about: "an active family received its share of the proceeds",
    evolve: (state, { to, amount, payer, of_price }) => {
      books.collect(state, -amount);
      books.addScrip(state, to, amount);
      if (payer !== null && of_price > 0) books.noteFlow(state, payer, to, of_price);
    },
    concerns: ({ to }) => [to],
    facts: ({ to, amount }) => ({ other: to, amount }),
  }),

  proceeds_burned: row<{ amount: number }>({
    about: "proceeds left the world, because the configuration says so",
    evolve: (state, { amount }) => {
      books.collect(state, -amount);
      books.changeSupply(state, { burned: amount });
    },
  }),

  budget_issued: row<{ to: Id; micros: number }>({
    about: "the schedule gave new model budget to a principal",
    evolve: (state, { to, micros }) => books.issueBudget(state, to, micros),
    // An agent sees its own budget. That of others is private.
    concerns: ({ to }) => [to],
  }),

  budget_withdrawn: row<{ from: Id; micros: number }>({
    about: "the schedule took model budget from a principal",
    evolve: (state, { from, micros }) => {
      books.addBudget(state, from, -micros);
      books.changeBudget(state, { spent: micros });
    },
  }),

  budget_transferred: row<{ from: Id; to: Id; micros: number }>({
    about: "model budget moved between accounts, in micro-dollars",
    evolve: (state, { from, to, micros }) => {
      books.addBudget(state, from, -micros);
      books.addBudget(state, to, micros);
    },
    concerns: ({ to }) => [to],
    facts: ({ to, micros }) => ({ other: to, amount: micros }),
  }),

  quota_transferred: row<{ from: Id; to: Id; resource: QuotaName; amount: number }>({
    about: "disk quota or window quota moved between accounts",
    evolve: (state, { from, to, resource, amount }) => {
      books.addQuota(state, from, resource, -amount);
      books.addQuota(state, to, resource, amount);
    },
    concerns: ({ to }) => [to],
    facts: ({ to, amount }) => ({ other: to, amount }),
  }),

  delegation_granted: row<Delegation & { max_per_call: number; max_per_window: number }>({
    about: "a principal allowed a contract to charge this principal, within limits",
    evolve: (state, event) => {
      const { grantor, contract, max_per_call: maxPerCall, max_per_window: maxPerWindow } = event;
      const key = grantKey(grantor, contract);
      const used = state.grants.get(key)?.used ?? emptyWindow();
      state.grants.put(key, { grantor, contract, maxPerCall, maxPerWindow, used });
    },
    concerns: ofGrant,
    facts: ({ contract, grantor }) => ({ target: contract, other: grantor }),
  }),

  delegation_revoked: row<Delegation>({
    about: "a principal ended a grant, so the contract can no longer charge this principal",
    evolve: (state, { grantor, contract }) => state.grants.remove(grantKey(grantor, contract)),
    concerns: ofGrant,
    facts: ({ contract, grantor }) => ({ target: contract, other: grantor }),
  }),

  delegation_used: row<Delegation & { amount: number }>({
    about: "a contract charged a principal under its grant",
    evolve: (state, { grantor, contract, amount, at_ms: now }) => {
      const key = grantKey(grantor, contract);
      const grant = must(state.grants.get(key), `a charge must have a delegation: ${key}`);
      const windowMs = physicsOf(state).resources.window_ms;
      state.grants.put(key, { ...grant, used: consume(grant.used, amount, { now, windowMs }) });
    },
    concerns: ofGrant,
    facts: ({ contract, grantor, amount }) => ({ target: contract, other: grantor, amount }),
  }),
};

export type LedgerEvents = typeof LEDGER_EVENTS;
export type LedgerEvent = EventIn<LedgerEvents>;
export type LedgerDecision<Answer = Json> = Decision<Answer, LedgerEvent>;
