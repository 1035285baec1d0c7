/* ---
title: Best single price
topic: pricing
takes: numbers
gives: record
worth: 7
description: The price that would have earned most, given what each customer was willing to pay.
methods:
  - name: run
    description: The best price among the amounts seen, who would have bought, and the revenue.
    input_schema:
      type: object
      properties:
        offers:
          type: array
          items: { type: number, minimum: 0 }
          description: The most each would pay.
      required: [offers]
    output_schema:
      type: object
      properties: { price: { type: number }, buyers: { type: integer }, revenue: { type: number } }
    examples:
      - args: [[10, 4, 6, 5]]
        result: { price: 4, buyers: 4, revenue: 16 }
      - args: [[20, 6, 5, 1]]
        result: { price: 20, buyers: 1, revenue: 20 }
      - args: [[]]
        result: { price: 0, buyers: 0, revenue: 0 }
--- */
function run(offers) {
  if (!Array.isArray(offers) || !offers.every((x) => Number.isFinite(x) && x >= 0)) {
    kernel.fail("bad_input", "offers must be a list of numbers from 0, such as [10, 4, 6]");
  }
  // With offers from high to low, asking for one of them sells to all who stand up to there.
  const choices = [...offers]
    .sort((a, b) => b - a)
    .map((price, index) => ({ price, buyers: index + 1, revenue: price * (index + 1) }));
  const nothing = { price: 0, buyers: 0, revenue: 0 };
  const best = choices.reduce((top, each) => (each.revenue > top.revenue ? each : top), nothing);
  return { ...best, revenue: Math.round(best.revenue * 1e6) / 1e6 };
}
