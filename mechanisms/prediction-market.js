/* ---
description: >-
  A prediction market with the logarithmic scoring rule of Hanson (LMSR). It sells shares of the
  possible outcomes of a question at prices that follow demand. A named resolver says what
  happened, and each share of that outcome pays. The most that the market can lose is funded first.
settings:
  type: object
  properties:
    question: { type: string, maxLength: 500, description: the question in words }
    outcomes:
      type: array
      items: { type: string, minLength: 1, maxLength: 64 }
      minItems: 2
      maxItems: 20
      default: [yes, no]
      description: the possible outcomes, all different
    resolver: { type: string, maxLength: 128, description: the principal that says what happened }
    liquidity:
      type: integer
      minimum: 1
      maximum: 1000000
      default: 100
      description: how many shares move a price; b in the formula
    payout:
      type: integer
      minimum: 1
      maximum: 1000000
      default: 100
      description: what a share of the right outcome pays, in scrip
  required: [question, resolver]
  additionalProperties: false
include: [shared.js, payments.js]
methods:
  - name: fund
    description: >-
      Opens the market: attach the most that it can lose, payout × liquidity × ln(number of
      outcomes), rounded up. What the market has left at the end comes back to you.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { sponsor: alice, fund: 6932 }
  - name: buy
    description: >-
      Buys shares of an outcome. Attach at least what they cost (see quote); you get change. If the
      price has risen above what you attach, the call is refused.
    input_schema:
      type: object
      properties:
        outcome: { type: string, maxLength: 64 }
        shares: { type: integer, minimum: 1, maximum: 1000000000 }
      required: [outcome, shares]
    examples:
      - args: ["yes", 50]
        result: { outcome: "yes", shares: 50, scrip: 2809 }
  - name: sell
    description: >-
      Sells shares of yours back. The call is refused if they would pay less than `min_scrip`
      (default 0).
    input_schema:
      type: object
      properties:
        outcome: { type: string, maxLength: 64 }
        shares: { type: integer, minimum: 1, maximum: 1000000000 }
        min_scrip: { type: integer, minimum: 0, maximum: 9007199254740991 }
      required: [outcome, shares]
    examples:
      - args: ["yes", 10, 500]
        result: { outcome: "yes", shares: 10, scrip: 610 }
  - name: quote
    description: >-
      What shares of an outcome would cost now, and what they would pay if you sold them; null if
      fewer have been sold.
    input_schema:
      type: object
      properties:
        outcome: { type: string, maxLength: 64 }
        shares: { type: integer, minimum: 1, maximum: 1000000000 }
      required: [outcome, shares]
    examples:
      - args: ["yes", 50]
        result: { costs: 2809, pays: null }
  - name: shares
    description: The shares of a holder, by outcome; without an id, your own.
    input_schema:
      type: object
      properties:
        id: { type: string, maxLength: 128 }
    examples:
      - args: [bob]
        result: { id: bob, shares: { "yes": 50, "no": 0 } }
  - name: resolve
    description: >-
      Says which outcome happened. Only the resolver can do this, and only once. Each share of it
      pays, and the sponsor gets the rest.
    input_schema:
      type: object
      properties:
        outcome: { type: string, maxLength: 64 }
      required: [outcome]
    examples:
      - args: ["yes"]
        result: { outcome: "yes", paid: 4000, rest: 5131 }
  - name: status
    description: >-
      The question, the outcomes with the shares sold and their prices in millionths of the payout,
      the resolver, and the outcome that happened.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result:
          question: Will it rain?
          outcomes:
            - { outcome: "yes", sold: 50, price_ppm: 622459 }
            - { outcome: "no", sold: 0, price_ppm: 377540 }
          liquidity: 100
          payout: 100
          resolver: carol
          sponsor: alice
          resolved: null
  - name: collect
    description: Pays you what the market could not deliver to you before.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { scrip: 0, units: 0 }
--- */
const SHARES_MAX = 1_000_000_000;
const HOLDERS_BYTES_MAX = 30_000;

function fund() {
  if (state.sponsor !== undefined) kernel.fail("funded", `${state.sponsor} has funded this market`);
  if (new Set(settings.outcomes).size < settings.outcomes.length) {
    kernel.fail("bad_settings", "two outcomes have the same name");
  }
  if (!_hasAccount(settings.resolver)) {
    kernel.fail("no_resolver", `the resolver ${settings.resolver} has no account`);
  }
  const sponsor = _party();
  const sold = settings.outcomes.map(() => 0);
  const needed = _cost(sold);
  _owe(sponsor, { scrip: _change(needed) });
  Object.assign(state, { sponsor, sold, cost: needed, holders: {} });
  _deliver();
  return { sponsor, fund: needed };
}

function buy(outcome, shares) {
  const at = _openOutcome(outcome);
  _whole("shares", shares, { max: SHARES_MAX });
  const sold = state.sold.with(at, _whole("all shares", state.sold[at] + shares));
  const after = _cost(sold);
  const scrip = after - state.cost;
  const buyer = _party();
  _owe(buyer, { scrip: _change(scrip) });
  const own = _sharesOf(buyer);
  state.holders = { ...state.holders, [buyer]: own.with(at, own[at] + shares) };
  _dropLost(state.holders);
  if (JSON.stringify(state.holders).length > HOLDERS_BYTES_MAX) {
    kernel.fail("full", "there is no room for another holder of shares");
  }
  Object.assign(state, { sold, cost: after });
  _deliver();
  return { outcome, shares, scrip };
}

