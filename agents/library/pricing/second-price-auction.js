/* ---
title: Second-price auction
topic: pricing
takes: bids
gives: record
worth: 5
description: Vickrey's sealed auction; the highest bidder wins and pays the second highest bid.
methods:
  - name: run
    description: Winner and price. The earlier of equal bids wins. No one wins below the reserve.
    input_schema:
      type: object
      properties:
        bids:
          type: array
          items:
            type: object
            properties: { bidder: { type: string }, amount: { type: integer, minimum: 0 } }
            required: [bidder, amount]
          description: In the order in which they came.
        reserve:
          type: integer
          minimum: 0
          description: Least price the seller takes. Default 0.
      required: [bids]
    output_schema:
      type: object
      properties: { winner: { type: [string, "null"] }, price: { type: integer } }
    examples:
      - args:
          - [{ bidder: ann, amount: 30 }, { bidder: bob, amount: 45 }, { bidder: cyd, amount: 38 }]
        result: { winner: bob, price: 38 }
      - args: [[{ bidder: ann, amount: 30 }, { bidder: bob, amount: 12 }], 20]
        result: { winner: ann, price: 20 }
      - args: [[]]
        result: { winner: null, price: 0 }
variants:
  - name: reserve_10
    title: Second-price auction with a reserve of 10
    bind: { reserve: 10 }
    examples:
      - args: [[{ bidder: ann, amount: 30 }, { bidder: bob, amount: 4 }]]
        result: { winner: ann, price: 10 }
      - args: [[{ bidder: bob, amount: 4 }]]
        result: { winner: null, price: 0 }
  - name: reserve_25
    title: Second-price auction with a reserve of 25
    bind: { reserve: 25 }
    examples:
      - args: [[{ bidder: ann, amount: 30 }, { bidder: bob, amount: 28 }]]
        result: { winner: ann, price: 28 }
--- */
function run(bids, reserve = 0) {
  const isBid = (bid) =>
    bid !== null &&
    typeof bid === "object" &&
    typeof bid.bidder === "string" &&
    Number.isInteger(bid.amount) &&
    bid.amount >= 0;
  if (!Array.isArray(bids) || !bids.every(isBid)) {
    kernel.fail("bad_input", "bids must be records such as { bidder: 'ann', amount: 30 }");
  }
  if (!Number.isInteger(reserve) || reserve < 0) {
    kernel.fail("bad_input", "reserve must be a whole number, 0 or more");
  }
  const ranked = bids.filter((bid) => bid.amount >= reserve).sort((a, b) => b.amount - a.amount);
  if (ranked.length === 0) {
    return { winner: null, price: 0 };
  }
  return { winner: ranked[0].bidder, price: ranked.length > 1 ? ranked[1].amount : reserve };
}
