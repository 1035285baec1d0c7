// How a mechanism takes and pays scrip, and units of `settings.good` if it has one.

// How many parties one call pays, each with up to 6 syscalls. The next calls pay the others.
const DELIVERIES_MAX = 30;
let deliveries = 0;
const PAGE = 20;

// What is left of the attached scrip after `cost`.
function _change(cost) {
  _takesNoArtifacts();
  const change = attached.scrip - cost;
  if (change >= 0) return change;
  const fix = `"attach": {"scrip": ${cost}}`;
  return kernel.fail(
    "too_little",
    `this takes ${cost} scrip, and you attached ${attached.scrip}: ${fix}`,
  );
}

// Takes units of the good from the caller, who must have approved this program.
function _pull(units) {
  const asked = [caller, self, units];
  const { success, error } = kernel.invoke(settings.good, "transfer_from", asked);
  if (success) return;
  const fix = `first call ${settings.good}.approve("${self}", ${units})`;
  const code = error.code === "rejected_by_artifact" ? "no_units" : error.code;
  kernel.fail(code, `${units} ${settings.good} could not be taken: ${error.message}; ${fix}`);
}

// Notes what a party gets. `_deliver` pays it out at the end of the call.
function _owe(id, { scrip = 0, units = 0 }) {
  if (scrip === 0 && units === 0) return;
  const [oldScrip, oldUnits] = _at(state.owed, id, [0, 0]);
  state.owed = { ...state.owed, [id]: [oldScrip + scrip, oldUnits + units] };
}

// Pays what is owed: the caller first, then as many others as fit. What cannot be delivered stays
// owed, so that no party can stop a trade of others. What a deleted principal was owed stays here.
function _deliver() {
  const due = Object.keys(state.owed ?? {});
  const isWaiting = (id) => id !== caller && state.owed[id][2] !== true;
  const now = [...due.filter((id) => id === caller), ...due.filter(isWaiting)];
  for (const id of now.slice(0, DELIVERIES_MAX - deliveries)) {
    deliveries += 1;
    const [scrip, units] = state.owed[id];
    const scripLeft = _hasPaid(id, scrip) ? 0 : scrip;
    const unitsLeft = _hasGiven(id, units) ? 0 : units;
    const isLeft = scripLeft + unitsLeft > 0 && !_isDeleted(id);
    if (isLeft) state.owed[id] = [scripLeft, unitsLeft, true];
    else delete state.owed[id];
  }
}

function _hasPaid(id, scrip) {
  try {
    if (scrip > 0) kernel.pay(id, scrip);
    return true;
  } catch {
    return false;
  }
}

function _hasGiven(id, units) {
  return units === 0 || kernel.invoke(settings.good, "transfer", [id, units]).success;
}

// The answer of `collect`.
function _collected() {
  _takesNothing();
  const [scrip, units] = _at(state.owed, caller, [0, 0]);
  _deliver();
  const [scripLeft, unitsLeft] = _at(state.owed, caller, [0, 0]);
  return { scrip: scrip - scripLeft, units: units - unitsLeft };
}

// The entries after number `after`, a page at a time.
function _pageOf(entries, after, shown) {
  const found = entries.filter(({ n }) => n > (after ?? 0));
  const page = found.slice(0, PAGE);
  return { [shown]: page, next: found.length > PAGE ? page.at(-1).n : null };
}

// The number of the current period, from 0, and its end in ms of run time.
function _round() {
  const period_ms = settings.period_s * 1000;
  const n = Math.floor(kernel.now() / period_ms);
  return { n, ends_at_ms: (n + 1) * period_ms };
}
