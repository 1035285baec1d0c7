/* ---
description: >-
  Induced values (Smith, 1976): pays each trader its own fixed list of values for the units that it
  redeems, so that everyone's gains from trade are known.
settings:
  type: object
  properties:
    good: { type: string, description: the id of the token that is redeemed }
    values: { type: object, description: "what units are worth to each trader, the highest first" }
    period_s:
      type: [integer, "null"]
      minimum: 1
      maximum: 604800
      default: null
      description: "after so many seconds each trader has all of its values again; null: never"
  required: [good, values]
  additionalProperties: false
include: [shared.js, payments.js]
methods:
  - name: worth
    description: What each unit that you can still redeem is worth to you, in scrip, in this order.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: [180, 132, 84]
  - name: redeem
    description: >-
      Takes units of the good from you and pays what they are worth to you. First approve this
      program at the token.
    input_schema:
      type: object
      properties:
        units: { type: integer, minimum: 1, maximum: 1000 }
      required: [units]
    examples:
      - args: [2]
        result: { units: 2, scrip: 312 }
  - name: status
    description: >-
      The number of the period, from 1, when it ends, and how many units all traders have redeemed in
      it.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { period: 1, ends_at_ms: null, redeemed: 2 }
--- */
function worth() {
  _takesNothing();
  return _at(settings.values, caller, []).slice(_at(_redeemed(), caller, 0));
}

function redeem(units) {
  _takesNothing();
  _whole("units", units, { max: 1000 });
  const values = worth();
  if (units > values.length) {
    kernel.fail("no_value", `only ${values.length} more units are worth anything to ${caller}`);
  }
  _pull(units);
  const scrip = values.slice(0, units).reduce((sum, value) => sum + value, 0);
  const by = _redeemed();
  const { period } = _period();
  state.redeemed = { period, by: { ...by, [caller]: _at(by, caller, 0) + units } };
  if (!_hasPaid(_party(), scrip)) {
    kernel.fail("no_funds", `${self} lacks the ${scrip} scrip that it would pay; give it scrip`);
  }
  return { units, scrip };
}

function status() {
  _takesNothing();
  const units = Object.values(_redeemed()).reduce((sum, each) => sum + each, 0);
  return { ..._period(), redeemed: units };
}

function _period() {
  if ((settings.period_s ?? null) === null) return { period: 1, ends_at_ms: null };
  const { n, ends_at_ms } = _round();
  return { period: n + 1, ends_at_ms };
}

// The units that each trader has redeemed in this period.
function _redeemed() {
  return state.redeemed?.period === _period().period ? state.redeemed.by : {};
}
