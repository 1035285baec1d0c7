/* ---
description: >-
  Loans with simple interest. A debtor issues an offer, with or without collateral; a lender accepts
  it by attaching the amount, which the debtor gets at once. Repayments go directly to the creditor.
methods:
  - name: issue
    description: >-
      Asks for a loan of `amount` scrip at `rate_percent_per_day` (up to two decimals), due
      `due_in_s` after acceptance. The offer is open for 600 s; if you name a `lender`, no other can
      accept. The longest loan is 604800 s (7 days); loans over 3600 s can use half of the book.
      Attach up to 5 artifacts as collateral; you get them back when you have paid. Your family can
      have 20 offers and debts with 60000 bytes of collateral. Ask yourself, or through a program of
      your family.
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
      - args: [10, 0, 60]
        result: { debt_id: debt_2, amount: 10, collateral: [] }
      - args: [5, 0, 60, bob]
        result: { debt_id: debt_3, amount: 5, collateral: [my_tool] }
  - name: accept
    description: Lends the amount of an offer. Attach it; you get change.
    input_schema:
      type: object
      properties:
        debt_id: { type: string, maxLength: 32 }
      required: [debt_id]
    examples:
      - args: [debt_1]
        result: { debt_id: debt_1, lent: 50, to: alice, due_at_ms: 3700000 }
      - args: [debt_3]
        result: { debt_id: debt_3, lent: 5, to: carol, due_at_ms: 3761000 }
  - name: repay
    description: >-
      Pays all or part of a debt: attach scrip. Interest is paid first; you get change. The last
      payment returns the collateral; if another agent paid, the debtor can reclaim it.
    input_schema:
      type: object
      properties:
        debt_id: { type: string, maxLength: 32 }
      required: [debt_id]
    examples:
      - args: [debt_1]
        result: { debt_id: debt_1, paid: 20, still_owed: 30, status: active }
      - args: [debt_3]
        result: { debt_id: debt_3, paid: 5, still_owed: 0, status: paid }
  - name: collect
    description: >-
      For the creditor of a due debt: charges the debtor as far as it allowed this contract to
      (genesis_ledger.grant). If that is not enough, the debt is in default: you get the collateral,
      which settles the debt; artifacts that do not fit on your disk wait until you collect again.
      Without collateral interest stops, and you can collect again. Collect within 3600 s: then any
      agent can take the collateral, and a full book drops debts without collateral.
    input_schema:
      type: object
      properties:
        debt_id: { type: string, maxLength: 32 }
      required: [debt_id]
    examples:
      - args: [debt_1]
        result:
          debt_id: debt_1
          charged: 0
          collateral: [my_tool]
          waits: []
          unpaid: 31
          status: defaulted
  - name: transfer_creditor
    description: Makes another principal the creditor of a debt that is owed to you.
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
    description: Withdraws your offer and returns the collateral.
    input_schema:
      type: object
      properties:
        debt_id: { type: string, maxLength: 32 }
      required: [debt_id]
    examples:
      - args: [debt_2]
        result: { debt_id: debt_2, status: cancelled }
  - name: reclaim
    description: >-
      Returns collateral to the debtor: of a debt that another agent paid or that was collected in
      full, or whose creditor no longer exists. If the debtor no longer exists, its family can
      reclaim it. Any agent can take collateral that has waited for 3600 s, or for 86400 s if the
      debt is paid.
    input_schema:
      type: object
      properties:
        debt_id: { type: string, maxLength: 32 }
      required: [debt_id]
    examples:
      - args: [debt_3]
        result: { debt_id: debt_3, collateral: [my_tool] }
  - name: check
    description: >-
      One debt and what is owed now. Its status is offered, active, defaulted, paid or cancelled.
      The latest 15 closed debts are kept.
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
          creditor: carol
          lender: null
          amount: 50
          due_in_s: 3600
          offered_until_ms: 700000
          due_at_ms: 3700000
          unpaid: 0
          rate_percent_per_day: 10
          owed: 31
          overdue: true
          collateral: [my_tool]
  - name: list_debts
    description: The debts and offers of a principal, by default your own.
    input_schema:
      type: object
      properties:
        principal: { type: string, maxLength: 128 }
    examples:
      - args: [alice]
        result:
          - n: 1
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
            owed: 50
            overdue: false
            collateral: [my_tool]
  - name: list_all
    description: >-
      All debts, or those of a status, oldest first, 12 at a time; `after` is the number n of the
      last one that you have seen.
    input_schema:
      type: object
      properties:
        status:
          enum: [offered, active, defaulted, paid, cancelled]
        after: { type: integer, minimum: 0 }
    examples:
      - args: [offered]
        result:
          debts:
            - n: 1
              debt_id: debt_1
              status: offered
              debtor: alice
              creditor: null
              lender: null
              amount: 50
              due_in_s: 3600
              offered_until_ms: 700000
              due_at_ms: null
              unpaid: 0
              rate_percent_per_day: 10
              owed: 0
              overdue: false
              collateral: [my_tool]
          next: null
--- */
const STORE = "genesis_store";
const LEDGER = "genesis_ledger";
const PRIVATE = "genesis_contract_private";
const STATE_BYTES_MAX = 60_000;
// Bounds of one family, so that none fills the book: debts, bytes of collateral, bytes of entries.
const PER_FAMILY_MAX = 20;
const FAMILY_DISK_MAX = 60_000;
const FAMILY_STATE_MAX = 9_000;
// Longer loans can use only a part of the book, so that the remainder turns over.
const SHORT_S = 3_600;
const LONG_STATE_MAX = STATE_BYTES_MAX / 2;
const OFFER_MS = 600_000;
// How long collateral waits for its claimant, so that abandoned debts do not keep others out.
const WAITS_MS = 3_600_000;
// Longer, because a debtor may not know that another agent has paid.
const PAID_WAITS_MS = 86_400_000;
const COLLATERAL_MAX = 5;
const CLOSED_KEPT = 15;
const PAGE = 12;
// The final status of a debt whose collateral another agent has taken.
const OUTCOMES = {
  offered: "cancelled",
  active: "defaulted",
  defaulted: "defaulted",
  paid: "paid",
};
// What acceptance adds to an offer, at its longest.
const ACCEPTED = {
  creditor: "x".repeat(128),
  due_at_ms: Number.MAX_SAFE_INTEGER,
  counted_at_ms: Number.MAX_SAFE_INTEGER,
};
// Interest is counted exactly, in parts of a scrip: a hundredth of a percent for a millisecond.
const PARTS = 10_000n * 86_400_000n;
const INTEREST_MAX = 10n ** 15n;

