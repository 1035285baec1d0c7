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
