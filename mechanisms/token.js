/* ---
description: >-
  A good in whole units. Agents hold, transfer and sell units; a market takes them if you approve it
  first.
settings:
  type: object
  properties:
    initial:
      type: object
      description: the units of each holder at the start, by id
      additionalProperties: { type: integer, minimum: 1, maximum: 1000000000 }
      default: {}
    issuer:
      type: [string, "null"]
      description: the only principal that can issue more units; null for none
      default: null
  additionalProperties: false
include: [shared.js]
methods:
  - name: balance
    description: The units of a holder; without an id, your own.
    input_schema:
      type: object
      properties:
        id: { type: string, maxLength: 128 }
    examples:
      - { args: [alice], result: { id: alice, units: 20 } }
  - name: transfer
    description: Gives units of yours to a principal.
    input_schema:
      type: object
      properties:
        to: { type: string, maxLength: 128 }
        units: { type: integer, minimum: 1, maximum: 1000000000 }
      required: [to, units]
    examples:
      - { args: [bob, 3], result: { from: alice, to: bob, units: 3 } }
  - name: approve
    description: >-
      Lets a program, such as a market, take up to this many of your units. A new approval replaces
      the old one; 0 ends it.
    input_schema:
      type: object
      properties:
        spender: { type: string, maxLength: 128 }
        units: { type: integer, minimum: 0, maximum: 1000000000 }
      required: [spender, units]
    examples:
      - { args: [market, 10], result: { spender: market, units: 10 } }
  - name: transfer_from
    description: Moves units of a holder that has approved you. Markets call this.
    input_schema:
      type: object
      properties:
        from: { type: string, maxLength: 128 }
        to: { type: string, maxLength: 128 }
        units: { type: integer, minimum: 1, maximum: 1000000000 }
      required: [from, to, units]
    examples:
      - { args: [alice, bob, 2], result: { from: alice, to: bob, units: 2 } }
  - name: allowance
    description: How many units of a holder a program can still take.
    input_schema:
      type: object
      properties:
        holder: { type: string, maxLength: 128 }
        spender: { type: string, maxLength: 128 }
      required: [holder, spender]
    examples:
      - { args: [alice, market], result: { holder: alice, spender: market, units: 10 } }
  - name: issue
    description: Makes new units. Only the issuer can do this.
    input_schema:
      type: object
      properties:
        to: { type: string, maxLength: 128 }
        units: { type: integer, minimum: 1, maximum: 1000000000 }
      required: [to, units]
    examples:
      - { args: [bob, 5], result: { to: bob, units: 5, supply: 25 } }
  - name: burn
    description: Destroys units of yours.
    input_schema:
      type: object
      properties:
        units: { type: integer, minimum: 1, maximum: 1000000000 }
      required: [units]
    examples:
      - { args: [1], result: { units: 1, supply: 24 } }
  - name: status
    description: The supply, the issuer, and the holders with the most units.
    input_schema: { type: object, properties: {} }
    examples:
      - { args: [], result: { supply: 20, issuer: carol, holders: 1, largest: [[alice, 20]] } }
--- */
const SUPPLY_MAX = 1_000_000_000_000;
const HOLDINGS_BYTES_MAX = 40_000;
const APPROVALS_BYTES_MAX = 16_000;
const APPROVALS_OF_ONE_MAX = 8;
const SHOWN = 20;

function balance(id) {
  _takesNothing();
  const holder = id ?? caller;
  return { id: holder, units: _at(_holdings(), holder, 0) };
}

function transfer(to, units) {
  _takesNothing();
  _move(caller, to, _whole("units", units));
  return { from: caller, to, units };
}

function approve(spender, units) {
  _takesNothing();
  _whole("units", units, { min: 0 });
  if (!_exists(spender)) kernel.fail("unknown_spender", `there is no "${spender}"`);
  const { [spender]: _old, ...others } = _approvals(caller);
  const own = units === 0 ? others : { ...others, [spender]: units };
  if (Object.keys(own).length > APPROVALS_OF_ONE_MAX) {
    kernel.fail("full", `you can approve ${APPROVALS_OF_ONE_MAX} programs; end one with 0 units`);
  }
  _approve(caller, own);
  return { spender, units };
}

function transfer_from(from, to, units) {
  _takesNothing();
  _whole("units", units);
  const own = _approvals(from);
  const left = _at(own, caller, 0) - units;
  if (left < 0) {
    const has = _at(own, caller, 0);
    kernel.fail("not_approved", `${from} has approved ${caller} for ${has} units, not ${units}`);
  }
  _move(from, to, units);
  const { [caller]: _spent, ...others } = own;
  _approve(from, left === 0 ? others : { ...others, [caller]: left });
  return { from, to, units };
}

function allowance(holder, spender) {
  _takesNothing();
  return { holder, spender, units: _at(_approvals(holder), spender, 0) };
}

function issue(to, units) {
  _takesNothing();
  _whole("units", units);
  if (caller !== settings.issuer) {
    const who = settings.issuer === null ? "no one" : `only ${settings.issuer}`;
    kernel.fail("not_issuer", `${who} can issue units of ${self}`);
  }
  const supply = _supply() + units;
  _whole("the supply", supply, { max: SUPPLY_MAX });
  _add(to, units);
  return { to, units, supply };
}

function burn(units) {
  _takesNothing();
  _take(caller, _whole("units", units));
  return { units, supply: _supply() };
}

function status() {
  _takesNothing();
  const all = Object.entries(_holdings());
  const largest = all.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, SHOWN);
  return { supply: _supply(), issuer: settings.issuer, holders: all.length, largest };
}

function _holdings() {
  state.units ??= { ...settings.initial };
  return state.units;
}

function _supply() {
  return Object.values(_holdings()).reduce((sum, units) => sum + units, 0);
}

function _move(from, to, units) {
  _take(from, units);
  _add(to, units);
}

function _take(from, units) {
  const has = _at(_holdings(), from, 0);
  if (has < units) kernel.fail("too_few", `${from} has ${has} units of ${self}, not ${units}`);
  if (has === units) delete state.units[from];
  else state.units[from] = has - units;
}

// A holder must have an account, so that units cannot be lost by a wrong name.
function _add(to, units) {
  const has = _at(_holdings(), to, 0);
  if (has === 0 && !_hasAccount(to)) {
    kernel.fail("unknown_holder", `"${to}" has no account, so it cannot hold units`);
  }
  if (has === 0) _dropLost(state.units);
  state.units[to] = has + units;
  if (has === 0 && JSON.stringify(state.units).length > HOLDINGS_BYTES_MAX) {
    kernel.fail("full", `${self} has no room for another holder`);
  }
}

// The units that each program can still take from a holder.
function _approvals(holder) {
  return _at(state.approved, holder, { units: {} }).units;
}

// Keeps the newest approvals. The oldest of the family with most of them leave first, and their
// holder approves again.
function _approve(holder, units) {
  const { [holder]: old, ...others } = state.approved ?? {};
  const isNone = Object.keys(units).length === 0;
  const family = old?.family ?? (isNone ? null : _familyOf(holder));
  state.approved = isNone ? others : { ...others, [holder]: { family, units } };
  while (JSON.stringify(state.approved).length > APPROVALS_BYTES_MAX) {
    delete state.approved[_crowdOf(state.approved)[0]];
  }
}

function _exists(id) {
  try {
    return kernel.query("artifact", { id, fields: ["has_standing"] }) !== null;
  } catch {
    return false;
  }
}
