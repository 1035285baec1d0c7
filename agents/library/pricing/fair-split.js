/* ---
title: Split an amount
topic: pricing
takes: tally
gives: tally
worth: 5
description: Divides an amount in proportion to weights, in whole units that add up exactly.
methods:
  - name: run
    description: Shares by the largest remainder; of equal remainders the earlier gets the unit.
    input_schema:
      type: object
      properties:
        weights:
          type: object
          additionalProperties: { type: number, minimum: 0 }
          description: By name.
        amount: { type: integer, minimum: 0, description: What to divide. Default 100. }
      required: [weights]
    output_schema: { type: object, additionalProperties: { type: integer } }
    examples:
      - args: [{ ann: 1, bob: 1, cyd: 1 }]
        result: { ann: 34, bob: 33, cyd: 33 }
      - args: [{ ann: 5, bob: 3, cyd: 0 }, 10]
        result: { ann: 6, bob: 4, cyd: 0 }
      - args: [{ ann: 2 }, 0]
        result: { ann: 0 }
variants:
  - name: thousand
    title: Split a thousand
    bind: { amount: 1000 }
    examples:
      - args: [{ ann: 1, bob: 2 }]
        result: { ann: 333, bob: 667 }
  - name: dozen
    title: Split a dozen
    bind: { amount: 12 }
    examples:
      - args: [{ ann: 1, bob: 4 }]
        result: { ann: 2, bob: 10 }
--- */
function run(weights, amount = 100) {
  if (weights === null || typeof weights !== "object" || Array.isArray(weights)) {
    kernel.fail("bad_input", "weights must be a record of numbers, such as { ann: 1, bob: 2 }");
  }
  if (!Number.isInteger(amount) || amount < 0) {
    kernel.fail("bad_input", "amount must be a whole number, 0 or more");
  }
  const entries = Object.entries(weights);
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
  if (!entries.every(([, weight]) => Number.isFinite(weight) && weight >= 0) || !(total > 0)) {
    kernel.fail("bad_input", "weights must be numbers, none below 0 and one of them above it");
  }
  const shares = entries.map(([name, weight], place) => {
    const exact = (amount * weight) / total;
    return { name, place, whole: Math.floor(exact), rest: exact - Math.floor(exact) };
  });
  const left = amount - shares.reduce((sum, share) => sum + share.whole, 0);
  const ranked = [...shares].sort((a, b) => b.rest - a.rest || a.place - b.place);
  const lucky = new Set(ranked.slice(0, left).map((share) => share.place));
  return Object.fromEntries(
    shares.map(({ name, place, whole }) => [name, whole + (lucky.has(place) ? 1 : 0)]),
  );
}
