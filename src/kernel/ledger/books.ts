import { type Customer, customerKey } from "../artifact/artifact.ts";
import { noteSale } from "../artifact/code-history.ts";
import type { EventKind, EventOf, Stamp } from "../event.ts";
import { rootOf } from "../family/family.ts";
import { flowKey } from "../mint/mint-state.ts";
import type { HoldId, Id } from "../primitives/ids.ts";
import { invariant, must } from "../primitives/invariant.ts";
import { perResource, type Quotas } from "../setup/physics.ts";
import { type Changes, type State, worldRow } from "../state.ts";
import { type Account, type BudgetSupply, type Hold, quotaOf } from "./account.ts";
import { consume, emptyUsage } from "./rolling-window.ts";

/** Only this file writes accounts, holds, usages and supply. A missing row is a bug and throws. */
const account = (state: State, id: Id): Account =>
  must(state.accounts.get(id), `the principal of a recorded event must have an account: ${id}`);

const enter = (state: State, row: Account): void => {
  const isValid = row.scrip >= 0 && row.held >= 0 && row.llmBudgetMicros >= 0 && row.diskUsed >= 0;
  invariant(isValid, `no balance of ${row.id} may be negative`);
  const sums = [row.scrip + row.held, row.llmBudgetMicros, row.diskUsed, row.diskQuota];
  const safe = sums.every((sum) => Number.isSafeInteger(sum));
  invariant(safe, `every balance of ${row.id} must be a safe integer`);
  state.accounts.put(row.id, row);
};

const addScrip = (state: State, id: Id, amount: number): void => {
  const row = account(state, id);
  enter(state, { ...row, scrip: row.scrip + amount });
};

const supply = (state: State, change: { minted?: number; burned?: number; endowed?: number }) => {
  const world = worldRow(state);
  const { endowed, minted, burned } = world.supply;
  state.world.put("world", {
    ...world,
    supply: {
      endowed: endowed + (change.endowed ?? 0),
      minted: minted + (change.minted ?? 0),
      burned: burned + (change.burned ?? 0),
    },
  });
};

const changeBudget = (state: State, change: Partial<BudgetSupply>): void => {
  const world = worldRow(state);
  const { endowed, issued, spent } = world.budget;
  state.world.put("world", {
    ...world,
    budget: {
      endowed: endowed + (change.endowed ?? 0),
      issued: issued + (change.issued ?? 0),
      spent: spent + (change.spent ?? 0),
    },
  });
};

/** Adds new model budget of the world to an account. */
export const issueBudget = (state: State, id: Id, micros: number): void => {
  const row = account(state, id);
  enter(state, { ...row, llmBudgetMicros: row.llmBudgetMicros + micros });
  changeBudget(state, { issued: micros });
};

/** Takes model budget out of an account and out of the world. */
export const withdrawBudget = (state: State, id: Id, micros: number): void => {
  const row = account(state, id);
  enter(state, { ...row, llmBudgetMicros: row.llmBudgetMicros - micros });
  changeBudget(state, { spent: micros });
};

/** Adds to the proceeds that wait for the next sharing. */
const collect = (state: State, amount: number): void => {
  const world = worldRow(state);
  const undistributed = world.undistributed + amount;
  invariant(undistributed >= 0, "more proceeds cannot be shared than were collected");
  state.world.put("world", { ...world, undistributed });
};

/** Moves scrip of an account to the proceeds, from a hold if given, otherwise from free scrip. */
export const payProceeds = (
  state: State,
  payer: Id,
  { hold: from, amount }: { readonly hold: HoldId | null; readonly amount: number },
): void => {
  const row = account(state, payer);
  if (from === null) enter(state, { ...row, scrip: row.scrip - amount });
  else {
    const { owner } = takeFromHold(state, from, amount);
    invariant(owner === payer, `hold ${from} must belong to ${payer}`);
    enter(state, { ...row, held: row.held - amount });
  }
  collect(state, amount);
};