function issue(amount, rate_percent_per_day, due_in_s, lender) {
  if (attached.scrip > 0) kernel.fail("no_scrip", "attach collateral to an offer, but no scrip");
  const rate = Math.round(rate_percent_per_day * 100);
  if (Math.abs(rate - rate_percent_per_day * 100) > 1e-6) {
    kernel.fail("bad_rate", "rate_percent_per_day can have at most two decimals");
  }
  if (!_isPrincipal(caller)) {
    kernel.fail("no_standing", `${caller} has no account, so it cannot borrow`);
  }
  if (lender && !_isPrincipal(lender)) {
    kernel.fail("unknown_lender", `"${lender}" has no account, so it cannot lend`);
  }
  if (attached.artifacts.length > COLLATERAL_MAX) {
    kernel.fail("too_many", `a debt can have at most ${COLLATERAL_MAX} artifacts as collateral`);
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
    kernel.fail("void", `${debt.debtor} asked for this loan under a former owner`);
  }
  if (debt.lender !== undefined && debt.lender !== caller) {
    kernel.fail("not_for_you", `${debt_id} is offered to ${debt.lender} only`);
  }
  if (!_isPrincipal(caller)) {
    kernel.fail("no_standing", `${caller} has no account, so it cannot be repaid`);
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
    kernel.fail(
      "settled",
      `${debt_id} is settled by its collateral, which ${debt.creditor} can collect`,
    );
  }
  _count(debt);
  const owed = _owed(debt);
  if (attached.scrip < 1) kernel.fail("too_little", `attach scrip: ${owed} scrip are owed`);
  const paid = Math.min(attached.scrip, owed);
  const change = attached.scrip - paid;
  if (change > 0 && !_isPrincipal(caller)) {
    kernel.fail("too_much", `${caller} has no account for change: attach at most ${owed} scrip`);
  }
  _pay(debt, paid);
  kernel.pay(debt.creditor, paid);
  kernel.notify(debt.debtor);
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
  kernel.notify(debt.debtor);
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
    kernel.fail("not_yours", `only its creditor, ${debt.creditor}, can transfer ${debt_id}`);
  }
  if (!_isPrincipal(to)) kernel.fail("unknown_creditor", `"${to}" has no account to be paid`);
  if (to === debt.debtor) kernel.fail("own_debt", "a debtor cannot be its own creditor");
  debt.creditor = to;
  kernel.notify(debt.debtor);
  _keepWithinBounds();
  return { debt_id, creditor: to };
}

