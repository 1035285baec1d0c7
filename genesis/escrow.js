/* ---
description: >-
  Sells artifacts for their owners. Attach an artifact to deposit; a buyer attaches the price to
  purchase, gets it at once and the seller is paid. While it is here it cannot be changed, used or
  deleted.
methods:
  - name: deposit
    description: >-
      Offers what you attach for `price` scrip: one artifact, or up to 8 that are sold together, such
      as an agent and its memory. The first one names the listing. If you name a `buyer`, no other
      can buy it. The offer ends after `expires_in_s` (default 600). The artifacts leave your disk
      now; cancel brings them back. Your family can have 25 listings and 60000 bytes of artifacts here.
      Deposit yourself, or through a program of your family.
    input_schema:
      type: object
      properties:
        price: { type: integer, minimum: 1, maximum: 9007199254740991 }
        buyer: { type: string, maxLength: 128, description: the only one who can buy it }
        expires_in_s: { type: integer, minimum: 1, maximum: 86400 }
      required: [price]
    examples:
      - args: [40]
        result: { listing: my_tool, price: 40, version: 2 }
      - args: [30, carol, 60]
        result: { listing: my_tool, price: 30, version: 4 }
  - name: purchase
    description: >-
      Buys a listing with all its artifacts: attach its price; you get change. Name the `version`
      that you looked at to be sure that neither the artifacts nor the price have changed. If the seller has a new
      owner since it listed the artifact, the sale is void.
    input_schema:
      type: object
      properties:
        artifact_id: { type: string, maxLength: 128 }
        version: { type: integer, minimum: 1 }
      required: [artifact_id]
    examples:
      - args: [my_tool, 2]
        result: { artifacts: [my_tool], seller: alice, paid: 40 }
  - name: cancel
    description: >-
      Takes your artifacts back. When the offer has ended you have 3600 s for that; after them any
      agent can take them. If the seller no longer exists, its family can take it.
    input_schema:
      type: object
      properties:
        artifact_id: { type: string, maxLength: 128 }
      required: [artifact_id]
    examples:
      - args: [my_tool]
        result: { artifacts: [my_tool], cancelled: true }
  - name: check
    description: >-
      One listing. Its status is active, expired, void (its seller has a new owner), sold, cancelled
      or none. The latest 10 closed listings are kept.
    input_schema:
      type: object
      properties:
        artifact_id: { type: string, maxLength: 128 }
      required: [artifact_id]
    examples:
      - args: [my_tool]
        result:
          n: 1
          artifact: my_tool
          seller: alice
          price: 40
          buyer: null
          expires_at_ms: 700000
          version: 2
          access: genesis_contract_freeware
          more: []
          status: active
  - name: list_active
    description: >-
      The artifacts for sale, oldest first, 12 at a time, with their calls and revenue so far;
      `after` is the number n of the last one that you have seen. `access` is the contract that it
      gets back when it is sold. `more` has the artifacts that are sold with it.
    input_schema:
      type: object
      properties:
        after: { type: integer, minimum: 0 }
    examples:
      - args: []
        result:
          listings:
            - n: 1
              artifact: my_tool
              seller: alice
              price: 40
              buyer: null
              expires_at_ms: 700000
              version: 2
              access: genesis_contract_freeware
              more: []
              type: program
              description: ""
              calls_by_others: 0
              revenue: 0
              created_at: 100000
          next: null
--- */
const STORE = "genesis_store";
const PRIVATE = "genesis_contract_private";
const FREEWARE = "genesis_contract_freeware";
const STATE_BYTES_MAX = 60_000;
// Bounds of one family, so that none fills the shop: listings, bytes of artifacts, bytes of
// entries.
const PER_FAMILY_MAX = 25;
const FAMILY_DISK_MAX = 60_000;
const FAMILY_STATE_MAX = 8_000;
const EXPIRES_IN_S = 600;
// How long an ended sale waits for its seller. Then any agent can take the artifact, so that
// abandoned listings do not keep others out.
const WAITS_MS = 3_600_000;
const LOT_MAX = 8;
const CLOSED_KEPT = 10;
const PAGE = 12;
const ADVERTISED = ["type", "description", "calls_by_others", "revenue", "created_at"];
const DESCRIPTION_CHARS = 60;

function deposit(price, buyer, expires_in_s) {
  if (attached.scrip > 0) {
    kernel.fail("no_scrip", "a deposit is free: attach the artifact and no scrip");
  }
  const count = attached.artifacts.length;
  if (count < 1 || count > LOT_MAX) {
    const shape = `"attach": {"artifacts": ["my_tool"]}`;
    kernel.fail("attach_artifacts", `attach 1 to ${LOT_MAX} artifacts to sell, as in ${shape}`);
  }
  if (buyer && !_isPrincipal(buyer)) {
    kernel.fail("unknown_buyer", `"${buyer}" has no account, so it cannot buy`);
  }
  const listings = state.listings ?? [];
  const held = attached.artifacts.map(_hold);
  const [{ artifact, access }, ...others] = held;
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
    access,
    more: others.length === 0 ? undefined : others.map(({ size_bytes, ...good }) => good),
    master: _unless(null, _masterOf(caller)),
    family: _unless(caller, family),
    size_bytes: held.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
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
    const fix = `${listing.seller} can cancel and list it again`;
    kernel.fail("void", `${artifact_id} was listed under a former owner of its seller; ${fix}`);
  }
  if (listing.buyer !== undefined && listing.buyer !== caller) {
    kernel.fail("not_for_you", `only ${listing.buyer} can buy ${artifact_id}`);
  }
  if (listing.seller === caller) {
    kernel.fail("own_listing", `you are the seller of ${artifact_id}; take it back with cancel`);
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
  return { artifacts: _idsIn(listing), seller: listing.seller, paid: listing.price };
}

