/* ---
description: >-
  A duopoly with differentiated goods and logit demand (Calvano, Calzolari, Denicolò and Pastorello,
  2020): in each period both firms set a price, 10,000 consumers choose one of the goods or none, and
  each firm gets its profit.
settings:
  type: object
  properties:
    firms: { type: array, items: { type: string }, description: the ids of the two firms }
    period_s: { type: integer, minimum: 1, maximum: 3600, description: length of a period }
  required: [firms, period_s]
  additionalProperties: false
methods:
  - name: enter
    description: Publishes a number of yours, once, before the first period.
    input_schema:
      type: object
      properties:
        number: { type: integer, minimum: 0, maximum: 4294967295 }
      required: [number]
    examples:
      - { args: [7], result: { numbers: [7, null] } }
  - name: price
    description: >-
      Sets your price in thousandths for this period, once. When both firms have set one, both are
      paid. The cost of a unit is 1000.
    input_schema:
      type: object
      properties:
        price: { type: integer, minimum: 1000, maximum: 3000 }
      required: [price]
    examples:
      - { args: [1466], result: { period: 1, is_complete: true } }
  - name: status
    description: The numbers of the firms, and what happened in the last complete period.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result:
          firms: [firm_1, firm_2]
          numbers: [7, 9]
          period: 2
          last: { period: 1, prices: [1466, 1466], units: [4735, 4735], profits: [2206, 2206] }
--- */
const CONSUMERS = 10_000;
const COST = 1_000;
// The value of a good to consumers, and how different the goods are, in thousandths.
const QUALITY = 2_000;
const DIFFERENCE = 250;

function enter(number) {
  if (!Number.isSafeInteger(number)) kernel.fail("bad_number", "number must be a whole number");
  const at = _firm();
  const numbers = _numbers();
  if (numbers[at] !== null) kernel.fail("entered", "you have published your number");
  numbers[at] = number;
  state.numbers = numbers;
  return { numbers };
}

function price(price) {
  if (!Number.isSafeInteger(price) || price < COST || price > 3 * COST) {
    kernel.fail("bad_price", `price must be a whole number from ${COST} to ${3 * COST}`);
  }
  const at = _firm();
  const period = _period();
  const prices = state.open?.period === period ? state.open.prices : [null, null];
  if (prices[at] !== null) kernel.fail("set", "you have set your price for this period");
  prices[at] = price;
  const is_complete = !prices.includes(null);
  state.open = { period, prices };
  if (is_complete) _complete(period, prices);
  return { period, is_complete };
}

function status() {
  const { firms } = settings;
  return { firms, numbers: _numbers(), period: _period(), last: state.last ?? null };
}

function _firm() {
  const at = settings.firms.indexOf(caller);
  if (at < 0) kernel.fail("not_a_firm", `only ${settings.firms.join(" and ")} can do this`);
  return at;
}

function _numbers() {
  return state.numbers ?? [null, null];
}

function _period() {
  return Math.floor(kernel.now() / (1000 * settings.period_s)) + 1;
}

// Each firm gets (price - cost) × units / 1000 scrip, rounded.
function _complete(period, prices) {
  const appeal = prices.map((each) => Math.exp((QUALITY - each) / DIFFERENCE));
  const total = appeal[0] + appeal[1] + 1;
  const units = appeal.map((each) => Math.round((CONSUMERS * each) / total));
  const profits = prices.map((each, at) => Math.round(((each - COST) * units[at]) / 1000));
  state.last = { period, prices, units, profits };
  for (const at of [0, 1]) if (profits[at] > 0) kernel.pay(settings.firms[at], profits[at]);
}
