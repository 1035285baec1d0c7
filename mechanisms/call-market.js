/* ---
description: >-
  A uniform-price call market for one good. Orders are secret and wait for the end of the round.
  Then all trades happen at one price, the one at which most units trade, and all other orders end.
settings:
  type: object
  properties:
    good: { type: string, description: the id of the token that is traded }
    period_s: { type: integer, minimum: 1, maximum: 604800, default: 60, description: length of a round }
  required: [good]
  additionalProperties: false
include: [shared.js, payments.js]
methods:
  - name: buy
    description: Orders up to `units` for at most `price` scrip each. Attach price × units.
    input_schema:
      type: object
      properties:
        price: { type: integer, minimum: 1, maximum: 1000000 }
        units: { type: integer, minimum: 1, maximum: 1000000000 }
      required: [price, units]
    examples:
      - args: [8, 3]
        result: { order: 2, round: 1, ends_at_ms: 120000 }
  - name: sell
    description: >-
      Offers up to `units` for at least `price` scrip each. First approve the market at the token.
    input_schema:
      type: object
      properties:
        price: { type: integer, minimum: 1, maximum: 1000000 }
        units: { type: integer, minimum: 1, maximum: 1000000000 }
      required: [price, units]
    examples:
      - args: [5, 2]
        result: { order: 1, round: 1, ends_at_ms: 120000 }
  - name: cancel
    description: Takes an order of this round back.
    input_schema:
      type: object
      properties:
        order: { type: integer, minimum: 1 }
      required: [order]
    examples:
      - args: [3]
        result: { order: 3, scrip: 0, units: 1 }
  - name: clear
    description: >-
      Ends a round whose time is over and pays everyone. Any call does this too. The result is that
      of the last round with orders.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { round: 1, price: 6, units: 2, buyers: 1, sellers: 1 }
  - name: orders
    description: Your orders of this round.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: [{ order: 2, side: buy, price: 8, units: 3 }]
  - name: results
    description: >-
      The price and the units of the latest rounds with orders. A price is null if nothing traded.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: [{ round: 1, price: 6, units: 2, buyers: 1, sellers: 1 }]
  - name: status
    description: The good, the current round, its end, and the number of its orders.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { good: wheat, round: 1, ends_at_ms: 120000, orders: 2, last: null }
  - name: collect
    description: Pays you what the market could not deliver to you before.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { scrip: 0, units: 0 }
--- */
const ORDERS_OF_ONE_MAX = 10;
const ORDERS_BYTES_MAX = 36_000;
const RESULTS_KEPT = 20;

function buy(price, units) {
  const order = _newOrder("buy", price, units);
  _owe(caller, { scrip: _change(price * units) });
  return _kept(order);
}

function sell(price, units) {
  _takesNothing();
  const order = _newOrder("sell", price, units);
  _pull(units);
  return _kept(order);
}

function cancel(order) {
  _takesNothing();
  _settle();
  const found = state.orders.find(({ n }) => n === order);
  if (found === undefined) kernel.fail("not_found", `this round has no order ${order}`);
  if (found.by !== caller) kernel.fail("not_yours", `order ${order} belongs to ${found.by}`);
  state.orders = state.orders.filter(({ n }) => n !== order);
  const back = _backing(found);
  _owe(caller, back);
  _deliver();
  return { order, scrip: back.scrip ?? 0, units: back.units ?? 0 };
}

function clear() {
  _takesNothing();
  _settle();
  const last = state.results?.at(-1);
  if (last !== undefined) {
    _deliver();
    return last;
  }
  const { ends_at_ms } = _round();
  return kernel.fail("open", `no round has ended with orders; this one ends at ${ends_at_ms} ms`);
}

function orders() {
  _takesNothing();
  _settle();
  const own = state.orders.filter(({ by }) => by === caller);
  return own.map(({ n, side, price, units }) => ({ order: n, side, price, units }));
}

function results() {
  _takesNothing();
  _settle();
  return state.results ?? [];
}

function status() {
  _takesNothing();
  _settle();
  const { n, ends_at_ms } = _round();
  const last = state.results?.at(-1)?.price ?? null;
  return { good: settings.good, round: n, ends_at_ms, orders: state.orders.length, last };
}

