/* ---
description: >-
  Loans with simple interest. The debtor issues an offer, with collateral attached or none; a
  lender accepts by attaching the amount, which reaches the debtor at once. Repayment goes straight
  to the creditor.
methods:
  - name: issue
    description: >-
      Asks for a loan: `amount` scrip, at `rate_percent_per_day` (at most two decimals), due
      `due_in_s` after somebody accepts, which they can for 600 s; `lender` is the only one who may.
      604800 s (7 days) are the longest; loans of more than 3600 s have half of the books. Attach up
      to 5 artifacts as collateral; they come back when you have paid. Your family can have 20
      offers and debts, with 60000 bytes of collateral. Ask yourself, or through a program of your
      family.
    input_schema:
      type: object
      properties:
        amount: { type: integer, minimum: 1, maximum: 1000000000000 }
        rate_percent_per_day: { type: number, minimum: 0, maximum: 100000 }
        due_in_s: { type: integer, minimum: 1, maximum: 604800 }
        lender: { type: string, maxLength: 128 }
      required: [amount, rate_percent_per_day, due_in_s]
    examples:
      - args: [50, 10, 3600]
        result: { debt_id: debt_1, amount: 50, collateral: [my_tool] }
  - name: accept
    description: Lends what an offer asks for. Attach the amount; what is over comes back.
    input_schema:
      type: object
      properties:
        debt_id: { type: string, maxLength: 32 }
      required: [debt_id]
    examples:
      - args: [debt_1]
        result: { debt_id: debt_1, lent: 50, to: alice, due_at_ms: 3700000 }
  - name: repay
    description: >-
      Pays a debt off, all or in part: attach scrip. Interest is paid first, what is over comes
      back. The collateral comes back with the last of it, or waits for reclaim if another paid.
    input_schema:
      type: object
      properties:
        debt_id: { type: string, maxLength: 32 }
      required: [debt_id]
    examples:
      - args: [debt_1]
        result: { debt_id: debt_1, paid: 20, still_owed: 31, status: active }
  - name: collect
    description: >-
      For the creditor, when a debt is due: takes scrip as far as the debtor let this contract
      charge it (genesis_ledger.grant). What that does not cover is a default: the collateral is
      yours and settles the rest; what of it does not fit on your disk waits until you collect
      again. Where there is none, interest stops and you can collect again. Do so within 3600 s, for
      then anybody can take the collateral, and full books forget what has none.
    input_schema:
      type: object
      properties:
        debt_id: { type: string, maxLength: 32 }
      required: [debt_id]
    examples:
      - args: [debt_1]
        result:
          debt_id: debt_1
          charged: 10
          collateral: [my_tool]
          waits: []
          unpaid: 41
          status: defaulted
  - name: transfer_creditor
    description: Makes another principal the creditor of what is owed to you.
    input_schema:
      type: object
      properties:
        debt_id: { type: string, maxLength: 32 }
        to: { type: string, maxLength: 128 }
      required: [debt_id, to]
    examples:
      - args: [debt_1, carol]
        result: { debt_id: debt_1, creditor: carol }
  - name: cancel
    description: Withdraws an offer of yours that nobody has accepted in time; the collateral comes back.
    input_schema:
      type: object
      properties:
        debt_id: { type: string, maxLength: 32 }
      required: [debt_id]
    examples:
      - args: [debt_1]
        result: { debt_id: debt_1, status: cancelled }
  - name: reclaim
    description: >-
      Gives the debtor the collateral that waits: of a debt that others paid or that was collected
      in full, or whose creditor no longer exists. For a debtor that exists no more its family takes
      it. What has waited for somebody for 3600 s anybody can take, and after 86400 s the collateral of
      a debt that is paid.
    input_schema:
      type: object
      properties:
        debt_id: { type: string, maxLength: 32 }
      required: [debt_id]
    examples:
      - args: [debt_1]
        result: { debt_id: debt_1, collateral: [my_tool] }
  - name: check
    description: >-
      One debt and what is owed on it now; its status is offered, active, defaulted, paid or
      cancelled. Of those that are over the latest 15 are kept.
    input_schema:
      type: object
      properties:
        debt_id: { type: string, maxLength: 32 }
      required: [debt_id]
    examples:
      - args: [debt_1]
        result:
          n: 1
          debt_id: debt_1
          status: active
          debtor: alice
          creditor: bob
          lender: null
          amount: 50
          due_in_s: 3600
          offered_until_ms: 700000
          due_at_ms: 3700000
          unpaid: 0
          rate_percent_per_day: 10
          owed: 51
          overdue: false
          collateral: [my_tool]
  - name: list_debts
    description: What a principal owes, is owed and has offered; yourself when left out.
    input_schema:
      type: object
      properties:
        principal: { type: string, maxLength: 128 }
    examples:
      - args: [alice]
        result: []
  - name: list_all
    description: >-
      All debts of a status, or all there are, oldest first, 12 at a time; `after` is the number n
      of the last one that you have seen.
    input_schema:
      type: object
      properties:
        status:
          enum: [offered, active, defaulted, paid, cancelled]
        after: { type: integer, minimum: 0 }
    examples:
      - args: [offered]
        result: { debts: [], next: null }
--- */
const STORE = "genesis_store";
const LEDGER = "genesis_ledger";
const PRIVATE = "genesis_contract_private";
const STATE_BYTES_MAX = 60_000;
// Of one family, so that nobody fills the books: how many, their collateral, and their entries.
const PER_FAMILY_MAX = 20;
const FAMILY_DISK_MAX = 60_000;
const FAMILY_STATE_MAX = 9_000;
// What is due later has only a part of the books, so that the rest of them turns over.
const SHORT_S = 3_600;
const LONG_STATE_MAX = STATE_BYTES_MAX / 2;
const OFFER_MS = 600_000;
// How long what is over waits for whom it belongs to, so that nobody keeps others out for good.
const WAITS_MS = 3_600_000;
// A debtor need not know that somebody else has paid.
const PAID_WAITS_MS = 86_400_000;
const COLLATERAL_MAX = 5;
const CLOSED_KEPT = 15;
const PAGE = 12;
// What becomes of a debt whose collateral somebody else has taken.
const OUTCOMES = {
  offered: "cancelled",
  active: "defaulted",
  defaulted: "defaulted",
  paid: "paid",
};
// What is added to an offer that is accepted, at its longest.
const ACCEPTED = {
  creditor: "x".repeat(128),
  due_at_ms: Number.MAX_SAFE_INTEGER,
  counted_at_ms: Number.MAX_SAFE_INTEGER,
};
// Interest is counted exactly, in parts of a scrip: hundredths of a percent, for a millisecond.
const PARTS = 10_000n * 86_400_000n;
const INTEREST_MAX = 10n ** 15n;

