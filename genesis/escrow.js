/* ---
description: >-
  Sells artifacts for their owners. Attach one to deposit; whoever attaches the price to purchase
  has it at once and the seller is paid. While it waits here nobody can change, use or delete it.
methods:
  - name: deposit
    description: >-
      Puts the one artifact that you attach up for sale, for `price` scrip. With `buyer` only that
      one may buy it; after `expires_in_s` (600) nobody may. It leaves your disk now, and comes back
      with cancel. Your family can have 25 listings and 60000 bytes of artifacts here. Deposit
      yourself, or through a program of your family.
    input_schema:
      type: object
      properties:
        price: { type: integer, minimum: 1, maximum: 9007199254740991 }
        buyer: { type: string, maxLength: 128, description: the only one who may buy it }
        expires_in_s: { type: integer, minimum: 1, maximum: 86400 }
      required: [price]
    examples:
      - args: [40]
        result: { listing: my_tool, price: 40, version: 3 }
      - args: [40, bob, 600]
        result: { listing: my_tool, price: 40, version: 3 }
  - name: purchase
    description: >-
      Buys a listed artifact for you: attach its price, what is over comes back. Name the `version`
      that you have looked at, and neither it nor its price can have changed since. What a seller
      listed that has a new owner since is not sold.
    input_schema:
      type: object
      properties:
        artifact_id: { type: string, maxLength: 128 }
        version: { type: integer, minimum: 1 }
      required: [artifact_id]
    examples:
      - args: [my_tool, 3]
        result: { artifact: my_tool, seller: alice, paid: 40 }
  - name: cancel
    description: >-
      Takes an artifact of yours back, also after the sale has expired; do so within 3600 s, for then
      anybody can take it. What a seller listed that exists no more, its family takes.
    input_schema:
      type: object
      properties:
        artifact_id: { type: string, maxLength: 128 }
      required: [artifact_id]
    examples:
      - args: [my_tool]
        result: { artifact: my_tool, cancelled: true }
  - name: check
    description: >-
      One listing; its status is active, expired, void (its seller has a new owner since), sold,
      cancelled or none. Of those that are over the latest 10 are kept.
    input_schema:
      type: object
      properties:
        artifact_id: { type: string, maxLength: 128 }
      required: [artifact_id]
    examples:
      - args: [my_tool]
        result:
          n: 7
          artifact: my_tool
          seller: alice
          price: 40
          buyer: null
          expires_at_ms: 701000
          version: 3
          access: genesis_contract_freeware
          status: active
  - name: list_active
    description: >-
      What can be bought now, oldest first, 12 at a time, each with its use and what it has earned
      so far; `after` is the number n of the last one that you have seen. `access` is the contract
      that it will have again.
    input_schema:
      type: object
      properties:
        after: { type: integer, minimum: 0 }
    examples:
      - args: []
        result: { listings: [], next: null }
--- */
const STORE = "genesis_store";
const PRIVATE = "genesis_contract_private";
const FREEWARE = "genesis_contract_freeware";
const STATE_BYTES_MAX = 60_000;
// Of one family, so that nobody fills the shop: how many, their own size, and that of their entries.
const PER_FAMILY_MAX = 25;
const FAMILY_DISK_MAX = 60_000;
const FAMILY_STATE_MAX = 8_000;
const EXPIRES_IN_S = 600;
// How long a sale that is over waits for its seller before it is anybody's, so that what nobody takes
// back does not keep others out for good.
const WAITS_MS = 3_600_000;
const CLOSED_KEPT = 10;
const PAGE = 12;
const ADVERTISED = ["type", "description", "calls_by_others", "revenue", "created_at"];
const DESCRIPTION_CHARS = 60;

function deposit(price, buyer, expires_in_s) {
  if (attached.scrip > 0) {
    kernel.fail("no_scrip", "a deposit costs nothing: attach the artifact and no scrip");
  }
  const [artifact] = attached.artifacts;
  if (attached.artifacts.length !== 1) {
    const shape = `"attach": {"artifacts": ["my_tool"]}`;
    kernel.fail("attach_one", `attach the one artifact that you sell, as in ${shape}`);
  }
  if (buyer && !_isPrincipal(buyer)) {
    kernel.fail("unknown_buyer", `"${buyer}" has no account, so it cannot buy`);
  }
  const listings = state.listings ?? [];
  const facts = { id: artifact, fields: ["access", "size_bytes"] };
  const { access, size_bytes } = kernel.query("artifact", facts);
  const locked = kernel.invoke(STORE, "set_access", [artifact, PRIVATE]);
  if (!locked.success) kernel.fail("cannot_hold", `${artifact}: ${locked.error.message}`);
  const { version } = kernel.query("artifact", { id: artifact, fields: ["version"] });
  const n = (state.made ?? 0) + 1;
  const family = _family();
  listings.push({
    n,
    artifact,
    seller: caller,
    price,
    buyer: _unless(null, buyer),
    expires_at_ms: kernel.now() + (expires_in_s ?? EXPIRES_IN_S) * 1000,
    version,
    access: _unless(FREEWARE, access),
    master: _unless(null, _masterOf(caller)),
    family: _unless(caller, family),
    size_bytes,
  });
  state.made = n;
  state.listings = listings;
  _leavesRoomForOthers(family);
  _keepWithinBounds();
  return { listing: artifact, price, version };
}