function sell(outcome, shares, min_scrip) {
  _takesNothing();
  const at = _openOutcome(outcome);
  _whole("shares", shares, { max: SHARES_MAX });
  const least = _whole("min_scrip", min_scrip ?? 0, { min: 0, max: Number.MAX_SAFE_INTEGER });
  const own = _sharesOf(caller);
  if (shares > own[at]) kernel.fail("too_few", `you have ${own[at]} shares of ${outcome}`);
  const sold = state.sold.with(at, state.sold[at] - shares);
  const after = _cost(sold);
  const scrip = state.cost - after;
  if (scrip < least) kernel.fail("price", `${shares} shares would pay ${scrip}, not ${least}`);
  const { [caller]: _old, ...others } = state.holders;
  const rest = own.with(at, own[at] - shares);
  state.holders = rest.every((each) => each === 0) ? others : { ...others, [caller]: rest };
  Object.assign(state, { sold, cost: after });
  _owe(caller, { scrip });
  _deliver();
  return { outcome, shares, scrip };
}

function quote(outcome, shares) {
  _takesNothing();
  const at = _openOutcome(outcome);
  _whole("shares", shares, { max: SHARES_MAX });
  const costs = _cost(state.sold.with(at, state.sold[at] + shares)) - state.cost;
  const left = state.sold[at] - shares;
  return { costs, pays: left < 0 ? null : state.cost - _cost(state.sold.with(at, left)) };
}

function shares(id) {
  _takesNothing();
  const holder = id ?? caller;
  const own = _sharesOf(holder);
  return { id: holder, shares: Object.fromEntries(settings.outcomes.map((o, at) => [o, own[at]])) };
}

function resolve(outcome) {
  _takesNothing();
  const at = _openOutcome(outcome);
  if (caller !== settings.resolver) {
    kernel.fail("not_resolver", `only ${settings.resolver} says what happened`);
  }
  let paid = 0;
  for (const [id, own] of Object.entries(state.holders)) {
    const scrip = own[at] * settings.payout;
    _owe(id, { scrip });
    paid += scrip;
  }
  const rest = state.cost - paid;
  _owe(state.sponsor, { scrip: rest });
  Object.assign(state, { resolved: outcome, holders: {}, cost: 0 });
  _deliver();
  return { outcome, paid, rest };
}

function status() {
  _takesNothing();
  const { question, liquidity, payout, resolver } = settings;
  const sold = state.sold ?? settings.outcomes.map(() => 0);
  const { parts, sum } = _weights(sold);
  const outcomes = settings.outcomes.map((outcome, at) => {
    return { outcome, sold: sold[at], price_ppm: Number((parts[at] * 1_000_000n) / sum) };
  });
  const { sponsor = null, resolved = null } = state;
  return { question, outcomes, liquidity, payout, resolver, sponsor, resolved };
}

function collect() {
  return _collected();
}

// The place of an outcome, while its shares can be traded.
function _openOutcome(outcome) {
  if (state.sponsor === undefined) kernel.fail("not_funded", "no one has funded this market yet");
  if (state.resolved !== undefined)
    kernel.fail("resolved", `${state.resolved} happened; see collect`);
  const at = settings.outcomes.indexOf(outcome);
  if (at < 0) kernel.fail("unknown_outcome", `choose one of ${settings.outcomes.join(", ")}`);
  return at;
}

function _sharesOf(id) {
  return _at(
    state.holders,
    id,
    settings.outcomes.map(() => 0),
  );
}

// All the scrip that the market holds for its shares, its fund included: the cost function
// payout × b × ln(Σ exp(q / b)) of Hanson (2003), rounded up. A trade costs the difference. So a
// path of trades costs what a direct one costs, and since the function is at least the payment for
// every outcome, the market can always pay.
function _cost(sold) {
  const { sum, most } = _weights(sold);
  const scaled = BigInt(settings.payout * settings.liquidity) * _ln(sum) + MARGIN;
  return settings.payout * most + Number(_divUp(scaled, ONE));
}

// exp((q - most) / b) of each outcome, with 128 binary places. Numbers of the engine would leave
// the last scrip to rounding.
const ONE = 1n << 128n;
// More than the errors of _exp and _ln, times the largest payout and liquidity.
const MARGIN = 1n << 88n;
// exp(-88) has no effect on the last of 128 places.
const EXPONENT_MAX = 88;

function _weights(sold) {
  const most = Math.max(...sold);
  const parts = sold.map((units) => _expOfMinus(most - units, settings.liquidity));
  return { most, parts, sum: parts.reduce((sum, part) => sum + part, 0n) };
}

// exp(-units / b), by the series of a small exponent, squared again and again.
function _expOfMinus(units, b) {
  if (units > EXPONENT_MAX * b) return 0n;
  const halvings = 10n;
  const small = (BigInt(units) * ONE) / (BigInt(b) << halvings);
  let power = ONE;
  let term = ONE;
  for (let n = 1n; term > 0n; n++) {
    term = (term * small) / ONE / n;
    power += n % 2n === 0n ? term : -term;
  }
  for (let n = 0n; n < halvings; n++) power = (power * power) / ONE;
  return power;
}

// The logarithm of a number from 1 to 20: as often ln 2 as it can be halved, and a series for the rest.
function _ln(number) {
  let halved = number;
  let halvings = 0n;
  for (; halved >= 2n * ONE; halvings++) halved /= 2n;
  return _lnBySeries(halved) + halvings * _lnBySeries(2n * ONE);
}

// ln x = 2 artanh((x - 1) / (x + 1)).
function _lnBySeries(number) {
  const ratio = ((number - ONE) * ONE) / (number + ONE);
  const square = (ratio * ratio) / ONE;
  let sum = 0n;
  let power = ratio;
  for (let n = 1n; power > 0n; n += 2n) {
    sum += power / n;
    power = (power * square) / ONE;
  }
  return 2n * sum;
}