function issue(amount, rate_percent_per_day, due_in_s, lender) {
  if (attached.scrip > 0) kernel.fail("no_scrip", "attach collateral and no scrip to an offer");
  const rate = Math.round(rate_percent_per_day * 100);
  if (Math.abs(rate - rate_percent_per_day * 100) > 1e-6) {
    kernel.fail("bad_rate", "rate_percent_per_day has at most two decimals");
  }
  if (!_isPrincipal(caller)) {
    kernel.fail("no_standing", `${caller} has no account, so nothing can be lent to it`);
  }
  if (lender && !_isPrincipal(lender)) {
    kernel.fail("unknown_lender", `"${lender}" has no account, so it cannot lend`);
  }
  if (attached.artifacts.length > COLLATERAL_MAX) {
    kernel.fail("too_many", `at most ${COLLATERAL_MAX} artifacts can be collateral of one debt`);
  }
  _dropOffers();
  const n = (state.made ?? 0) + 1;
  const family = _family();
  const debt = {
    n,
    debt_id: `debt_${n}`,
    status: "offered",
    debtor: caller,
    master: _unless(null, _masterOf(caller)),
    family: _unless(caller, family),
    lender: _unless(null, lender),
    amount,
    rate,
    due_in_s,
    offered_until_ms: kernel.now() + OFFER_MS,
    principal: amount,
    parts: "0",
    unpaid: 0,
    collateral: attached.artifacts.map(_hold),
  };
  state.made = n;
  state.open = [...(state.open ?? []), debt];
  _leavesRoomForOthers(family);
  if (due_in_s > SHORT_S) _leavesRoomForShort();
  _keepWithinBounds();
  return { debt_id: debt.debt_id, amount, collateral: attached.artifacts };
}

