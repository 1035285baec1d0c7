// The common start of every program of the standard library.

// Ids of the world's own programs, which do not buy, sell, lend or vote.
const RESERVED = /^(genesis|handbook)(?=[_.-]|$)/i;

// Whether the id has an account and can act. This contract itself does not count.
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

// The family, by descent, of the agent that started the call; bounds apply to it. A program of
// another family must not act for an agent that did not ask for it.
function _family() {
  const familyOf = (id) => kernel.query("artifact", { id, fields: ["family"] }).family;
  const family = familyOf(origin);
  if (caller !== origin && familyOf(caller) !== family) {
    const problem = `${caller} is not of the family of ${origin}, which started this call`;
    kernel.fail(
      "not_your_own",
      `${problem}: call this yourself or through a program of your family`,
    );
  }
  return family;
}

// The last owner in its chain of owners; null if it owns itself.
function _masterOf(id) {
  let top = id;
  for (let owner = _known(id)?.owner; owner && owner !== top; owner = _known(top)?.owner)
    top = owner;
  return top === id ? null : top;
}

// Leaves default values out of the state: each call reads and writes all of it, so short is cheap.
function _unless(usual, value) {
  return value === usual ? undefined : value;
}

// The size as UTF-8, as the world counts it.
function _bytesOf(value) {
  return unescape(encodeURIComponent(JSON.stringify(value))).length;
}

// Attached things become this contract's own, so it refuses what it would not give back.
function _takesNoArtifacts() {
  if (attached.artifacts.length > 0) kernel.fail("no_artifacts", "attach no artifacts to this");
}

function _takesNothing() {
  _takesNoArtifacts();
  if (attached.scrip > 0) kernel.fail("no_scrip", "attach no scrip to this");
}
