/* ---
description: >-
  A game of chance about scrip. Players put scrip in. In each round, random pairs of players exchange
  what they have in the game. A player takes its scrip out when it leaves.
settings:
  type: object
  properties:
    rule: { enum: [saving, yard_sale], description: what a pair exchanges; see `join` }
    exchanges_per_round: { type: integer, minimum: 1, maximum: 1000 }
    tax_ppm:
      type: integer
      minimum: 0
      maximum: 1000000
      default: 0
      description: the part of each wealth, in millionths, that is shared equally after a round
  required: [rule, exchanges_per_round]
  additionalProperties: false
include: [../../mechanisms/shared.js]
methods:
  - name: join
    description: >-
      Joins with the attached scrip. The rule `saving`: a player keeps `percent` of its wealth in each
      exchange, and the rest of both is split at random. The rule `yard_sale`: one of the two wins from
      the other a part of the smaller wealth, the smaller of both `percent`.
    input_schema:
      type: object
      properties:
        percent: { type: integer, minimum: 0, maximum: 100 }
      required: [percent]
  - name: play
    description: Plays a round between random pairs of all players.
    input_schema: { type: object, properties: {} }
  - name: leave
    description: Pays out your wealth.
    input_schema: { type: object, properties: {} }
  - name: wealth
    description: What you have in the game.
    input_schema: { type: object, properties: {} }
  - name: status
    description: The number of rounds and of players, and their wealth in all.
    input_schema: { type: object, properties: {} }
--- */
const PLAYERS_MAX = 1000;
// Wealth can grow by 12 digits each. Then the state still fits.
const PLAYERS_BYTES_MAX = 40_000;

function join(percent) {
  _takesNoArtifacts();
  _whole("percent", percent, { min: 0, max: 100 });
  const id = _party();
  const all = _players();
  if (all.ids.includes(id)) kernel.fail("joined", "you are in the game already");
  if (attached.scrip === 0) kernel.fail("no_scrip", "attach the scrip that you play with");
  all.ids.push(id);
  all.wealth.push(attached.scrip);
  all.percents.push(percent);
  if (all.ids.length > PLAYERS_MAX || JSON.stringify(all).length > PLAYERS_BYTES_MAX) {
    kernel.fail("full", "the game has no room for more players");
  }
  return { players: all.ids.length, wealth: attached.scrip };
}

function play() {
  _takesNothing();
  const { ids, wealth, percents } = _players();
  if (!ids.includes(caller)) kernel.fail("not_joined", "first join");
  if (ids.length < 2) kernel.fail("alone", "no other player has joined yet");
  const exchange = settings.rule === "saving" ? _split : _bet;
  for (let n = 0; n < settings.exchanges_per_round; n++) {
    const [one, other] = _pair(ids.length);
    exchange(wealth, percents, one, other);
  }
  _tax(wealth);
  state.rounds = (state.rounds ?? 0) + 1;
  return { round: state.rounds, wealth: wealth[ids.indexOf(caller)] };
}

function leave() {
  _takesNothing();
  const { ids, wealth, percents } = _players();
  const at = ids.indexOf(caller);
  if (at < 0) kernel.fail("not_joined", "you are not in the game");
  let [paid] = wealth.splice(at, 1);
  ids.splice(at, 1);
  percents.splice(at, 1);
  // The last player gets what taxes could not share equally.
  if (ids.length === 0) {
    paid += state.pot ?? 0;
    state.pot = 0;
  }
  if (paid > 0) kernel.pay(_party(), paid);
  return { paid };
}

function wealth() {
  _takesNothing();
  const { ids, wealth } = _players();
  return wealth[ids.indexOf(caller)] ?? 0;
}

function status() {
  _takesNothing();
  const { ids, wealth } = _players();
  const total = wealth.reduce((sum, each) => sum + each, 0);
  return { rounds: state.rounds ?? 0, players: ids.length, total };
}

function _players() {
  state.players ??= { ids: [], wealth: [], percents: [] };
  return state.players;
}

// Two different players. One draw decides both.
function _pair(players) {
  const draw = Math.floor(kernel.random() * players * (players - 1));
  const one = Math.floor(draw / (players - 1));
  const other = draw % (players - 1);
  return [one, other < one ? other : other + 1];
}

// Chakraborti and Chakrabarti (2000): each saves its part, and the rest is split at random.
function _split(wealth, percents, one, other) {
  const saved = _part(wealth[one], percents[one]);
  const pool = wealth[one] - saved + wealth[other] - _part(wealth[other], percents[other]);
  const total = wealth[one] + wealth[other];
  wealth[one] = saved + Math.floor(kernel.random() * (pool + 1));
  wealth[other] = total - wealth[one];
}

// The yard sale (Chakraborti, 2002): `one` and `other` are in random order, so a coin is tossed
// already.
function _bet(wealth, percents, one, other) {
  const percent = Math.min(percents[one], percents[other]);
  const stake = _part(Math.min(wealth[one], wealth[other]), percent);
  wealth[one] += stake;
  wealth[other] -= stake;
}

function _part(amount, percent) {
  return Math.floor((amount * percent) / 100);
}

// What cannot be shared equally waits for the next round.
function _tax(wealth) {
  if (settings.tax_ppm === 0) return;
  let pot = state.pot ?? 0;
  for (let at = 0; at < wealth.length; at++) {
    const due = Math.floor((wealth[at] * settings.tax_ppm) / 1_000_000);
    wealth[at] -= due;
    pot += due;
  }
  const share = Math.floor(pot / wealth.length);
  for (let at = 0; at < wealth.length; at++) wealth[at] += share;
  state.pot = pot - share * wealth.length;
}
