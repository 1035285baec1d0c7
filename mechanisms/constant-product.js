/* ---
description: >-
  A constant-product exchange of scrip and one good. A pool sells and buys at a price that its
  reserves set: their product never falls. Who fills the pool owns shares of it and of its fees.
settings:
  type: object
  properties:
    good: { type: string, description: the id of the token that is traded }
    fee_ppm:
      type: integer
      minimum: 0
      maximum: 500000
      default: 3000
      description: the fee in millionths of what is paid in; it stays in the pool
  required: [good]
  additionalProperties: false
include: [shared.js, payments.js]
methods:
  - name: add
    description: >-
      Adds the attached scrip and up to `units` to the pool, for shares of it. The first sets the
      price by scrip / units; later ones add at the price of the pool. First approve the exchange.
    input_schema:
      type: object
      properties:
        units: { type: integer, minimum: 1, maximum: 1000000000 }
      required: [units]
    examples:
      - args: [1000]
        result: { scrip: 1000, units: 1000, shares: 1000 }
  - name: remove
    description: Takes a share of the pool out. Fractions stay in the pool.
    input_schema:
      type: object
      properties:
        shares: { type: integer, minimum: 1, maximum: 9007199254740991 }
      required: [shares]
    examples:
      - args: [100]
        result: { shares: 100, scrip: 110, units: 91 }
  - name: buy
    description: >-
      Pays the attached scrip for units. The call is refused if it would buy fewer than `min_units`
      (default 1).
    input_schema:
      type: object
      properties:
        min_units: { type: integer, minimum: 1, maximum: 1000000000 }
    examples:
      - args: [90]
        result: { scrip: 100, units: 90 }
  - name: sell
    description: >-
      Sells units for scrip. First approve the exchange at the token. The call is refused if it would
      pay less than `min_scrip` (default 1).
    input_schema:
      type: object
      properties:
        units: { type: integer, minimum: 1, maximum: 1000000000 }
        min_scrip: { type: integer, minimum: 1, maximum: 1000000000 }
      required: [units]
    examples:
      - args: [10, 9]
        result: { units: 10, scrip: 11 }
  - name: quote
    description: What a payment of scrip would buy now, and what the sale of units would pay.
    input_schema:
      type: object
      properties:
        scrip: { type: integer, minimum: 1, maximum: 1000000000 }
        units: { type: integer, minimum: 1, maximum: 1000000000 }
    examples:
      - args: [100, 100]
        result: { buys: 90, pays: 90 }
  - name: shares
    description: The shares of a holder; without an id, your own. And the number of all shares.
    input_schema:
      type: object
      properties:
        id: { type: string, maxLength: 128 }
    examples:
      - args: [alice]
        result: { id: alice, shares: 1000, all: 1000 }
  - name: status
    description: The good, the fee and the reserves.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { good: wheat, fee_ppm: 3000, scrip: 1000, units: 1000 }
  - name: collect
    description: Pays you what could not be delivered to you before.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { scrip: 0, units: 0 }
--- */
const RESERVE_MAX = 1_000_000_000_000;
const MILLION = 1_000_000n;
const HOLDERS_BYTES_MAX = 40_000;

function add(units) {
  _takesNoArtifacts();
  _whole("units", units);
  const scrip = _whole("the attached scrip", attached.scrip);
  const pool = _pool();
  const isFirst = pool.shares === 0;
  const needed = isFirst ? units : Number(_divUp(BigInt(scrip) * BigInt(pool.units), pool.scrip));
  if (needed > units) {
    kernel.fail("too_few", `${scrip} scrip need ${needed} units at the price of the pool`);
  }
  const shares = isFirst
    ? Number(_root(BigInt(scrip) * BigInt(units)))
    : Number((BigInt(scrip) * BigInt(pool.shares)) / BigInt(pool.scrip));
  if (shares < 1) kernel.fail("too_little", "this is less than one share of the pool");
  _party();
  _pull(needed);
  _changePool({ scrip, units: needed, shares });
  state.holders = { ...state.holders, [caller]: _sharesOf(caller) + shares };
  _dropLost(state.holders);
  if (JSON.stringify(state.holders).length > HOLDERS_BYTES_MAX) {
    kernel.fail("full", "there is no room for another holder of shares");
  }
  _deliver();
  return { scrip, units: needed, shares };
}

