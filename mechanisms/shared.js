// The common start of the mechanisms. `settings` stands on the first line of each program.

// A price times a number of units stays an exact integer.
const PRICE_MAX = 1_000_000;
const UNITS_MAX = 1_000_000_000;

// An entry of a record that agents fill. An id such as "constructor" is not inherited.
function _at(record, id, fallback) {
  return record !== undefined && Object.hasOwn(record, id) ? record[id] : fallback;
}

function _whole(name, value, { min = 1, max = UNITS_MAX } = {}) {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  return kernel.fail("bad_number", `${name} must be a whole number from ${min} to ${max}`);
}

// The caller, who must have an account to be paid, and must not be this program.
function _party() {
  if (caller !== self && _hasAccount(caller)) return caller;
  return kernel.fail(
    "no_account",
    `${caller} has no account, so it cannot be paid; use one that has`,
  );
}

function _hasAccount(id) {
  try {
    return kernel.query("artifact", { id, fields: ["has_standing"] }).has_standing;
  } catch {
    return false;
  }
}

// Whether a principal was deleted. It never comes back, because no id is used twice.
function _isDeleted(id) {
  try {
    kernel.query("artifact", { id, fields: ["has_standing"] });
    return false;
  } catch ({ code }) {
    return code === "deleted";
  }
}

// Looks at two entries of a record of principals, each time at the next two, and drops those of
// deleted principals. It is called for each new entry, so that lost entries cannot fill the record.
function _dropLost(record) {
  for (let n = 0; n < 2; n++) {
    const ids = Object.keys(record);
    state.looked = ((state.looked ?? 0) + 1) % Math.max(ids.length, 1);
    const id = ids[state.looked];
    if (id !== undefined && _isDeleted(id)) delete record[id];
  }
}

// From which entries one leaves a full list: those of the family that has most of them. So a family
// that fills a list, by spawning or otherwise, only takes room from itself.
function _crowd(entries) {
  const counts = new Map();
  for (const { family } of entries) counts.set(family, (counts.get(family) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return entries.filter(({ family }) => counts.get(family) === most);
}

// The same, of a record of principals. Returns their ids.
function _crowdOf(record) {
  return _crowd(Object.entries(record).map(([id, { family }]) => ({ id, family }))).map(
    ({ id }) => id,
  );
}

// Drops entries of a record, as above, until it has at most `bytesMax` characters, and tells their
// principals `told`. Refuses the call, with the text `full`, if an entry of `by` would have to go.
function _makeRoom(record, by, { bytesMax, told, full }) {
  while (JSON.stringify(record).length > bytesMax) {
    const crowd = _crowdOf(record);
    if (crowd.includes(by)) kernel.fail("full", full);
    const left = crowd.at(-1);
    delete record[left];
    _tell(left, told);
  }
}

// Keeps the result of a round. The oldest results leave if all have more than `bytesMax` characters.
function _keepResult(result, bytesMax) {
  state.results = [...(state.results ?? []), result];
  while (JSON.stringify(state.results).length > bytesMax) state.results.shift();
}

// Tells a principal about this call. A call can tell only a few; the others see it later.
function _tell(id, text) {
  try {
    kernel.notify(id, text);
  } catch {
    return;
  }
}

// The family of a principal: the same for all that it has spawned or made, also after sales.
function _familyOf(id) {
  return kernel.query("artifact", { id, fields: ["family"] }).family;
}

// Attached things become this program's own, so it refuses what it would not give back.
function _takesNoArtifacts() {
  if (attached.artifacts.length > 0) kernel.fail("no_artifacts", "attach no artifacts to this");
}

function _takesNothing() {
  _takesNoArtifacts();
  if (attached.scrip > 0) kernel.fail("no_scrip", "attach no scrip to this");
}

function _divUp(dividend, divisor) {
  return (dividend + BigInt(divisor) - 1n) / BigInt(divisor);
}

// The whole part of a square root, by Newton's method from a power of two that is too large.
function _root(square) {
  if (square < 2n) return square;
  let root = 1n << BigInt(2 * square.toString(16).length);
  for (;;) {
    const next = (root + square / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}
