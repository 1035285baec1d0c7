/* ---
description: >-
  Induced values (Smith, 1976): pays each trader its own fixed list of values for the units that it
  redeems, so that everyone's gains from trade are known.
settings:
  type: object
  properties:
    good: { type: string, description: the id of the token that is redeemed }
    values: { type: object, description: "what units are worth to each trader, the highest first" }
  required: [good, values]
  additionalProperties: false
include: [../../mechanisms/shared.js, ../../mechanisms/payments.js]
methods:
  - name: worth
    description: What each unit that you can still redeem is worth to you, in scrip, in this order.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: [180, 132, 84]
  - name: redeem
    description: >-
      Takes units of the good from you and pays what they are worth to you. First approve the
      experimenter at the token.
    input_schema:
      type: object
      properties:
        units: { type: integer, minimum: 1, maximum: 1000 }
      required: [units]
    examples:
      - args: [2]
        result: { units: 2, scrip: 312 }
--- */
function worth() {
  _takesNothing();
  return _at(settings.values, caller, []).slice(_at(state.redeemed, caller, 0));
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
  state.redeemed = { ...state.redeemed, [caller]: _at(state.redeemed, caller, 0) + units };
  kernel.pay(_party(), scrip);
  return { units, scrip };
}