const openAccount = (state: State, event: EventOf<"principal_created">): void => {
  state.usages.put(event.id, emptyUsage());
  invariant(!state.accounts.has(event.id), `an account must be opened only once: ${event.id}`);
  state.families.put(event.id, event.parent === null ? event.id : rootOf(state, event.parent));
  enter(state, {
    id: event.id,
    scrip: event.scrip,
    held: 0,
    llmBudgetMicros: event.llm_budget_micros,
    diskUsed: 0,
    diskQuota: event.disk_quota,
    quotas: event.quotas,
    owned: 0,
    parent: event.parent,
  });
  supply(state, { endowed: event.scrip });
  if (event.llm_budget_micros > 0) changeBudget(state, { endowed: event.llm_budget_micros });
};

export const closeAccount = (state: State, id: Id): void => {
  const { scrip, held, llmBudgetMicros, diskUsed, owned } = account(state, id);
  const empty = scrip + held + llmBudgetMicros + diskUsed + owned === 0;
  invariant(empty, `an account must be empty before it is closed: ${id}`);
  state.accounts.remove(id);
  state.usages.remove(id);
  if (state.standingOrders.has(id)) state.standingOrders.remove(id);
  if (state.mailboxes.has(id)) state.mailboxes.remove(id);
};

export const MONEY_CHANGES = {
  principal_created: openAccount,

  scrip_transferred: (state, event) => {
    addScrip(state, event.from, -event.amount);
    addScrip(state, event.to, event.amount);
    noteFlow(state, event.from, event);
    notePrice(state, event.from, event);
  },

  scrip_minted: (state, event) => {
    addScrip(state, event.to, event.amount);
    supply(state, { minted: event.amount });
  },

  scrip_burned: (state, event) => {
    addScrip(state, event.from, -event.amount);
    supply(state, { burned: event.amount });
  },

  scrip_held: (state, { hold: id, from: owner, amount, purpose }) => {
    const row = account(state, owner);
    enter(state, { ...row, scrip: row.scrip - amount, held: row.held + amount });
    newHold(state, { id, owner, amount, purpose });
  },

  hold_split: (state, { hold: from, into: id, amount, purpose }) => {
    const { owner } = takeFromHold(state, from, amount);
    newHold(state, { id, owner, amount, purpose });
  },

  hold_spent: (state, event) => {
    const from = takeFromHold(state, event.hold, event.amount);
    const owner = account(state, from.owner);
    enter(state, { ...owner, held: owner.held - event.amount });
    if (event.to === null) supply(state, { burned: event.amount });
    else addScrip(state, event.to, event.amount);
    noteFlow(state, from.owner, event);
    notePrice(state, from.owner, event);
  },

  /** Returns the remainder to the hold `into` if given, otherwise to the account of the owner. */
  hold_released: (state, event) => {
    const row = hold(state, event.hold);
    state.holds.remove(event.hold);
    if (event.into !== null) {
      const into = hold(state, event.into);
      state.holds.put(into.id, { ...into, amount: into.amount + row.amount });
      return;
    }
    const owner = account(state, row.owner);
    enter(state, { ...owner, scrip: owner.scrip + row.amount, held: owner.held - row.amount });
  },

  proceeds_collected: (state, { hold: id, amount }) =>
    payProceeds(state, hold(state, id).owner, { hold: id, amount }),

  proceeds_shared: (state, { to, amount, payer, of_price }) => {
    collect(state, -amount);
    addScrip(state, to, amount);
    if (payer !== null && of_price > 0) noteFlow(state, payer, { to, amount: of_price });
  },

  proceeds_burned: (state, event) => {
    collect(state, -event.amount);
    supply(state, { burned: event.amount });
  },

  budget_transferred: (state, event) => {
    const from = account(state, event.from);
    enter(state, { ...from, llmBudgetMicros: from.llmBudgetMicros - event.micros });
    const to = account(state, event.to);
    enter(state, { ...to, llmBudgetMicros: to.llmBudgetMicros + event.micros });
  },

  quota_transferred: (state, event) => {
    const shift = (id: Id, amount: number): void => {
      const row = account(state, id);
      const quota = quotaOf(row, event.resource) + amount;
      invariant(quota >= 0 && Number.isSafeInteger(quota), `no quota of ${id} may be negative`);
      if (event.resource === "disk") {
        enter(state, { ...row, diskQuota: quota });
        return;
      }
      const quotas = { ...row.quotas, [event.resource]: quota };
      enter(state, { ...row, quotas });
    };
    shift(event.from, -event.amount);
    shift(event.to, event.amount);
  },
} satisfies Partial<Changes<EventKind>>;

