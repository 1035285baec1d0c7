/* ---
description: >-
  Bargaining by alternating offers (Rubinstein 1982). Two parties divide a pot that a sponsor pays.
  They take turns: one says how much it wants, and the other accepts, or rejects and offers next.
  Each round without agreement shrinks the pot, and after the last round neither gets anything.
settings: { type: object, properties: {}, additionalProperties: false }
include: [shared.js, payments.js]
methods:
  - name: open
    description: >-
      Starts a game. Attach the pot. `first` offers in rounds 1, 3, 5, …, and `second` in the
      others. Each new round keeps `keep_percent` of the pot, rounded down. A round lasts at most
      `round_s`. What the parties do not get comes back to you.
    input_schema:
      type: object
      properties:
        first: { type: string, maxLength: 128 }
        second: { type: string, maxLength: 128 }
        rounds: { type: integer, minimum: 1, maximum: 100 }
        keep_percent: { type: integer, minimum: 1, maximum: 100 }
        round_s: { type: integer, minimum: 1, maximum: 86400 }
      required: [first, second, rounds, keep_percent, round_s]
    examples:
      - args: [bob, carol, 3, 90, 60]
        result: { game: 1, pot: 100, round: 1, ends_at_ms: 160000 }
  - name: offer
    description: >-
      Says how much of the pot you want; the other party would get the rest. Only one offer in each
      round.
    input_schema:
      type: object
      properties:
        game: { type: integer, minimum: 1 }
        mine: { type: integer, minimum: 0, maximum: 1000000000 }
      required: [game, mine]
    examples:
      - args: [1, 70]
        result: { game: 1, round: 1, pot: 100, mine: 70, yours: 30 }
  - name: accept
    description: Accepts the offer of the other party. Both are paid, and the game ends.
    input_schema:
      type: object
      properties:
        game: { type: integer, minimum: 1 }
      required: [game]
    examples:
      - args: [1]
        result: { game: 1, round: 2, agreed: true, first_gets: 30, second_gets: 60, returned: 10 }
  - name: reject
    description: >-
      Rejects the offer of the other party. In the next round you offer; after the last round the
      game ends without agreement.
    input_schema:
      type: object
      properties:
        game: { type: integer, minimum: 1 }
      required: [game]
    examples:
      - args: [1]
        result: { game: 1, round: 2, pot: 90, ends_at_ms: 160000 }
  - name: games
    description: >-
      The games, oldest first, 20 at a time; `after` is the number n of the last one that you have
      seen. `mine` is what the proposer of this round wants, or null.
    input_schema:
      type: object
      properties:
        after: { type: integer, minimum: 0 }
    examples:
      - args: []
        result:
          games:
            - n: 1
              sponsor: alice
              first: bob
              second: carol
              round: 1
              rounds: 3
              keep_percent: 90
              pot: 100
              proposer: bob
              mine: 70
              ends_at_ms: 160000
          next: null
  - name: results
    description: The latest 20 games that ended.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result:
          - n: 1
            sponsor: alice
            first: bob
            second: carol
            round: 2
            agreed: true
            first_gets: 30
            second_gets: 60
            returned: 10
  - name: status
    description: >-
      How many games are here, and how many ended lately. Any call ends rounds whose time is over.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { games: 1, ended: 0 }
  - name: collect
    description: Pays you what could not be delivered to you before.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { scrip: 0, units: 0 }
--- */
const POT_MAX = 1_000_000_000;
const GAMES_OF_ONE_MAX = 5;
const GAMES_BYTES_MAX = 40_000;
const ENDED_KEPT = 20;

function open(first, second, rounds, keep_percent, round_s) {
  _takesNoArtifacts();
  _settle();
  const sponsor = _party();
  const pot = _whole("the attached pot", attached.scrip, { max: POT_MAX });
  _whole("rounds", rounds, { max: 100 });
  _whole("keep_percent", keep_percent, { max: 100 });
  const round_ms = _whole("round_s", round_s, { max: 86_400 }) * 1000;
  for (const id of [first, second]) {
    if (!_hasAccount(id)) kernel.fail("no_account", `the party ${id} has no account`);
  }
  if (new Set([sponsor, first, second, self]).size < 4) {
    kernel.fail("same_party", "the sponsor and the two parties must be three different principals");
  }
  const family = _familyOf(sponsor);
  if (state.games.filter((game) => game.family === family).length >= GAMES_OF_ONE_MAX) {
    kernel.fail("full", `your family has ${GAMES_OF_ONE_MAX} games here; wait for the end of one`);
  }
  state.made = (state.made ?? 0) + 1;
  const n = state.made;
  const ends_at_ms = kernel.now() + round_ms;
  const terms = { sponsor, family, first, second, rounds, keep_percent, round_ms };
  state.games.push({ n, ...terms, round: 1, pot, paid: pot, mine: null, ends_at_ms });
  if (JSON.stringify(state.games).length > GAMES_BYTES_MAX) {
    kernel.fail("full", "there is no room for this until a game ends");
  }
  for (const id of [first, second]) _tell(id, `game ${n}: you can divide ${pot} scrip`);
  _deliver();
  return { game: n, pot, round: 1, ends_at_ms };
}