function remove(shares) {
  _takesNothing();
  const own = _sharesOf(caller);
  _whole("shares", shares, { max: Number.MAX_SAFE_INTEGER });
  if (shares > own) kernel.fail("too_many", `you have ${own} shares`);
  const pool = _pool();
  const part = (reserve) => Number((BigInt(reserve) * BigInt(shares)) / BigInt(pool.shares));
  const [scrip, units] = [part(pool.scrip), part(pool.units)];
  _changePool({ scrip: -scrip, units: -units, shares: -shares });
  if (shares === own) delete state.holders[caller];
  else state.holders[caller] = own - shares;
  _owe(caller, { scrip, units });
  _deliver();
  return { shares, scrip, units };
}

function buy(min_units) {
  _takesNoArtifacts();
  const scrip = _whole("the attached scrip", attached.scrip);
  const least = _whole("min_units", min_units ?? 1);
  const pool = _openPool();
  const units = _out(scrip, pool.scrip, pool.units);
  if (units < least) kernel.fail("price", `${scrip} scrip would buy ${units} units, not ${least}`);
  const buyer = _party();
  _changePool({ scrip, units: -units });
  _owe(buyer, { units });
  _deliver();
  return { scrip, units };
}

function sell(units, min_scrip) {
  _takesNothing();
  _whole("units", units);
  const least = _whole("min_scrip", min_scrip ?? 1);
  const pool = _openPool();
  const scrip = _out(units, pool.units, pool.scrip);
  if (scrip < least) kernel.fail("price", `${units} units would pay ${scrip} scrip, not ${least}`);
  const seller = _party();
  _pull(units);
  _changePool({ scrip: -scrip, units });
  _owe(seller, { scrip });
  _deliver();
  return { units, scrip };
}

function quote(scrip, units) {
  _takesNothing();
  const pool = _openPool();
  const inScrip = _whole("scrip", scrip ?? 1);
  const inUnits = _whole("units", units ?? 1);
  const buys = _out(inScrip, pool.scrip, pool.units);
  return { buys, pays: _out(inUnits, pool.units, pool.scrip) };
}

function shares(id) {
  _takesNothing();
  const holder = id ?? caller;
  return { id: holder, shares: _sharesOf(holder), all: _pool().shares };
}

function status() {
  _takesNothing();
  const { scrip, units } = _pool();
  return { good: settings.good, fee_ppm: settings.fee_ppm, scrip, units };
}

function collect() {
  return _collected();
}

// What the pool pays for `paid`, rounded down, so that the product of the reserves never falls.
function _out(paid, reserveIn, reserveOut) {
  const counted = BigInt(paid) * (MILLION - BigInt(settings.fee_ppm));
  return Number((BigInt(reserveOut) * counted) / (BigInt(reserveIn) * MILLION + counted));
}

function _pool() {
  return state.pool ?? { scrip: 0, units: 0, shares: 0 };
}

function _openPool() {
  const pool = _pool();
  if (pool.shares === 0) kernel.fail("empty", "the pool is empty; fill it with add");
  return pool;
}

function _changePool({ scrip, units, shares = 0 }) {
  const pool = _pool();
  state.pool = {
    scrip: _whole("the scrip of the pool", pool.scrip + scrip, { min: 0, max: RESERVE_MAX }),
    units: _whole("the units of the pool", pool.units + units, { min: 0, max: RESERVE_MAX }),
    shares: pool.shares + shares,
  };
}

function _sharesOf(id) {
  return _at(state.holders, id, 0);
}