function collect() {
  _settle();
  return _collected();
}

function _newOrder(side, price, units) {
  _whole("price", price, { max: PRICE_MAX });
  _whole("units", units);
  _settle();
  const n = (state.made ?? 0) + 1;
  state.made = n;
  const by = _party();
  return { n, side, by, family: _familyOf(by), price, units };
}

function _kept(order) {
  state.orders.push(order);
  if (state.orders.filter(({ by }) => by === caller).length > ORDERS_OF_ONE_MAX) {
    kernel.fail("full", `you have ${ORDERS_OF_ONE_MAX} orders in this round; cancel one`);
  }
  while (JSON.stringify(state.orders).length > ORDERS_BYTES_MAX) {
    const left = _crowd(state.orders).at(-1);
    if (left === order) kernel.fail("full", "this round is full; order in the next one");
    state.orders = state.orders.filter((each) => each !== left);
    _owe(left.by, _backing(left));
    _tell(left.by, `order ${left.n} was dropped, because the round is full`);
  }
  _deliver();
  const { n, ends_at_ms } = _round();
  return { order: order.n, round: n, ends_at_ms };
}

// Ends the round of the kept orders if its time is over.
function _settle() {
  const { n: round } = _round();
  state.orders ??= [];
  if (state.round === round) return;
  if (state.orders.length > 0) _end(state.round);
  state.round = round;
  _deliver();
}

function _end(round) {
  const better = { buy: (a, b) => b.price - a.price, sell: (a, b) => a.price - b.price };
  const [bids, asks] = ["buy", "sell"].map((side) =>
    state.orders
      .filter((each) => each.side === side)
      .sort((a, b) => better[side](a, b) || a.n - b.n),
  );
  const found = _clearing(bids, asks);
  const { price, units } = found ?? { price: null, units: 0 };
  const buyers = _filled(bids, units, price);
  const sellers = _filled(asks, units, price);
  const result = { round, price, units, buyers, sellers };
  state.results = [...(state.results ?? []), result].slice(-RESULTS_KEPT);
  state.orders = [];
}

// Fills orders from the best to the worst, and returns how many traded. All get the rest back.
function _filled(sorted, volume, price) {
  let left = volume;
  let traded = 0;
  for (const order of sorted) {
    const units = Math.min(order.units, left);
    left -= units;
    if (units > 0) traded += 1;
    const rest = order.units - units;
    if (order.side === "sell") _owe(order.by, { scrip: units * price, units: rest });
    else _owe(order.by, { scrip: order.price * order.units - units * price, units });
  }
  return traded;
}

// The price at which most units trade; of several, those at which demand and supply differ least;
// of these, the middle, rounded down. Null if nothing can trade. Demand changes just above the
// price of a bid, and supply at the price of an ask, so only these prices need a look.
function _clearing(bids, asks) {
  const steps = [
    ...new Set([...asks.map(({ price }) => price), ...bids.map(({ price }) => price + 1)]),
  ];
  steps.sort((a, b) => a - b);
  const waiting = bids.toReversed();
  let demand = bids.reduce((sum, { units }) => sum + units, 0);
  let supply = 0;
  let [gone, come] = [0, 0];
  let best = null;
  for (const [at, from] of steps.entries()) {
    for (; gone < waiting.length && waiting[gone].price < from; gone++)
      demand -= waiting[gone].units;
    for (; come < asks.length && asks[come].price <= from; come++) supply += asks[come].units;
    const here = { units: Math.min(demand, supply), gap: Math.abs(demand - supply) };
    const to = (steps[at + 1] ?? from + 1) - 1;
    const order = best === null ? 1 : here.units - best.units || best.gap - here.gap;
    if (order > 0) best = { ...here, from, to };
    else if (order === 0) best.to = to;
  }
  if (best === null || best.units === 0) return null;
  return { units: best.units, price: Math.floor((best.from + best.to) / 2) };
}

function _backing({ side, price, units }) {
  return side === "buy" ? { scrip: price * units } : { units };
}
