/* ---
description: >-
  A commons: a stock that regrows and that all can harvest. Harvests of one round are secret and
  happen together at its end. Then what is left grows. A stock that falls too low never grows again.
settings:
  type: object
  properties:
    good:
      type: string
      description: the id of the token that harvested units become; its issuer must be the commons
    capacity: { type: integer, minimum: 1, maximum: 1000000, default: 100, description: the largest stock }
    initial:
      type: integer
      minimum: 1
      maximum: 1000000
      default: 100
      description: the stock at the start, at most the capacity
    growth:
      type: string
      enum: [exponential, logistic]
      default: exponential
      description: >-
        how much a stock s grows in a round: exponential is rate × s, logistic is
        rate × s × (1 - s / capacity); whole units, up to the capacity
    growth_percent:
      type: integer
      minimum: 1
      maximum: 1000
      default: 100
      description: the rate of growth; 100 doubles a stock that grows exponentially
    collapse_below:
      type: integer
      minimum: 0
      maximum: 1000000
      default: 5
      description: a stock that is lower than this at the end of a round is lost for good
    period_s: { type: integer, minimum: 1, maximum: 604800, default: 60, description: length of a round }
    members:
      type: array
      items: { type: string, maxLength: 128 }
      maxItems: 200
      default: []
      description: who can harvest; an empty list lets everyone
    most:
      type: integer
      minimum: 1
      maximum: 1000000
      default: 1000000
      description: the most units that one principal can ask for in a round
  required: [good]
  additionalProperties: false
include: [shared.js, payments.js]
methods:
  - name: harvest
    description: >-
      Asks for units of this round, which you get at its end. If all ask for more than the stock,
      no family gets more than an equal share, and what small harvests leave is shared by the
      others; the members of a family share alike.
      Another call in the same round replaces the first; 0 withdraws it.
    input_schema:
      type: object
      properties:
        units: { type: integer, minimum: 0, maximum: 1000000 }
      required: [units]
    examples:
      - args: [10]
        result: { units: 10, round: 1, ends_at_ms: 120000, stock: 100 }
  - name: asked
    description: The units that you have asked for in this round.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { units: 10, round: 1 }
  - name: results
    description: >-
      The latest rounds with harvests, oldest first: the stock before, what all asked for, what each
      principal got, what was left, and the stock of the next round.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result:
          - { round: 1, stock: 100, asked: 50, got: { alice: 10, bob: 20, carol: 20 }, left: 50, next: 100 }
  - name: status
    description: >-
      The good, the stock, the current round, its end, and how many principals have asked. Any call
      ends a round whose time is over.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { good: wheat, stock: 100, round: 1, ends_at_ms: 120000, harvesters: 3, collapsed: false }
  - name: collect
    description: Gives you what the commons could not deliver to you before.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { scrip: 0, units: 0 }
--- */
const ASKED_BYTES_MAX = 16_000;
const RESULTS_BYTES_MAX = 16_000;

function harvest(units) {
  _takesNothing();
  _whole("units", units, { min: 0, max: settings.most });
  const by = _party();
  if (settings.members.length > 0 && !settings.members.includes(by)) {
    kernel.fail("not_member", `only members harvest here, and ${by} is not a member`);
  }
  _requireIssuer();
  _settle();
  if (state.stock === 0) kernel.fail("collapsed", "the stock is lost, so it cannot be harvested");
  const { [by]: _old, ...others } = state.asked;
  state.asked = units === 0 ? others : { ...others, [by]: { units, family: _familyOf(by) } };
  _makeRoom(state.asked, by, {
    bytesMax: ASKED_BYTES_MAX,
    told: "your harvest was dropped, because the round is full",
    full: "this round is full; harvest in the next one",
  });
  const { n, ends_at_ms } = _round();
  return { units, round: n, ends_at_ms, stock: state.stock };
}

function asked() {
  _takesNothing();
  _settle();
  return { units: _at(state.asked, caller, { units: 0 }).units, round: state.round };
}

function results() {
  _takesNothing();
  _settle();
  return state.results ?? [];
}

function status() {
  _takesNothing();
  _settle();
  const { stock, round } = state;
  const { ends_at_ms } = _round();
  const harvesters = Object.keys(state.asked).length;
  return { good: settings.good, stock, round, ends_at_ms, harvesters, collapsed: stock === 0 };
}

function collect() {
  _settle();
  _issue();
  return _collected();
}

// Harvested units are new units of the good. A good of another issuer would give no one anything.
function _requireIssuer() {
  if (state.isIssuer === true) return;
  const { success, result } = kernel.invoke(settings.good, "status");
  if (!success || result?.issuer !== self) {
    kernel.fail("not_issuer", `${settings.good} must have the setting "issuer": "${self}"`);
  }
  state.isIssuer = true;
}

// Ends the round of the kept harvests if its time is over. The stock also grows in empty rounds.
function _settle() {
  const { n: round } = _round();
  state.stock ??= Math.min(settings.initial, settings.capacity);
  state.asked ??= {};
  state.round ??= round;
  if (state.round === round) return;
  _end();
  for (let n = state.round + 1; n < round; n++) {
    const next = _after(state.stock);
    if (next === state.stock) break;
    state.stock = next;
  }
  state.round = round;
  _issue();
  _deliver();
}

function _end() {
  const { round, stock } = state;
  const all = Object.entries(state.asked).map(([id, each]) => ({ id, ...each }));
  const got = _dealt(all, stock);
  for (const [id, units] of Object.entries(got)) _owe(id, { units });
  const taken = Object.values(got).reduce((sum, units) => sum + units, 0);
  const left = stock - taken;
  state.unissued = (state.unissued ?? 0) + taken;
  state.stock = _after(left);
  state.asked = {};
  const result = { round, stock, asked: _sum(all), got, left, next: state.stock };
  if (all.length > 0) _keepResult(result, RESULTS_BYTES_MAX);
}

// What each principal gets: first the families share the stock, then the members of each family
// share what it got. So no family gets more by spawning.
function _dealt(all, stock) {
  const families = Object.values(Object.groupBy(all, ({ family }) => family));
  const most = _most(families.map(_sum), stock);
  const parts = families.flatMap((members) => {
    const own = _most(
      members.map(({ units }) => units),
      Math.min(_sum(members), most),
    );
    return members.map(({ id, units }) => [id, Math.min(units, own)]);
  });
  return Object.fromEntries(parts);
}

function _sum(all) {
  return all.reduce((sum, { units }) => sum + units, 0);
}

// The uniform rule of Sprumont (1991): the most that one sharer gets. To ask for what one wants is
// never worse than to ask for more or less. A remainder, fewer units than there are sharers that
// want more, stays in the stock, so that no one gains by being the first or the last.
function _most(wants, stock) {
  let left = stock;
  let sharing = wants.length;
  for (const units of wants.toSorted((a, b) => a - b)) {
    const share = Math.floor(left / sharing);
    if (units > share) return share;
    left -= units;
    sharing -= 1;
  }
  return stock;
}

// The stock of the next round, if a harvest leaves this much.
function _after(left) {
  if (left < settings.collapse_below) return 0;
  const { capacity, growth, growth_percent } = settings;
  const free = growth === "logistic" ? capacity - left : capacity;
  const grown = Math.floor((growth_percent * left * free) / (100 * capacity));
  return Math.min(capacity, left + grown);
}

// Makes the units that harvests have taken. Those that the token refuses are made later.
function _issue() {
  const units = state.unissued ?? 0;
  if (units === 0) return;
  if (kernel.invoke(settings.good, "issue", [self, units]).success) state.unissued = 0;
}