/** Records a price as paid by `payer`, even if another principal started the action. */
const notePrice = (
  state: State,
  payer: Id,
  { to, amount, reason, artifact_id: artifact }: EventOf<"hold_spent" | "scrip_transferred">,
): void => {
  if (reason !== "price" || artifact === undefined) return;
  const key = customerKey(artifact, payer);
  const { calls, paid, paidTo } = state.customers.get(key) ?? NOTHING_BOUGHT;
  const row = { artifact, principal: payer, calls, paid: paid + amount, paidTo };
  if (to === null) return state.customers.put(key, row);
  const family = rootOf(state, to);
  const before = Object.hasOwn(paidTo, family) ? (paidTo[family] ?? 0) : 0;
  const got = { ...paidTo, [family]: before + amount };
  state.customers.put(key, { ...row, paidTo: got });
  noteSale(state, artifact, [payer, to]);
};

export const NOTHING_BOUGHT: Pick<Customer, "calls" | "paid" | "paidTo"> = {
  calls: 0,
  paid: 0,
  paidTo: {},
};

/** Records the total that one account paid another, including shares of prices paid at the mint. */
const noteFlow = (
  state: State,
  from: Id,
  { to, amount }: Pick<EventOf<"hold_spent">, "to" | "amount">,
): void => {
  if (to === null || to === from) return;
  const key = flowKey(from, to);
  const before = state.flows.get(key)?.amount ?? 0;
  state.flows.put(key, { from, to, amount: before + amount });
};

const hold = (state: State, id: HoldId): Hold =>
  must(state.holds.get(id), `the hold of a recorded event must exist: ${id}`);

const newHold = (state: State, row: Hold): void => {
  const world = worldRow(state);
  state.world.put("world", { ...world, holdsMade: world.holdsMade + 1 });
  state.holds.put(row.id, row);
};

const takeFromHold = (state: State, id: HoldId, amount: number): Hold => {
  const row = hold(state, id);
  invariant(row.amount >= amount, `hold ${id} must cover what is taken from it`);
  state.holds.put(id, { ...row, amount: row.amount - amount });
  return row;
};

export const chargeDisk = (state: State, owner: Id, change: { bytes: number; owned: number }) => {
  const row = state.accounts.get(owner);
  if (row === undefined) return;
  const diskUsed = row.diskUsed + change.bytes;
  enter(state, { ...row, diskUsed, owned: row.owned + change.owned });
};

/** Charges model budget and renewable resources. */
export const useUp = (
  state: State,
  event: Stamp,
  used: Partial<Quotas> & { readonly micros?: number },
): void => {
  const id = must(event.principal, "only a principal can use resources");
  const usage = must(state.usages.get(id), `a principal must have windows: ${id}`);
  const window = { now: event.at_ms, windowMs: worldRow(state).physics.resources.window_ms };
  const after = perResource((name) => consume(usage[name], used[name] ?? 0, window));
  state.usages.put(id, after);
  const row = account(state, id);
  const spent = Math.min(used.micros ?? 0, row.llmBudgetMicros);
  if (spent === 0) return;
  enter(state, { ...row, llmBudgetMicros: row.llmBudgetMicros - spent });
  changeBudget(state, { spent });
};
