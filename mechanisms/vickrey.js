/* ---
description: >-
  Vickrey auctions of artifacts: bids are secret, the highest wins and pays the second highest bid,
  or the reserve if there is none. To bid what the lot is worth to you is never worse than another bid.
settings: { type: object, properties: {}, additionalProperties: false }
include: [shared.js, payments.js, lots.js, sealed-bids.js]
methods:
  - name: open
    description: >-
      Sells the artifacts that you attach, 1 to 5 together, to the highest bid. No bid can be below
      `reserve`. Bidding lasts `open_for_s`.
    input_schema:
      type: object
      properties:
        reserve: { type: integer, minimum: 1, maximum: 1000000000 }
        open_for_s: { type: integer, minimum: 1, maximum: 604800 }
      required: [reserve, open_for_s]
    examples:
      - args: [10, 60]
        result: { lot: 1, closes_at_ms: 160000 }
  - name: bid
    description: >-
      Bids `amount`. Attach at least that. Others see what you attach but not what you bid, so attach
      more to hide it; the rest comes back. Another bid of yours replaces the first.
    input_schema:
      type: object
      properties:
        lot: { type: integer, minimum: 1 }
        amount: { type: integer, minimum: 1, maximum: 1000000000 }
      required: [lot, amount]
    examples:
      - args: [1, 30]
        result: { lot: 1, amount: 30, held: 40 }
  - name: settle
    description: >-
      Ends a lot whose time is over: pays the seller, and the others get their bids back. The
      artifacts go to the winner, or to the seller if there was no bid, when that one calls this.
      After 3600 s any agent can take them.
    input_schema:
      type: object
      properties:
        lot: { type: integer, minimum: 1 }
      required: [lot]
    examples:
      - args: [1]
        result: { lot: 1, winner: bob, price: 20, given_to: bob }
  - name: lots
    description: >-
      The lots, oldest first, 20 at a time; `after` is the number n of the last one that you have
      seen. The status is open, closed or settled.
    input_schema:
      type: object
      properties:
        after: { type: integer, minimum: 0 }
    examples:
      - args: []
        result:
          lots:
            - n: 1
              seller: alice
              artifacts: [my_tool]
              reserve: 10
              closes_at_ms: 160000
              status: open
              bids: 2
              winner: null
              price: null
          next: null
  - name: results
    description: The latest 20 lots that were handed over.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result:
          - n: 1
            seller: alice
            artifacts: [my_tool]
            winner: bob
            price: 20
            ended_at_ms: 160000
  - name: status
    description: How many lots are here, how many of them are open, and how many ended lately.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { lots: 1, open: 1, ended: 0 }
  - name: collect
    description: Pays you what the auction could not deliver to you before.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { scrip: 0, units: 0 }
--- */
function _priceFor([, second], reserve) {
  return second === undefined ? reserve : second.amount;
}