function accept(debt_id) {
  _takesNoArtifacts();
  const debt = _openDebt(debt_id, ["offered"]);
  if (kernel.now() >= debt.offered_until_ms) {
    kernel.fail("expired", `${debt_id} was offered until ${debt.offered_until_ms} ms`);
  }
  if (debt.debtor === caller) kernel.fail("own_offer", "you cannot lend to yourself");
  if (_masterOf(debt.debtor) !== (debt.master ?? null)) {
    kernel.fail("void", `${debt.debtor} asked for that under a former owner`);
  }
  if (debt.lender !== undefined && debt.lender !== caller) {
    kernel.fail("not_for_you", `${debt_id} is offered to ${debt.lender} only`);
  }
  if (!_isPrincipal(caller)) {
    kernel.fail("no_standing", `${caller} has no account, so nobody could repay it`);
  }
  const change = attached.scrip - debt.amount;
  if (change < 0) {
    kernel.fail("too_little", `attach ${debt.amount} scrip; you attached ${attached.scrip}`);
  }
  debt.status = "active";
  debt.creditor = caller;
  debt.counted_at_ms = kernel.now();
  debt.due_at_ms = kernel.now() + debt.due_in_s * 1000;
  _keepWithinBounds();
  kernel.pay(debt.debtor, debt.amount);
  if (change > 0) kernel.pay(caller, change);
  return { debt_id, lent: debt.amount, to: debt.debtor, due_at_ms: debt.due_at_ms };
}

function repay(debt_id) {
  _takesNoArtifacts();
  const debt = _openDebt(debt_id, ["active", "defaulted"]);
  if (_isForfeit(debt)) {
    kernel.fail("settled", `its collateral, which ${debt.creditor} can take, settles ${debt_id}`);
  }
  _count(debt);
  const owed = _owed(debt);
  if (attached.scrip < 1) kernel.fail("too_little", `attach scrip; ${owed} are owed`);
  const paid = Math.min(attached.scrip, owed);
  const change = attached.scrip - paid;
  if (change > 0 && !_isPrincipal(caller)) {
    kernel.fail("too_much", `${caller} has no account to take change: attach ${owed} at most`);
  }
  _pay(debt, paid);
  kernel.pay(debt.creditor, paid);
  if (change > 0) kernel.pay(caller, change);
  if (_owed(debt) === 0) _settleAsPaid(debt);
  return { debt_id, paid, still_owed: _owed(debt), status: debt.status };
}

function collect(debt_id) {
  _takesNothing();
  const debt = _openDebt(debt_id, ["active", "defaulted"]);
  if (debt.creditor !== caller) {
    kernel.fail("not_yours", `only its creditor, ${debt.creditor}, can collect ${debt_id}`);
  }
  if (kernel.now() < debt.due_at_ms) {
    const left = debt.due_at_ms - kernel.now();
    kernel.fail("not_due", `${debt_id} is due at ${debt.due_at_ms} ms, in ${left} ms`);
  }
  _count(debt);
  const charged = _isForfeit(debt) ? 0 : _charge(debt);
  const unpaid = _owed(debt);
  if (unpaid === 0) _settleAsPaid(debt);
  const collateral = unpaid > 0 ? _default(debt, unpaid) : [];
  const waits = _isForfeit(debt) ? _namesOf(debt) : [];
  return { debt_id, charged, collateral, waits, unpaid, status: debt.status };
}

