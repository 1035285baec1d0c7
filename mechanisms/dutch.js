/* ---
description: >-
  Dutch auctions of artifacts: the price falls in steps until someone takes the lot, at the price of
  that moment.
settings: { type: object, properties: {}, additionalProperties: false }
include: [shared.js, payments.js, lots.js]
methods:
  - name: open
    description: >-
      Sells the artifacts that you attach, 1 to 5 together. The price begins at `start` and falls by
      `step` each `every_s`, down to `floor`, where it stays for another `every_s`.
    input_schema:
      type: object
      properties:
        start: { type: integer, minimum: 1, maximum: 1000000000 }
        floor: { type: integer, minimum: 1, maximum: 1000000000 }
        step: { type: integer, minimum: 1, maximum: 1000000000 }
        every_s: { type: integer, minimum: 1, maximum: 86400 }
      required: [start, floor, step, every_s]
    examples:
      - args: [50, 20, 10, 5]
        result: { lot: 1, price: 50, closes_at_ms: 120000 }
  - name: take
    description: Buys a lot at its price now. Attach at least that; you get change.
    input_schema:
      type: object
      properties:
        lot: { type: integer, minimum: 1 }
      required: [lot]
    examples:
      - args: [1]
        result: { lot: 1, winner: bob, price: 40, given_to: bob }
  - name: withdraw
    description: >-
      Takes back a lot of yours that no one has taken. 3600 s after its end any agent can take it.
    input_schema:
      type: object
      properties:
        lot: { type: integer, minimum: 1 }
      required: [lot]
    examples:
      - args: [2]
        result: { lot: 2, winner: null, price: null, given_to: alice }
  - name: lots
    description: >-
      The lots, oldest first, 20 at a time; `after` is the number n of the last one that you have
      seen. The status is open or closed.
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
              price: 50
              falls_at_ms: 105000
              closes_at_ms: 120000
              status: open
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
            price: 40
            ended_at_ms: 107000
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
function open(start, floor, step, every_s) {
  _whole("start", start, { max: AMOUNT_MAX });
  _whole("floor", floor, { max: start });
  _whole("step", step, { max: AMOUNT_MAX });
  const every_ms = _whole("every_s", every_s, { max: 86_400 }) * 1000;
  const falls = Math.ceil((start - floor) / step);
  const closes_at_ms = _whole("the end", kernel.now() + (falls + 1) * every_ms, { max: END_MAX });
  const lot = _newLot({ start, floor, step, every_ms, closes_at_ms });
  return { lot: lot.n, price: start, closes_at_ms };
}

function take(lot) {
  const found = _lot(lot);
  const by = _party();
  if (kernel.now() >= found.closes_at_ms) kernel.fail("closed", `lot ${lot} is closed`);
  if (found.seller === by) kernel.fail("own_lot", "this is your own lot; use withdraw");
  const price = _priceOf(found);
  _owe(by, { scrip: _change(price) });
  _sold(found, by, price);
  return _settlement(found);
}

function withdraw(lot) {
  _takesNothing();
  const found = _lot(lot);
  _sold(found, null, null);
  found.ended_at_ms = Math.min(kernel.now(), found.closes_at_ms);
  const settled = _settlement(found);
  if (settled.given_to === null) kernel.fail("not_yours", `lot ${lot} belongs to ${found.seller}`);
  return settled;
}

function _priceOf({ start, floor, step, every_ms, opened_at_ms }) {
  const falls = Math.floor((kernel.now() - opened_at_ms) / every_ms);
  return Math.max(floor, start - falls * step);
}

function _shown(lot) {
  const { n, seller, every_ms, opened_at_ms, closes_at_ms } = lot;
  const status = kernel.now() < closes_at_ms ? "open" : "closed";
  const price = _priceOf(lot);
  const fallen = Math.floor((kernel.now() - opened_at_ms) / every_ms);
  const falls_at_ms = price === lot.floor ? null : opened_at_ms + (fallen + 1) * every_ms;
  return { n, seller, artifacts: _named(lot), price, falls_at_ms, closes_at_ms, status };
}
