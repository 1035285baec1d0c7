// What every program of the standard library begins with.

// Ids of the world's own programs, which neither buy, sell, lend nor vote.
const RESERVED = /^(genesis|handbook)(?=[_.-]|$)/i;

// Whether somebody has an account and can act upon what is theirs; this contract itself cannot.
function _isPrincipal(id) {
  return id !== self && !RESERVED.test(id) && (_known(id)?.has_standing ?? false);
}

function _known(id) {
  try {
    return kernel.query("artifact", { id, fields: ["owner", "has_standing"] });
  } catch {
    return null;
  }
}

// In whose name this is, and on whose bounds it counts: the family, by descent, of whoever began it.
// Through another's program it could speak for those who never asked.
function _family() {
  const familyOf = (id) => kernel.query("artifact", { id, fields: ["family"] }).family;
  const family = familyOf(origin);
  if (caller !== origin && familyOf(caller) !== family) {
    const whose = `${caller} is not of the family of ${origin}, who began this call`;
    kernel.fail("not_your_own", `${whose}: ask for it yourself or through a program of your own`);
  }
  return family;
}

// Who has it in the end, through all owners between; null where it is its own.
function _masterOf(id) {
  let top = id;
  for (let owner = _known(id)?.owner; owner && owner !== top; owner = _known(top)?.owner)
    top = owner;
  return top === id ? null : top;
}

// Leaves out of the state what is as usual. All of a state is read and written at every call, so
// that what is short is cheap.
function _unless(usual, value) {
  return value === usual ? undefined : value;
}

// As UTF-8, which is how the world counts it.
function _bytesOf(value) {
  return unescape(encodeURIComponent(JSON.stringify(value))).length;
}

// What is attached is this contract's own from then on: it refuses what it would only swallow.
function _takesNoArtifacts() {
  if (attached.artifacts.length > 0) kernel.fail("no_artifacts", "attach no artifacts to this");
}

function _takesNothing() {
  _takesNoArtifacts();
  if (attached.scrip > 0) kernel.fail("no_scrip", "attach no scrip to this");
}