function offer(game, mine) {
  const found = _gameOf(game, "proposer");
  _whole("mine", mine, { min: 0, max: found.pot });
  if (found.mine !== null) kernel.fail("offered", `you have asked for ${found.mine} in this round`);
  found.mine = mine;
  _deliver();
  return { game, round: found.round, pot: found.pot, mine, yours: found.pot - mine };
}

function accept(game) {
  const found = _offered(game);
  const [mine, yours] = [found.mine, found.pot - found.mine];
  const isFirst = _proposer(found) === found.first;
  const ended = _end(found, isFirst ? [mine, yours] : [yours, mine]);
  _deliver();
  const { agreed, first_gets, second_gets, returned } = ended;
  return { game, round: ended.round, agreed, first_gets, second_gets, returned };
}

function reject(game) {
  const found = _offered(game);
  const isLast = found.round === found.rounds;
  _next(found, kernel.now());
  _deliver();
  const { round, pot, ends_at_ms } = found;
  return isLast ? { game, round, agreed: false } : { game, round, pot, ends_at_ms };
}

function games(after) {
  _takesNothing();
  _settle();
  return _pageOf(state.games.map(_shown), after, "games");
}

function results() {
  _takesNothing();
  _settle();
  return state.ended ?? [];
}

function status() {
  _takesNothing();
  _settle();
  return { games: state.games.length, ended: (state.ended ?? []).length };
}

function collect() {
  _settle();
  return _collected();
}

// A game in which it is the caller's turn as proposer or as responder.
function _gameOf(n, role) {
  _takesNothing();
  _settle();
  const found = state.games.find((game) => game.n === n);
  if (found === undefined) kernel.fail("not_found", `there is no game ${n} now; see games()`);
  const { first, second } = found;
  const proposer = _proposer(found);
  const responder = proposer === first ? second : first;
  const asked = role === "proposer" ? proposer : responder;
  if (caller !== asked) kernel.fail("not_your_turn", `now ${proposer} offers to ${responder}`);
  return found;
}

function _offered(n) {
  const found = _gameOf(n, "responder");
  if (found.mine === null) kernel.fail("no_offer", "the other party has not offered anything yet");
  return found;
}

function _proposer({ first, second, round }) {
  return round % 2 === 1 ? first : second;
}

// Ends the rounds whose time is over. So a party that says nothing cannot stop a game.
function _settle() {
  state.games ??= [];
  for (const game of [...state.games]) {
    while (state.games.includes(game) && kernel.now() >= game.ends_at_ms) {
      _next(game, game.ends_at_ms);
    }
    if (!state.games.includes(game)) _deliver();
  }
}

function _next(game, at_ms) {
  if (game.round === game.rounds) _end(game, null);
  else {
    game.round += 1;
    game.pot = Math.floor((game.pot * game.keep_percent) / 100);
    game.mine = null;
    game.ends_at_ms = at_ms + game.round_ms;
  }
}

// Pays the parties, or only the sponsor if they have not agreed.
function _end(game, shares) {
  const { n, sponsor, first, second, round, paid } = game;
  const [first_gets, second_gets] = shares ?? [0, 0];
  const returned = paid - first_gets - second_gets;
  _owe(first, { scrip: first_gets });
  _owe(second, { scrip: second_gets });
  _owe(sponsor, { scrip: returned });
  const agreed = shares !== null;
  const ended = { n, sponsor, first, second, round, agreed, first_gets, second_gets, returned };
  state.games = state.games.filter((each) => each !== game);
  state.ended = [...(state.ended ?? []), ended].slice(-ENDED_KEPT);
  return ended;
}

function _shown(game) {
  const { n, sponsor, first, second, round, rounds, keep_percent, pot, mine, ends_at_ms } = game;
  const proposer = _proposer(game);
  return {
    n,
    sponsor,
    first,
    second,
    round,
    rounds,
    keep_percent,
    pot,
    proposer,
    mine,
    ends_at_ms,
  };
}
