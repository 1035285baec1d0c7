/* ---
description: >-
  A continuous double auction: a market for one good, open all the time. An order trades at once
  with the best orders of the other side, at their prices; the rest waits in the book. At one price,
  the older order trades first. The market holds the scrip or the units of every order.
settings:
  type: object
  properties:
    good: { type: string, description: the id of the token that is traded }
  required: [good]
  additionalProperties: false
include: [shared.js, payments.js]
methods:
  - name: buy
    description: >-
      Buys up to `units` at `price` scrip each or less. Attach price × units. What is saved comes
      back, and the part that does not trade at once waits in the book.
    input_schema:
      type: object
      properties:
        price: { type: integer, minimum: 1, maximum: 1000000 }
        units: { type: integer, minimum: 1, maximum: 1000000000 }
      required: [price, units]
    examples:
      - args: [6, 3]
        result: { order: 2, filled: 2, scrip: 10, waiting: 1, returned: 0 }
  - name: sell
    description: >-
      Sells up to `units` at `price` scrip each or more. First approve the market at the token. The
      part that does not trade at once waits in the book.
    input_schema:
      type: object
      properties:
        price: { type: integer, minimum: 1, maximum: 1000000 }
        units: { type: integer, minimum: 1, maximum: 1000000000 }
      required: [price, units]
    examples:
      - args: [5, 2]
        result: { order: 1, filled: 0, scrip: 0, waiting: 2, returned: 0 }
  - name: cancel
    description: Takes one of your waiting orders back, with its scrip or units.
    input_schema:
      type: object
      properties:
        order: { type: integer, minimum: 1 }
      required: [order]
    examples:
      - args: [2]
        result: { order: 2, scrip: 6, units: 0 }
  - name: book
    description: The best 20 prices of each side, as [price, units], best first.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { bids: [[6, 1]], asks: [] }
  - name: orders
    description: Your waiting orders.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: [{ order: 2, side: buy, price: 6, units: 1 }]
  - name: trades
    description: The latest trades, oldest first; `after` is the number n of the last one you know.
    input_schema:
      type: object
      properties:
        after: { type: integer, minimum: 0 }
    examples:
      - args: []
        result:
          trades: [{ n: 1, at_ms: 100000, price: 5, units: 2, buyer: bob, seller: alice }]
          next: null
  - name: status
    description: The good, the best prices, the last price and the units traded so far.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { good: wheat, bid: 6, ask: null, last: 5, traded: 2 }
  - name: collect
    description: Pays you what the market could not deliver to you before.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { scrip: 0, units: 0 }
--- */
const ORDERS_OF_ONE_MAX = 20;
const SIDE_BYTES_MAX = 22_000;
// How many waiting orders one order trades with. What is left then comes back.
const FILLS_MAX = 40;
const TRADES_KEPT = 20;

function buy(price, units) {
  const order = _newOrder("buy", price, units);
  _owe(caller, { scrip: _change(price * units) });
  return _placed(order);
}

function sell(price, units) {
  _takesNothing();
  const order = _newOrder("sell", price, units);
  _pull(units);
  return _placed(order);
}

function cancel(order) {
  _takesNothing();
  const found = [..._side("buy"), ..._side("sell")].find(({ n }) => n === order);
  if (found === undefined) kernel.fail("not_found", `there is no waiting order ${order}`);
  if (found.by !== caller) kernel.fail("not_yours", `order ${order} belongs to ${found.by}`);
  const back = _backing(found);
  _remove(found);
  _owe(caller, back);
  _deliver();
  return { order, scrip: back.scrip ?? 0, units: back.units ?? 0 };
}

function book() {
  _takesNothing();
  return { bids: _levels("buy"), asks: _levels("sell") };
}

function orders() {
  _takesNothing();
  const own = [..._side("buy"), ..._side("sell")].filter(({ by }) => by === caller);
  return own.map(({ n, side, price, units }) => ({ order: n, side, price, units }));
}

function trades(after) {
  _takesNothing();
  return _pageOf(state.trades ?? [], after, "trades");
}

