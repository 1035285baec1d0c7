/* ---
title: Clearing price
topic: pricing
takes: numbers
gives: record
worth: 9
description: Matches buyers' and sellers' limits at the one price at which most units change hands.
methods:
  - name: run
    description: A call auction of single units; the price lies midway between the last pair that
      trades.
    input_schema:
      type: object
      properties:
        bids:
          type: array
          items: { type: number, minimum: 0 }
          description: The most each buyer pays.
        asks:
          type: array
          items: { type: number, minimum: 0 }
          description: The least each seller takes.
      required: [bids, asks]
    output_schema:
      type: object
      properties:
        price: { type: [number, "null"] }
        units: { type: integer }
        surplus: { type: number }
    examples:
      - args: [[10, 8, 6, 3], [2, 4, 5, 9]]
        result: { price: 5.5, units: 3, surplus: 13 }
      - args: [[7], [7]]
        result: { price: 7, units: 1, surplus: 0 }
      - args: [[4, 3], [6]]
        result: { price: null, units: 0, surplus: 0 }
--- */
function run(bids, asks) {
  const areLimits = (list) =>
    Array.isArray(list) && list.every((x) => Number.isFinite(x) && x >= 0);
  if (!areLimits(bids) || !areLimits(asks)) {
    kernel.fail(
      "bad_input",
      "bids and asks must be lists of numbers from 0, such as [10, 8], [2, 4]",
    );
  }
  const buyers = [...bids].sort((a, b) => b - a);
  const sellers = [...asks].sort((a, b) => a - b);
  let units = 0;
  let surplus = 0;
  while (units < buyers.length && units < sellers.length && buyers[units] >= sellers[units]) {
    surplus += buyers[units] - sellers[units];
    units += 1;
  }
  const price = units === 0 ? null : (buyers[units - 1] + sellers[units - 1]) / 2;
  return { price, units, surplus: Math.round(surplus * 1e6) / 1e6 };
}
