/* ---
title: Rebalance a portfolio
topic: pricing
takes: tally
gives: record
worth: 7
description: What to buy and sell so that holdings stand in the proportions one wants.
methods:
  - name: run
    description: The change in each holding; sales are negative and all changes add up to 0.
    input_schema:
      type: object
      properties:
        holdings:
          type: object
          additionalProperties: { type: integer, minimum: 0 }
          description: Values now.
        targets:
          type: object
          additionalProperties: { type: number, minimum: 0 }
          description: Weights wanted.
      required: [holdings, targets]
    output_schema: { type: object, additionalProperties: { type: integer } }
    examples:
      - args: [{ bread: 70, iron: 30 }, { bread: 1, iron: 1 }]
        result: { bread: -20, iron: 20 }
      - args: [{ bread: 100 }, { bread: 60, salt: 40 }]
        result: { bread: -40, salt: 40 }
      - args: [{ old: 10 }, { a: 1, b: 1, c: 1 }]
        result: { a: 4, b: 3, c: 3, old: -10 }
--- */
function run(holdings, targets) {
  const areAmounts = (record) =>
    record !== null &&
    typeof record === "object" &&
    !Array.isArray(record) &&
    Object.values(record).every((amount) => Number.isFinite(amount) && amount >= 0);
  if (!areAmounts(holdings) || !Object.values(holdings).every(Number.isInteger)) {
    kernel.fail(
      "bad_input",
      "holdings must be whole amounts by name, such as { bread: 70, iron: 30 }",
    );
  }
  if (!areAmounts(targets) || _total(targets) === 0) {
    kernel.fail(
      "bad_input",
      "targets must be weights by name, one of them above 0: { bread: 1, iron: 1 }",
    );
  }
  const wantedWeights = new Map(Object.entries(targets));
  const held = new Map(Object.entries(holdings));
  // Cumulative rounding: each name ends where the exact running total does, so nothing is lost.
  const scale = _total(holdings) / _total(targets);
  let weightSoFar = 0;
  let givenSoFar = 0;
  const changes = [...new Set([...wantedWeights.keys(), ...held.keys()])].map((name) => {
    weightSoFar += wantedWeights.get(name) || 0;
    const share = Math.ceil(weightSoFar * scale - 1e-9) - givenSoFar;
    givenSoFar += share;
    return [name, share - (held.get(name) || 0)];
  });
  return Object.fromEntries(changes);
}

function _total(record) {
  return Object.values(record).reduce((sum, amount) => sum + amount, 0);
}
