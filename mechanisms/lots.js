// What auctions have in common: lots of artifacts that the program holds until the auction ends.

const STORE = "genesis_store";
const PRIVATE = "genesis_contract_private";
// Of one bid.
const AMOUNT_MAX = 1_000_000_000;
// The latest end of an auction, in ms of run time.
const END_MAX = 1_000_000_000_000_000;
const LOT_MAX = 5;
const LOTS_OF_ONE_MAX = 5;
const STATE_BYTES_MAX = 50_000;
const ENDED_KEPT = 20;
// How long a lot waits for its new owner. Then any agent can take it, so that no lot stays forever.
const WAITS_MS = 3_600_000;

// Holds the attached artifacts. `terms` are the rules of this auction.
function _newLot(terms) {
  const seller = _party();
  if (attached.scrip > 0) kernel.fail("no_scrip", "attach the artifacts to sell, and no scrip");
  const count = attached.artifacts.length;
  if (count < 1 || count > LOT_MAX) {
    const shape = `"attach": {"artifacts": ["my_tool"]}`;
    kernel.fail("attach_artifacts", `attach 1 to ${LOT_MAX} artifacts to sell, as in ${shape}`);
  }
  const lots = state.lots ?? [];
  const family = _familyOf(seller);
  if (lots.filter((lot) => lot.family === family).length >= LOTS_OF_ONE_MAX) {
    kernel.fail("full", `your family has ${LOTS_OF_ONE_MAX} lots here; settle one first`);
  }
  const n = (state.made ?? 0) + 1;
  const lot = {
    n,
    seller,
    family,
    goods: attached.artifacts.map(_hold),
    opened_at_ms: kernel.now(),
    ...terms,
  };
  state.made = n;
  state.lots = [...lots, lot];
  _keepWithinBounds();
  return lot;
}

// Makes an artifact private, so that it cannot be changed or used while it is held.
function _hold(artifact) {
  const { access } = kernel.query("artifact", { id: artifact, fields: ["access"] });
  const locked = kernel.invoke(STORE, "set_access", [artifact, PRIVATE]);
  if (!locked.success) kernel.fail("cannot_hold", `${artifact}: ${locked.error.message}`);
  return { artifact, access };
}

function _lot(n) {
  const found = (state.lots ?? []).find((lot) => lot.n === n);
  if (found === undefined) kernel.fail("not_found", `there is no open lot ${n}; see lots()`);
  return found;
}

// Ends a lot with a price for its new owner, or without a sale if `winner` is null.
function _sold(lot, winner, price) {
  lot.winner = winner;
  lot.price = price;
  lot.ended_at_ms = kernel.now();
  if (winner !== null) _owe(lot.seller, { scrip: price });
}

// Gives the artifacts of an ended lot to whom they belong, if that one takes part in this call.
function _handOver(lot) {
  const owner = lot.winner ?? lot.seller;
  const isAbandoned = kernel.now() >= lot.ended_at_ms + WAITS_MS;
  if (owner !== caller && !isAbandoned) return null;
  _party();
  for (const { artifact, access } of lot.goods) {
    kernel.invoke(STORE, "set_access", [artifact, access]);
    kernel.give(artifact, caller);
  }
  state.lots = state.lots.filter(({ n }) => n !== lot.n);
  const { seller, winner, price, ended_at_ms } = lot;
  const ended = { n: lot.n, seller, artifacts: _named(lot), winner, price, ended_at_ms };
  state.ended = [...(state.ended ?? []), ended].slice(-ENDED_KEPT);
  return caller;
}

// The answer of `settle`.
function _settlement(lot) {
  const given_to = _handOver(lot);
  _deliver();
  return { lot: lot.n, winner: lot.winner, price: lot.price, given_to };
}

function _named({ goods }) {
  return goods.map(({ artifact }) => artifact);
}

// Refuses what would not fit, so that the lots that are here can always end.
function _keepWithinBounds() {
  if (JSON.stringify(state).length <= STATE_BYTES_MAX) return;
  state.ended = [];
  if (JSON.stringify(state).length <= STATE_BYTES_MAX) return;
  kernel.fail("full", "there is no room for this until a lot is settled");
}

// Each program has its own `_shown`.
function lots(after) {
  _takesNothing();
  return _pageOf((state.lots ?? []).map(_shown), after, "lots");
}

function status() {
  _takesNothing();
  const open = (state.lots ?? []).filter(({ ended_at_ms }) => ended_at_ms === undefined);
  return { lots: (state.lots ?? []).length, open: open.length, ended: (state.ended ?? []).length };
}

function collect() {
  return _collected();
}

function results() {
  _takesNothing();
  return state.ended ?? [];
}