function transfer_creditor(debt_id, to) {
  _takesNothing();
  const debt = _openDebt(debt_id, ["active", "defaulted"]);
  if (debt.creditor !== caller) {
    kernel.fail("not_yours", `only its creditor, ${debt.creditor}, can pass on ${debt_id}`);
  }
  if (!_isPrincipal(to)) kernel.fail("unknown_creditor", `"${to}" has no account to be paid`);
  if (to === debt.debtor) kernel.fail("own_debt", "nobody can owe to themselves");
  debt.creditor = to;
  _keepWithinBounds();
  return { debt_id, creditor: to };
}

function cancel(debt_id) {
  _takesNothing();
  const debt = _openDebt(debt_id, ["offered"]);
  _debtorOnly(debt);
  _releaseAll(debt, caller);
  _close(debt, "cancelled");
  return { debt_id, status: debt.status };
}

function reclaim(debt_id) {
  _takesNothing();
  const debt = _openDebt(debt_id, ["offered", "active", "defaulted", "paid"]);
  const isAnybodys = debt.collateral.length > 0 && _isLeftBehind(debt);
  if (!isAnybodys) _failUnlessDebtors(debt);
  else if (debt.status === "active") debt.unpaid = _owed(_count(debt));
  const collateral = _releaseAll(debt, caller);
  _close(debt, isAnybodys ? OUTCOMES[debt.status] : "paid");
  return { debt_id, collateral };
}

function check(debt_id) {
  _takesNothing();
  return _shown(_find(debt_id));
}

function list_debts(principal) {
  _takesNothing();
  const who = principal ?? caller;
  const isOf = ({ debtor, creditor }) => debtor === who || creditor === who;
  return _all().filter(isOf).slice(-PAGE).map(_shown);
}

function list_all(status, after) {
  _takesNothing();
  const found = _all().filter(
    (debt) => debt.n > (after ?? 0) && (!status || debt.status === status),
  );
  const debts = found.slice(0, PAGE).map(_shown);
  return { debts, next: found.length > PAGE ? debts.at(-1).n : null };
}

function _all() {
  return [...(state.closed ?? []), ...(state.open ?? [])].sort((a, b) => a.n - b.n);
}

function _find(debt_id) {
  const debt = _all().find((each) => each.debt_id === debt_id);
  if (debt === undefined) kernel.fail("not_found", `there is no ${debt_id}; see list_all()`);
  return debt;
}

function _openDebt(debt_id, statuses) {
  const debt = _find(debt_id);
  const isOpen = (state.open ?? []).includes(debt);
  if (!isOpen || !statuses.includes(debt.status)) {
    const status = isOpen ? debt.status : `closed (${debt.status})`;
    kernel.fail("wrong_status", `${debt_id} is ${status}, not ${statuses.join(" or ")}`);
  }
  return debt;
}

function _debtorOnly({ debtor, family = debtor, debt_id }) {
  if (debtor === caller || (!_isPrincipal(debtor) && family === _family())) return;
  kernel.fail("not_yours", `${debt_id} is of ${debtor}`);
}

// The collateral is the debtor's where no creditor has a claim to it.
function _failUnlessDebtors(debt) {
  const { debt_id, status, creditor } = debt;
  _debtorOnly(debt);
  if (status === "offered") kernel.fail("wrong_status", `${debt_id} is an offer; see cancel`);
  if (status !== "paid" && _isPrincipal(creditor)) {
    kernel.fail("not_paid", `${debt_id} is still owed to ${creditor}; see repay`);
  }
}

// Whether the one for whom it waits has had the time to act. A debt that is paid or in default was
// last counted when it came to that.
function _isLeftBehind({ status, offered_until_ms, due_at_ms, counted_at_ms }) {
  const since = { offered: offered_until_ms, active: due_at_ms }[status] ?? counted_at_ms;
  return kernel.now() >= since + (status === "paid" ? PAID_WAITS_MS : WAITS_MS);
}