function purchase(artifact_id, version) {
  _takesNoArtifacts();
  const listing = _listed(artifact_id);
  if (_isOver(listing)) {
    kernel.fail("expired", `the sale of ${artifact_id} is over; its seller can list it again`);
  }
  if (_isVoid(listing)) {
    const cure = `${listing.seller} can cancel that and list it again`;
    kernel.fail("void", `${artifact_id} was listed for a former owner of its seller; ${cure}`);
  }
  if (listing.buyer !== undefined && listing.buyer !== caller) {
    kernel.fail("not_for_you", `${artifact_id} is kept for ${listing.buyer}`);
  }
  if (listing.seller === caller) {
    kernel.fail("own_listing", `you sell ${artifact_id} yourself; take it back with cancel`);
  }
  if (!_isPrincipal(caller)) {
    kernel.fail("no_standing", `${caller} has no account, so it cannot own what it buys`);
  }
  if (version && version !== listing.version) {
    kernel.fail("changed", `${artifact_id} is now version ${listing.version}; look at it again`);
  }
  const change = attached.scrip - listing.price;
  if (change < 0) {
    kernel.fail("too_little", `attach ${listing.price} scrip; you attached ${attached.scrip}`);
  }
  _close(listing, "sold");
  kernel.pay(listing.seller, listing.price);
  _handOver(listing, caller);
  if (change > 0) kernel.pay(caller, change);
  return { artifact: artifact_id, seller: listing.seller, paid: listing.price };
}

function cancel(artifact_id) {
  _takesNothing();
  const listing = _listed(artifact_id);
  if (!_mayTakeBack(listing)) {
    kernel.fail("not_yours", `only ${listing.seller}, who sells ${artifact_id}, can cancel that`);
  }
  _close(listing, "cancelled");
  _handOver(listing, caller);
  return { artifact: artifact_id, cancelled: true };
}

function check(artifact_id) {
  _takesNothing();
  const isIt = ({ artifact }) => artifact === artifact_id;
  const open = (state.listings ?? []).find(isIt);
  if (open !== undefined) return { ..._shown(open), status: _statusOf(open) };
  const closed = (state.closed ?? []).findLast(isIt);
  if (closed !== undefined) return { ..._shown(closed), status: closed.status };
  return { artifact: artifact_id, status: "none" };
}

function list_active(after) {
  _takesNothing();
  const active = (state.listings ?? []).filter(
    (listing) => listing.n > (after ?? 0) && !_isOver(listing),
  );
  const page = active.slice(0, PAGE);
  // Nothing changes while this only looks, so each seller is asked after once.
  const masters = new Map();
  for (const { seller } of page) {
    if (!masters.has(seller)) masters.set(seller, _masterOf(seller));
  }
  const stands = ({ seller, master }) => masters.get(seller) === (master ?? null);
  const listings = page.filter(stands).map(_advertised);
  return { listings, next: active.length > PAGE ? page.at(-1).n : null };
}

// A listing with what the market knows of the artifact, so that buyers need not ask for each.
function _advertised(listing) {
  const known = kernel.query("artifact", { id: listing.artifact, fields: ADVERTISED });
  const description = known.description.slice(0, DESCRIPTION_CHARS).toWellFormed();
  return { ..._shown(listing), ...known, description };
}

function _shown(listing) {
  const { n, artifact, seller, price, buyer = null, expires_at_ms, version } = listing;
  const { access = FREEWARE } = listing;
  return { n, artifact, seller, price, buyer, expires_at_ms, version, access };
}

function _listed(artifact_id) {
  const listing = (state.listings ?? []).find(({ artifact }) => artifact === artifact_id);
  if (listing === undefined) {
    kernel.fail("not_listed", `${artifact_id} is not for sale here; see list_active()`);
  }
  return listing;
}

function _isOver({ expires_at_ms }) {
  return kernel.now() >= expires_at_ms;
}

// Whoever has bought the seller since has agreed to no price.
function _isVoid({ seller, master = null }) {
  return _masterOf(seller) !== master;
}

function _statusOf(listing) {
  if (_isOver(listing)) return "expired";
  return _isVoid(listing) ? "void" : "active";
}

function _mayTakeBack({ seller, family = seller, expires_at_ms }) {
  if (seller === caller || kernel.now() >= expires_at_ms + WAITS_MS) return true;
  return !_isPrincipal(seller) && family === _family();
}

// Before anything is paid or handed over, so that nothing can be sold twice.
function _close(listing, status) {
  state.listings = state.listings.filter(({ n }) => n !== listing.n);
  const { master, family, size_bytes, ...kept } = listing;
  state.closed = [...(state.closed ?? []), { ...kept, status }].slice(-CLOSED_KEPT);
}

// Its former contract comes back, unless that is gone: then it stays private for its new owner.
function _handOver({ artifact, access = FREEWARE }, to) {
  kernel.invoke(STORE, "set_access", [artifact, access]);
  kernel.give(artifact, to);
}

function _leavesRoomForOthers(family) {
  const own = state.listings.filter((listing) => (listing.family ?? listing.seller) === family);
  const bytes = own.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  if (bytes > FAMILY_DISK_MAX) {
    kernel.fail("full", `that would be ${bytes} bytes of your family; ${FAMILY_DISK_MAX} at most`);
  }
  if (own.length > PER_FAMILY_MAX || JSON.stringify(own).length > FAMILY_STATE_MAX) {
    kernel.fail("full", `your family has ${own.length - 1} listings already; cancel one`);
  }
}

// Ids and numbers are ASCII, so that characters are bytes.
function _keepWithinBounds() {
  if (JSON.stringify(state).length <= STATE_BYTES_MAX) return;
  state.closed = [];
  if (JSON.stringify(state).length > STATE_BYTES_MAX) {
    kernel.fail("full", "there is no room for another listing until one is sold or cancelled");
  }
}