function status() {
  _takesNothing();
  const best = (side) => _side(side)[0]?.price ?? null;
  const last = state.trades?.at(-1)?.price ?? null;
  const traded = state.traded ?? 0;
  return { good: settings.good, bid: best("buy"), ask: best("sell"), last, traded };
}

function collect() {
  return _collected();
}

function _newOrder(side, price, units) {
  _whole("price", price, { max: PRICE_MAX });
  _whole("units", units);
  const order = { n: (state.made ?? 0) + 1, side, by: _party(), price, units };
  state.made = order.n;
  const own = _side(_other(side)).find((each) => each.by === caller && _crosses(order, each));
  if (own !== undefined) {
    kernel.fail("own_order", `it would trade with your own order ${own.n}; cancel that one first`);
  }
  return order;
}

// Trades with the other side, keeps the rest, and pays all parties.
function _placed(order) {
  const wanted = order.units;
  let scrip = 0;
  let fills = 0;
  for (; fills < FILLS_MAX && order.units > 0; fills++) {
    const [best] = _side(_other(order.side));
    if (best === undefined || !_crosses(order, best)) break;
    scrip += _trade(order, best);
  }
  const filled = wanted - order.units;
  const isCut = fills === FILLS_MAX && order.units > 0;
  const waiting = isCut ? 0 : order.units;
  const returned = order.units - waiting;
  if (isCut) _owe(caller, _backing(order));
  else if (order.units > 0) _insert(order);
  _deliver();
  return { order: order.n, filled, scrip, waiting, returned };
}

// The waiting order sets the price. A buyer gets back what it offered above it.
function _trade(order, waiting) {
  const units = Math.min(order.units, waiting.units);
  const { price } = waiting;
  const [buyer, seller] = order.side === "buy" ? [order, waiting] : [waiting, order];
  _owe(buyer.by, { units, scrip: (buyer.price - price) * units });
  _owe(seller.by, { scrip: price * units });
  order.units -= units;
  waiting.units -= units;
  if (waiting.units === 0) _remove(waiting);
  state.traded = (state.traded ?? 0) + units;
  const n = (state.trades?.at(-1)?.n ?? 0) + 1;
  const trade = { n, at_ms: kernel.now(), price, units, buyer: buyer.by, seller: seller.by };
  state.trades = [...(state.trades ?? []), trade].slice(-TRADES_KEPT);
  return price * units;
}

function _crosses({ side, price }, { price: other }) {
  return side === "buy" ? other <= price : other >= price;
}

function _other(side) {
  return side === "buy" ? "sell" : "buy";
}

// The waiting orders of a side, best price first, then oldest first.
function _side(side) {
  state[side] ??= [];
  return state[side];
}

function _backing({ side, price, units }) {
  return side === "buy" ? { scrip: price * units } : { units };
}

function _remove({ side, n }) {
  state[side] = _side(side).filter((each) => each.n !== n);
}

// The worst orders leave a full book, so that no one can fill it with orders that never trade.
function _insert(order) {
  const { side } = order;
  const isBehind = ({ price }) => (side === "buy" ? price < order.price : price > order.price);
  const found = _side(side).findIndex(isBehind);
  const at = found < 0 ? _side(side).length : found;
  state[side] = _side(side).toSpliced(at, 0, order);
  if (_side(side).filter(({ by }) => by === caller).length > ORDERS_OF_ONE_MAX) {
    kernel.fail("full", `you have ${ORDERS_OF_ONE_MAX} waiting ${side} orders; cancel one`);
  }
  while (JSON.stringify(state[side]).length > SIDE_BYTES_MAX) {
    const worst = state[side].at(-1);
    if (worst.n === order.n) kernel.fail("full", "the book is full; offer a better price");
    _remove(worst);
    _owe(worst.by, _backing(worst));
    _tell(worst.by, `order ${worst.n} was dropped, because the book is full`);
  }
}

function _levels(side) {
  const levels = new Map();
  for (const { price, units } of _side(side)) levels.set(price, (levels.get(price) ?? 0) + units);
  return [...levels].slice(0, PAGE);
}