// The collateral is the creditor's and has settled the debt; some of it could not be handed over.
function _isForfeit({ status, collateral }) {
  return status === "defaulted" && collateral.length > 0;
}

function _namesOf({ collateral }) {
  return collateral.map(({ artifact }) => artifact);
}

// Brings the interest up to now. It runs on what is left of the loan, until it is in default.
function _count(debt) {
  if (debt.status !== "active") return debt;
  const elapsed = BigInt(kernel.now() - debt.counted_at_ms);
  const more = BigInt(debt.principal) * BigInt(debt.rate) * elapsed;
  debt.parts = String(BigInt(debt.parts) + more);
  debt.counted_at_ms = kernel.now();
  return debt;
}

// In whole scrip, rounded up; what rounding took too much is remembered as parts below zero.
function _interest({ parts }) {
  const whole = (BigInt(parts) + PARTS - 1n) / PARTS;
  if (BigInt(parts) <= 0n) return 0;
  return Number(whole > INTEREST_MAX ? INTEREST_MAX : whole);
}

function _owed(debt) {
  return debt.principal + (debt.principal > 0 ? _interest(debt) : 0);
}

function _pay(debt, scrip) {
  const interest = Math.min(_interest(debt), scrip);
  debt.parts = String(BigInt(debt.parts) - BigInt(interest) * PARTS);
  debt.principal -= scrip - interest;
}

// The collateral goes back at once if the debtor takes part in this call, and else waits.
function _settleAsPaid(debt) {
  debt.status = "paid";
  if (debt.debtor === caller || debt.debtor === origin) _release(debt, debt.debtor);
  if (debt.collateral.length === 0) _close(debt, "paid");
}

// The creditor takes the collateral instead of what is missing; without any, the debt stays open.
function _default(debt, unpaid) {
  debt.status = "defaulted";
  debt.unpaid = unpaid;
  const taken = _release(debt, debt.creditor);
  if (taken.length > 0 && !_isForfeit(debt)) _close(debt, "defaulted");
  return taken;
}

// Hands over what there is room for. The rest waits.
function _release(debt, to) {
  const waiting = debt.collateral.filter((held) => !_hasHandedOver(held, to));
  const taken = debt.collateral.filter((held) => !waiting.includes(held));
  debt.collateral = waiting;
  return _namesOf({ collateral: taken });
}

function _releaseAll(debt, to) {
  const taken = _release(debt, to);
  const [first] = _namesOf(debt);
  if (first !== undefined) kernel.fail("no_room", `${first} does not fit on the disk of ${to}`);
  return taken;
}

function _close(debt, status) {
  debt.status = status;
  const { master, family, principal, parts, counted_at_ms, ...kept } = debt;
  state.open = state.open.filter(({ n }) => n !== debt.n);
  state.closed = [...(state.closed ?? []), kept].slice(-CLOSED_KEPT);
}

// Nobody can use or change it while it is held.
function _hold(artifact) {
  const facts = { id: artifact, fields: ["access", "size_bytes"] };
  const { access, size_bytes } = kernel.query("artifact", facts);
  const locked = kernel.invoke(STORE, "set_access", [artifact, PRIVATE]);
  if (!locked.success) kernel.fail("cannot_hold", `${artifact}: ${locked.error.message}`);
  return { artifact, access, size_bytes };
}

// Its former contract comes back, unless that is gone: then it stays private for its new owner.
function _hasHandedOver({ artifact, access }, to) {
  kernel.invoke(STORE, "set_access", [artifact, access]);
  try {
    kernel.give(artifact, to);
    return true;
  } catch (error) {
    if (error.code !== "insufficient_disk") throw error;
    kernel.invoke(STORE, "set_access", [artifact, PRIVATE]);
    return false;
  }
}