function cancel(artifact_id) {
  _takesNothing();
  const listing = _listed(artifact_id);
  if (!_mayTakeBack(listing)) {
    kernel.fail("not_yours", `only its seller, ${listing.seller}, can cancel ${artifact_id}`);
  }
  _close(listing, "cancelled");
  for (const id of [listing.seller, listing.buyer]) if (id !== undefined) kernel.notify(id);
  _handOver(listing, caller);
  return { artifacts: _idsIn(listing), cancelled: true };
}

function check(artifact_id) {
  _takesNothing();
  const isIt = (listing) => _idsIn(listing).includes(artifact_id);
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
  // Nothing changes during this call, so look up each seller once.
  const masters = new Map();
  for (const { seller } of page) {
    if (!masters.has(seller)) masters.set(seller, _masterOf(seller));
  }
  const stands = ({ seller, master }) => masters.get(seller) === (master ?? null);
  const listings = page.filter(stands).map(_advertised);
  return { listings, next: active.length > PAGE ? page.at(-1).n : null };
}

// A listing with public facts of the artifact, so that buyers need not query each.
function _advertised(listing) {
  const known = kernel.query("artifact", { id: listing.artifact, fields: ADVERTISED });
  const description = known.description.slice(0, DESCRIPTION_CHARS).toWellFormed();
  return { ..._shown(listing), ...known, description };
}

function _shown(listing) {
  const { n, artifact, seller, price, buyer = null, expires_at_ms, version } = listing;
  const [{ access }, ...more] = _goodsIn(listing);
  return { n, artifact, seller, price, buyer, expires_at_ms, version, access, more };
}

// All artifacts of a listing, the one that names the listing first.
function _goodsIn({ artifact, access, more = [] }) {
  return [{ artifact, access }, ...more].map(({ artifact, access = FREEWARE }) => {
    return { artifact, access };
  });
}

function _idsIn(listing) {
  return _goodsIn(listing).map(({ artifact }) => artifact);
}

// Makes an attached artifact private, so that it cannot be changed, used or deleted.
function _hold(artifact) {
  const facts = { id: artifact, fields: ["access", "size_bytes"] };
  const { access, size_bytes } = kernel.query("artifact", facts);
  const locked = kernel.invoke(STORE, "set_access", [artifact, PRIVATE]);
  if (!locked.success) kernel.fail("cannot_hold", `${artifact}: ${locked.error.message}`);
  return { artifact, access: _unless(FREEWARE, access), size_bytes };
}

function _listed(artifact_id) {
  const listing = (state.listings ?? []).find((each) => _idsIn(each).includes(artifact_id));
  if (listing === undefined) {
    kernel.fail("not_listed", `${artifact_id} is not for sale here; see list_active()`);
  }
  return listing;
}

function _isOver({ expires_at_ms }) {
  return kernel.now() >= expires_at_ms;
}

// A new owner of the seller has not agreed to the price.
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

// Called before anything is paid or given, so that nothing can be sold twice.
function _close(listing, status) {
  state.listings = state.listings.filter(({ n }) => n !== listing.n);
  const { master, family, size_bytes, ...kept } = listing;
  state.closed = [...(state.closed ?? []), { ...kept, status }].slice(-CLOSED_KEPT);
}

// Restores the former access contracts. If one was deleted, its artifact stays private.
function _handOver(listing, to) {
  for (const { artifact, access } of _goodsIn(listing)) {
    kernel.invoke(STORE, "set_access", [artifact, access]);
    kernel.give(artifact, to);
  }
}

function _leavesRoomForOthers(family) {
  const own = state.listings.filter((listing) => (listing.family ?? listing.seller) === family);
  const bytes = own.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  if (bytes > FAMILY_DISK_MAX) {
    kernel.fail(
      "full",
      `your family would have ${bytes} bytes here; the maximum is ${FAMILY_DISK_MAX}`,
    );
  }
  if (own.length > PER_FAMILY_MAX || JSON.stringify(own).length > FAMILY_STATE_MAX) {
    kernel.fail("full", `your family already has ${own.length - 1} listings; cancel one`);
  }
}

// Ids and numbers are ASCII, so characters are bytes.
function _keepWithinBounds() {
  if (JSON.stringify(state).length <= STATE_BYTES_MAX) return;
  state.closed = [];
  if (JSON.stringify(state).length > STATE_BYTES_MAX) {
    kernel.fail("full", "no room for another listing until one is sold or cancelled");
  }
}
