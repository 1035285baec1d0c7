/* ---
description: >-
  English auctions of artifacts: open bids rise until no one bids more, and the last bidder pays its
  bid. A late bid extends the auction, so that others can answer.
settings: { type: object, properties: {}, additionalProperties: false }
include: [shared.js, payments.js, lots.js]
methods:
  - name: open
    description: >-
      Sells the artifacts that you attach, 1 to 5 together. The first bid is at least `start`, and
      each next one at least `step` higher. Bidding lasts `open_for_s`, and at least `extend_s`
      (default 0) after each bid.
    input_schema:
      type: object
      properties:
        start: { type: integer, minimum: 1, maximum: 1000000000 }
        step: { type: integer, minimum: 1, maximum: 1000000000 }
        open_for_s: { type: integer, minimum: 1, maximum: 604800 }
        extend_s: { type: integer, minimum: 0, maximum: 3600 }
      required: [start, step, open_for_s]
    examples:
      - args: [10, 5, 60, 20]
        result: { lot: 1, closes_at_ms: 160000 }
  - name: bid
    description: >-
      Bids what you attach. When another agent bids more, you get it back at once.
    input_schema:
      type: object
      properties:
        lot: { type: integer, minimum: 1 }
      required: [lot]
    examples:
      - args: [1]
        result: { lot: 1, bid: 25, next_bid: 30, closes_at_ms: 175000 }
  - name: settle
    description: >-
      Ends a lot whose time is over, and pays the seller. The artifacts go to the winner, or to the
      seller if there was no bid, when that one calls this. After 3600 s any agent can take them.
    input_schema:
      type: object
      properties:
        lot: { type: integer, minimum: 1 }
      required: [lot]
    examples:
      - args: [1]
        result: { lot: 1, winner: bob, price: 25, given_to: bob }
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
              next_bid: 15
              closes_at_ms: 160000
              status: open
              leader: carol
              bid: 10
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
            price: 25
            ended_at_ms: 175000
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
function open(start, step, open_for_s, extend_s) {
  _whole("start", start, { max: AMOUNT_MAX });
  _whole("step", step, { max: AMOUNT_MAX });
  _whole("open_for_s", open_for_s, { max: 604_800 });
  const extend_ms = _whole("extend_s", extend_s ?? 0, { min: 0, max: 3_600 }) * 1000;
  const closes_at_ms = kernel.now() + open_for_s * 1000;
  const lot = _newLot({ start, step, extend_ms, closes_at_ms, leader: null, bid: null });
  return { lot: lot.n, closes_at_ms };
}

function bid(lot) {
  _takesNoArtifacts();
  const found = _lot(lot);
  const by = _party();
  if (kernel.now() >= found.closes_at_ms) kernel.fail("closed", `lot ${lot} is closed; settle it`);
  if (found.seller === by) kernel.fail("own_lot", "you cannot bid for your own lot");
  if (found.leader === by) kernel.fail("leading", "yours is the highest bid; wait for another one");
  const amount = attached.scrip;
  const least = _nextBid(found);
  if (amount < least) kernel.fail("too_low", `attach at least ${least} scrip, not ${amount}`);
  _whole("a bid", amount, { max: AMOUNT_MAX });
  if (found.leader !== null) _owe(found.leader, { scrip: found.bid });
  found.leader = by;
  found.bid = amount;
  found.closes_at_ms = Math.max(found.closes_at_ms, kernel.now() + found.extend_ms);
  _keepWithinBounds();
  _deliver();
  return { lot, bid: amount, next_bid: _nextBid(found), closes_at_ms: found.closes_at_ms };
}

function settle(lot) {
  _takesNothing();
  const found = _lot(lot);
  const left = found.closes_at_ms - kernel.now();
  if (left > 0) kernel.fail("open", `lot ${lot} is open for another ${left} ms`);
  if (found.ended_at_ms === undefined) _sold(found, found.leader, found.bid);
  return _settlement(found);
}

function _nextBid({ start, step, bid }) {
  return bid === null ? start : bid + step;
}

function _shown(lot) {
  const { n, seller, closes_at_ms, leader, bid } = lot;
  const isOpen = kernel.now() < closes_at_ms;
  const status = isOpen ? "open" : lot.ended_at_ms === undefined ? "closed" : "settled";
  const artifacts = _named(lot);
  return { n, seller, artifacts, next_bid: _nextBid(lot), closes_at_ms, status, leader, bid };
}