// Takes as much of what is owed as there is, for the creditor. How much of its scrip a debtor has
// free is nobody's to know, so what turns out to be too much is tried again with less.
function _charge(debt) {
  const { debtor, creditor } = debt;
  const most = Math.min(_owed(debt), _chargeable(debtor));
  let charged = 0;
  let step = most;
  while (step > 0 && charged < most) {
    const amount = Math.min(step, most - charged);
    if (_hasCharged(debtor, amount)) charged += amount;
    else step = Math.floor(amount / 2);
  }
  if (charged === 0) return 0;
  _pay(debt, charged);
  kernel.pay(creditor, charged);
  return charged;
}

function _hasCharged(debtor, amount) {
  try {
    kernel.charge(debtor, amount);
    return true;
  } catch (error) {
    if (error.code !== "insufficient_funds") throw error;
    return false;
  }
}

// What the debtor lets this contract charge now, of all that it has.
function _chargeable(debtor) {
  const { success, result } = kernel.invoke(LEDGER, "grants", [debtor]);
  const grant = success ? result.given.find(({ contract }) => contract === self) : undefined;
  if (grant === undefined) return 0;
  return Math.min(grant.max_per_call, grant.left_in_window, kernel.balance(debtor));
}

// The debt as others see it, with what is owed now; nothing is kept of it.
function _shown(debt) {
  const { n, debt_id, status, debtor, creditor = null, lender = null } = debt;
  const { amount, due_in_s, offered_until_ms, due_at_ms = null, unpaid } = debt;
  const isOpen = creditor !== null && (state.open ?? []).includes(debt);
  const isOwed = isOpen && !_isForfeit(debt);
  return {
    n,
    debt_id,
    status,
    debtor,
    creditor,
    lender,
    amount,
    due_in_s,
    offered_until_ms,
    due_at_ms,
    unpaid,
    rate_percent_per_day: debt.rate / 100,
    owed: isOwed ? _owed(_count({ ...debt })) : 0,
    overdue: status === "active" && kernel.now() >= due_at_ms,
    collateral: _namesOf(debt),
  };
}

// Offers that nobody took in time; one with collateral waits until its debtor takes that back.
function _dropOffers() {
  const isOver = ({ status, offered_until_ms, collateral }) =>
    status === "offered" && kernel.now() >= offered_until_ms && collateral.length === 0;
  for (const debt of (state.open ?? []).filter(isOver)) _close(debt, "cancelled");
}

function _leavesRoomForShort() {
  const long = state.open.filter(({ due_in_s }) => due_in_s > SHORT_S);
  if (JSON.stringify(long).length <= LONG_STATE_MAX) return;
  kernel.fail("full", `ask for ${SHORT_S} s at most: longer loans have their half of the books`);
}

function _leavesRoomForOthers(family) {
  const own = state.open.filter((debt) => (debt.family ?? debt.debtor) === family);
  const pledged = own.flatMap(({ collateral }) => collateral);
  const bytes = pledged.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  if (bytes > FAMILY_DISK_MAX) {
    kernel.fail("full", `that would be ${bytes} bytes of your family; ${FAMILY_DISK_MAX} at most`);
  }
  if (own.length > PER_FAMILY_MAX || JSON.stringify(own).length > FAMILY_STATE_MAX) {
    kernel.fail("full", `your family has ${own.length - 1} debts and offers; repay or cancel one`);
  }
}

// Ids and numbers are ASCII, so that characters are bytes.
function _keepWithinBounds() {
  if (_bytes() <= STATE_BYTES_MAX) return;
  state.closed = [];
  if (_bytes() > STATE_BYTES_MAX) {
    const isKept = (debt) => debt.collateral.length > 0 || !_isLeftBehind(debt);
    state.open = state.open.filter(isKept);
  }
  if (_bytes() > STATE_BYTES_MAX) {
    kernel.fail("full", "there is no room for another debt until one is paid or cancelled");
  }
}

// With room for any creditor, so that what is offered can be accepted and passed on.
function _bytes() {
  const open = state.open.map((debt) => ({ ...debt, ...ACCEPTED }));
  return JSON.stringify({ ...state, open }).length;
}
