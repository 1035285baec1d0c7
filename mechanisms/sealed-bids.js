// Auctions with secret bids, of which each bidder has one. The highest bid wins; of equal bids, the
// first. `_priceFor` is the pricing rule of the program.

// How many bids of one family a lot holds.
const BIDS_OF_ONE_MAX = 3;

function open(reserve, open_for_s) {
  _whole("reserve", reserve, { max: AMOUNT_MAX });
  _whole("open_for_s", open_for_s, { max: 604_800 });
  const lot = _newLot({ reserve, closes_at_ms: kernel.now() + open_for_s * 1000, bids: [] });
  return { lot: lot.n, closes_at_ms: lot.closes_at_ms };
}

function bid(lot, amount) {
  const found = _lot(lot);
  if (kernel.now() >= found.closes_at_ms) kernel.fail("closed", `lot ${lot} is closed; settle it`);
  if (found.seller === caller) kernel.fail("own_lot", "you cannot bid for your own lot");
  _whole("amount", amount, { max: AMOUNT_MAX });
  if (amount < found.reserve) kernel.fail("too_low", `the lowest bid is ${found.reserve}`);
  _change(amount);
  const by = _party();
  const [old] = found.bids.filter((each) => each.by === by);
  if (old !== undefined) _owe(by, { scrip: old.held });
  const family = _familyOf(by);
  const others = found.bids.filter((each) => each !== old);
  if (others.filter((each) => each.family === family).length >= BIDS_OF_ONE_MAX) {
    kernel.fail("full", `your family has ${BIDS_OF_ONE_MAX} bids for this lot`);
  }
  found.bids = [...others, { by, family, amount, held: attached.scrip }];
  _keepWithinBounds();
  _deliver();
  return { lot, amount, held: attached.scrip };
}

function settle(lot) {
  _takesNothing();
  const found = _lot(lot);
  const left = found.closes_at_ms - kernel.now();
  if (left > 0) kernel.fail("open", `lot ${lot} is open for another ${left} ms`);
  if (found.ended_at_ms === undefined) _end(found);
  return _settlement(found);
}

function _end(lot) {
  const sorted = lot.bids.toSorted((a, b) => b.amount - a.amount);
  const [best] = sorted;
  const price = best === undefined ? null : _priceFor(sorted, lot.reserve);
  for (const { by, held } of lot.bids) _owe(by, { scrip: by === best.by ? held - price : held });
  lot.bids = [];
  _sold(lot, best?.by ?? null, price);
}

function _shown(lot) {
  const { n, seller, reserve, closes_at_ms, bids, winner = null, price = null } = lot;
  const isOpen = kernel.now() < closes_at_ms;
  const is = isOpen ? "open" : lot.ended_at_ms === undefined ? "closed" : "settled";
  const artifacts = _named(lot);
  return {
    n,
    seller,
    artifacts,
    reserve,
    closes_at_ms,
    status: is,
    bids: bids.length,
    winner,
    price,
  };
}
