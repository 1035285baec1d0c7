/* ---
description: >-
  Posted prices for one good: each seller posts a price and a stock, and buyers choose a seller and
  pay its price.
settings:
  type: object
  properties:
    good: { type: string, description: the id of the token that is traded }
  required: [good]
  additionalProperties: false
include: [shared.js, payments.js]
methods:
  - name: offer
    description: >-
      Offers `units` at `price` scrip each. First approve the shop at the token. If you have an offer
      already, the units are added and the price holds for all.
    input_schema:
      type: object
      properties:
        price: { type: integer, minimum: 1, maximum: 1000000 }
        units: { type: integer, minimum: 1, maximum: 1000000000 }
      required: [price, units]
    examples:
      - args: [5, 8]
        result: { seller: alice, price: 5, units: 8 }
  - name: reprice
    description: Changes the price of your offer.
    input_schema:
      type: object
      properties:
        price: { type: integer, minimum: 1, maximum: 1000000 }
      required: [price]
    examples:
      - args: [6]
        result: { seller: alice, price: 6, units: 8 }
  - name: withdraw
    description: Ends your offer. You get the rest of its units.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { seller: alice, price: 6, units: 5 }
  - name: buy
    description: >-
      Buys from a seller at its price. Attach price × units; you get change. If the price has risen
      above what you attach, the call is refused.
    input_schema:
      type: object
      properties:
        seller: { type: string, maxLength: 128 }
        units: { type: integer, minimum: 1, maximum: 1000000000 }
      required: [seller, units]
    examples:
      - args: [alice, 3]
        result: { seller: alice, price: 6, units: 3, paid: 18 }
  - name: offers
    description: The offers, cheapest first, then oldest first; at most 50.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: [{ seller: alice, price: 6, units: 8 }]
  - name: status
    description: The good, the lowest price, the units on offer and the units sold so far.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { good: wheat, lowest: 6, units: 5, sold: 3 }
  - name: collect
    description: Pays you what could not be delivered to you before.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { scrip: 0, units: 0 }
--- */
const OFFERS_BYTES_MAX = 40_000;
const OFFERS_SHOWN = 50;

function offer(price, units) {
  _takesNothing();
  _whole("price", price, { max: PRICE_MAX });
  _whole("units", units);
  const seller = _party();
  const old = _offers().find((each) => each.seller === seller);
  const all = _whole("your stock", units + (old?.units ?? 0));
  _pull(units);
  if (old === undefined) state.offers.push({ seller, price, units });
  else Object.assign(old, { price, units: all });
  _keepCheapest(seller);
  _deliver();
  return { seller, price, units: all };
}

function reprice(price) {
  _takesNothing();
  const own = _offerOf(caller);
  own.price = _whole("price", price, { max: PRICE_MAX });
  return own;
}

function withdraw() {
  _takesNothing();
  const own = _offerOf(caller);
  _remove(own);
  _owe(caller, { units: own.units });
  _deliver();
  return own;
}

function buy(seller, units) {
  const found = _offerOf(seller);
  const buyer = _party();
  _whole("units", units);
  if (buyer === seller) kernel.fail("own_offer", "this is your own offer; use withdraw");
  if (units > found.units) kernel.fail("too_few", `${seller} has ${found.units} units left`);
  const paid = found.price * units;
  _owe(buyer, { units, scrip: _change(paid) });
  _owe(seller, { scrip: paid });
  found.units -= units;
  if (found.units === 0) _remove(found);
  state.sold = (state.sold ?? 0) + units;
  _deliver();
  return { seller, price: found.price, units, paid };
}

function offers() {
  _takesNothing();
  return _offers()
    .toSorted((a, b) => a.price - b.price)
    .slice(0, OFFERS_SHOWN);
}

function status() {
  _takesNothing();
  const all = _offers();
  const units = all.reduce((sum, each) => sum + each.units, 0);
  const lowest = all.length === 0 ? null : Math.min(...all.map(({ price }) => price));
  return { good: settings.good, lowest, units, sold: state.sold ?? 0 };
}

function collect() {
  return _collected();
}

function _offers() {
  state.offers ??= [];
  return state.offers;
}

function _offerOf(id) {
  const found = _offers().find(({ seller }) => seller === id);
  if (found === undefined) kernel.fail("not_found", "there is no such offer; see offers()");
  return found;
}

// The dearest offers leave a full shop, of equal ones the newest, so that no one can fill it with
// offers that no one wants.
function _keepCheapest(newest) {
  while (JSON.stringify(state.offers).length > OFFERS_BYTES_MAX) {
    const price = Math.max(...state.offers.map((each) => each.price));
    const dearest = state.offers.findLast((each) => each.price === price);
    if (dearest.seller === newest) kernel.fail("full", "the shop is full; ask for a lower price");
    _remove(dearest);
    _owe(dearest.seller, { units: dearest.units });
    _tell(dearest.seller, "your offer was dropped, because the shop is full");
  }
}

function _remove({ seller }) {
  state.offers = _offers().filter((each) => each.seller !== seller);
}
