/* ---
description: >-
  The beer game (Sterman, 1989): a supply chain of a retailer, a wholesaler, a distributor and a factory.
  In each week, a player gets a shipment, fills the order of its customer, and orders from its supplier.
settings:
  type: object
  properties:
    players:
      type: array
      items: { type: string, maxLength: 128 }
      minItems: 4
      maxItems: 4
      description: the retailer, the wholesaler, the distributor and the factory
    weeks: { type: integer, minimum: 1, maximum: 200, default: 36 }
    fixed_weeks:
      type: integer
      minimum: 0
      maximum: 200
      default: 4
      description: in these first weeks, all orders are 4 units
    week_s: { type: integer, minimum: 1, maximum: 604800, default: 20, description: length of a week }
  required: [players]
  additionalProperties: false
include: [../../mechanisms/shared.js]
methods:
  - name: look
    description: >-
      Your part of the chain in this week. `stock` is your inventory, or minus the units that you owe;
      `asked` is the order of your customer; `on_order` are the units that you ordered in earlier weeks and that have not
      arrived; `cost` is 0.5 for each unit in stock and 1 for each unit owed, summed over the weeks.
    input_schema: { type: object, properties: {} }
  - name: order
    description: Orders units from your supplier. Another call in the same week replaces the first.
    input_schema:
      type: object
      properties:
        units: { type: integer, minimum: 0, maximum: 100000 }
      required: [units]
  - name: status
    description: The week, and whether the game has ended.
    input_schema: { type: object, properties: {} }
--- */
const START_UNITS = 4;
const START_STOCK = 12;
// Customers of the retailer order 4 units, and from this week on 8.
const STEP_WEEK = 5;
const STEP_UNITS = 8;
const HOLDING_COST = 0.5;
const BACKLOG_COST = 1;
const UNITS_ORDERED_MAX = 100_000;

function look() {
  _takesNothing();
  const n = _player();
  _advance();
  const { week, chain } = state;
  const { inventory, backlog, asked, on_order, cost } = chain[n];
  const place = ["retailer", "wholesaler", "distributor", "factory"][n];
  return { week, place, stock: inventory - backlog, asked, on_order, cost };
}

function order(units) {
  _takesNothing();
  _whole("units", units, { min: 0, max: UNITS_ORDERED_MAX });
  const n = _player();
  _advance();
  const { week, orders } = state;
  if (_now() > settings.weeks) kernel.fail("ended", `the game ended after week ${week}`);
  if (week <= settings.fixed_weeks) {
    const free = settings.fixed_weeks + 1;
    kernel.fail("fixed", `all orders are ${START_UNITS} until week ${free}; order then`);
  }
  orders[n] = units;
  return { week, units };
}

function status() {
  _takesNothing();
  _advance();
  return { week: state.week, weeks: settings.weeks, ended: _now() > settings.weeks };
}

function _player() {
  const n = settings.players.indexOf(caller);
  return n < 0 ? kernel.fail("not_player", `${caller} is not a player of this game`) : n;
}

function _now() {
  return 1 + Math.floor(kernel.now() / (settings.week_s * 1000));
}

// Plays the weeks that have begun since the last call. An order that is missing is 0 units.
function _advance() {
  state.chain ??= settings.players.map(_start);
  state.week ??= 0;
  state.orders ??= _orders(0);
  state.history ??= [[], [], [], []];
  const last = Math.min(_now(), settings.weeks);
  while (state.week < last) _begin();
}

// The player `n` when the game begins. `boxes` are the two delays of its shipments, the next arrival
// first. `mail` is the order that it fills in the next week. The factory orders from itself.
function _start(_, n) {
  const isFactory = n === 3;
  return {
    inventory: START_STOCK,
    backlog: 0,
    boxes: [START_UNITS, START_UNITS],
    mail: START_UNITS,
    asked: START_UNITS,
    on_order: (isFactory ? 3 : 4) * START_UNITS,
    cost: 0,
  };
}

function _orders(week) {
  const fixed = week <= settings.fixed_weeks || week === 0;
  return [0, 0, 0, 0].map(() => (fixed ? START_UNITS : 0));
}

// The steps of a week in the order of the board game (Edali and Yasarcan, 2014, steps 1 to 4). Step 5,
// the orders, follows during the week.
function _begin() {
  const { chain, orders, history } = state;
  const isFirst = state.week === 0;
  state.week += 1;
  for (const [n, player] of chain.entries()) {
    if (!isFirst) {
      player.on_order += orders[n];
      history[n].push(orders[n]);
    }
    player.asked = n > 0 ? player.mail : state.week < STEP_WEEK ? START_UNITS : STEP_UNITS;
    _receive(player);
  }
  for (const [n, player] of chain.entries()) {
    const shipped = _fill(player);
    if (n > 0) chain[n - 1].boxes[1] = shipped;
    player.cost += HOLDING_COST * player.inventory + BACKLOG_COST * player.backlog;
    if (n > 0) player.mail = orders[n - 1];
  }
  chain[3].boxes[1] = orders[3];
  state.orders = _orders(state.week);
}

function _receive(player) {
  const [arrived, next] = player.boxes;
  player.inventory += arrived;
  player.on_order -= arrived;
  player.boxes = [next, 0];
}

function _fill(player) {
  const owed = player.backlog + player.asked;
  const shipped = Math.min(player.inventory, owed);
  player.inventory -= shipped;
  player.backlog = owed - shipped;
  return shipped;
}