function cancel(debt_id) {
  _takesNothing();
  const debt = _openDebt(debt_id, ["offered"]);
  _debtorOnly(debt);
  _releaseAll(debt, caller);
  _notifyParties(debt);
  _close(debt, "cancelled");
  return { debt_id, status: debt.status };
}

function reclaim(debt_id) {
  _takesNothing();
  const debt = _openDebt(debt_id, ["offered", "active", "defaulted", "paid"]);
  const isAbandoned = debt.collateral.length > 0 && _isLeftBehind(debt);
  if (!isAbandoned) _failUnlessDebtors(debt);
  else if (debt.status === "active") debt.unpaid = _owed(_count(debt));
  const collateral = _releaseAll(debt, caller);
  _notifyParties(debt);
  _close(debt, isAbandoned ? OUTCOMES[debt.status] : "paid");
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

function _notifyParties({ debtor, creditor = null, lender = null }) {
  for (const id of [debtor, creditor, lender]) if (id !== null) kernel.notify(id);
}

function _debtorOnly({ debtor, family = debtor, debt_id }) {
  if (debtor === caller || (!_isPrincipal(debtor) && family === _family())) return;
  kernel.fail("not_yours", `${debt_id} belongs to ${debtor}`);
}

// The debtor gets the collateral only if no creditor has a claim to it.
function _failUnlessDebtors(debt) {
  const { debt_id, status, creditor } = debt;
  _debtorOnly(debt);
  if (status === "offered") kernel.fail("wrong_status", `${debt_id} is an offer; see cancel`);
  if (status !== "paid" && _isPrincipal(creditor)) {
    kernel.fail("not_paid", `${debt_id} is still owed to ${creditor}; see repay`);
  }
}

// Whether the claimant has missed its time to act. Interest of a paid or defaulted debt was last
// counted when it became so.
function _isLeftBehind({ status, offered_until_ms, due_at_ms, counted_at_ms }) {
  const since = { offered: offered_until_ms, active: due_at_ms }[status] ?? counted_at_ms;
  return kernel.now() >= since + (status === "paid" ? PAID_WAITS_MS : WAITS_MS);
}

// The collateral has settled the debt, but part of it did not fit on the creditor's disk.
function _isForfeit({ status, collateral }) {
  return status === "defaulted" && collateral.length > 0;
}

function _namesOf({ collateral }) {
  return collateral.map(({ artifact }) => artifact);
}

// Adds the interest up to now, on the remaining principal. A debt in default bears none.
function _count(debt) {
  if (debt.status !== "active") return debt;
  const elapsed = BigInt(kernel.now() - debt.counted_at_ms);
  const more = BigInt(debt.principal) * BigInt(debt.rate) * elapsed;
  debt.parts = String(BigInt(debt.parts) + more);
  debt.counted_at_ms = kernel.now();
  return debt;
}

// In whole scrip, rounded up; overpaid rounding stays as negative parts.
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

// Returns the collateral at once if the debtor takes part in this call; otherwise it waits.
function _settleAsPaid(debt) {
  debt.status = "paid";
  if (debt.debtor === caller || debt.debtor === origin) _release(debt, debt.debtor);
  if (debt.collateral.length === 0) _close(debt, "paid");
}

// The creditor gets the collateral for the unpaid part. Without collateral the debt stays open.
function _default(debt, unpaid) {
  debt.status = "defaulted";
  debt.unpaid = unpaid;
  const taken = _release(debt, debt.creditor);
  if (taken.length > 0 && !_isForfeit(debt)) _close(debt, "defaulted");
  return taken;
}

// Gives what fits on the disk of `to`; the remainder waits.
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

// Private, so that it cannot be used or changed while it is held.
function _hold(artifact) {
  const facts = { id: artifact, fields: ["access", "size_bytes"] };
  const { access, size_bytes } = kernel.query("artifact", facts);
  const locked = kernel.invoke(STORE, "set_access", [artifact, PRIVATE]);
  if (!locked.success) kernel.fail("cannot_hold", `${artifact}: ${locked.error.message}`);
  return { artifact, access, size_bytes };
}

// Restores the former access contract. If that was deleted, the artifact stays private.
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

// Charges as much of the debt as possible for the creditor. The free balance of the debtor is not
// public, so a charge that is too high is tried again with less.
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

// How much this contract can charge the debtor now, at most its balance.
function _chargeable(debtor) {
  const { success, result } = kernel.invoke(LEDGER, "grants", [debtor]);
  const grant = success ? result.given.find(({ contract }) => contract === self) : undefined;
  if (grant === undefined) return 0;
  return Math.min(grant.max_per_call, grant.left_in_window, kernel.balance(debtor));
}

// The public view of a debt, with the amount owed now. Does not change the state.
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

// Closes expired offers. One with collateral waits until its debtor takes that back.
function _dropOffers() {
  const isOver = ({ status, offered_until_ms, collateral }) =>
    status === "offered" && kernel.now() >= offered_until_ms && collateral.length === 0;
  for (const debt of (state.open ?? []).filter(isOver)) _close(debt, "cancelled");
}

function _leavesRoomForShort() {
  const long = state.open.filter(({ due_in_s }) => due_in_s > SHORT_S);
  if (JSON.stringify(long).length <= LONG_STATE_MAX) return;
  kernel.fail(
    "full",
    `the part of the book for loans over ${SHORT_S} s is full: ask for at most ${SHORT_S} s`,
  );
}

function _leavesRoomForOthers(family) {
  const own = state.open.filter((debt) => (debt.family ?? debt.debtor) === family);
  const pledged = own.flatMap(({ collateral }) => collateral);
  const bytes = pledged.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  if (bytes > FAMILY_DISK_MAX) {
    kernel.fail(
      "full",
      `your family would have ${bytes} bytes here; the maximum is ${FAMILY_DISK_MAX}`,
    );
  }
  if (own.length > PER_FAMILY_MAX || JSON.stringify(own).length > FAMILY_STATE_MAX) {
    kernel.fail("full", `your family has ${own.length - 1} debts and offers; repay or cancel one`);
  }
}

// Ids and numbers are ASCII, so characters are bytes.
function _keepWithinBounds() {
  if (_bytes() <= STATE_BYTES_MAX) return;
  state.closed = [];
  if (_bytes() > STATE_BYTES_MAX) {
    const isKept = (debt) => debt.collateral.length > 0 || !_isLeftBehind(debt);
    state.open = state.open.filter(isKept);
  }
  if (_bytes() > STATE_BYTES_MAX) {
    kernel.fail("full", "no room for another debt until one is paid or cancelled");
  }
}

// With room for any creditor, so that every offer can be accepted and transferred.
function _bytes() {
  const open = state.open.map((debt) => ({ ...debt, ...ACCEPTED }));
  return JSON.stringify({ ...state, open }).length;
}
