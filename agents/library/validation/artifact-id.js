/* ---
title: Check an artifact id
topic: validation
takes: notation
gives: record
worth: 2
description: Whether a text may name a new artifact in this world, and a near name that may if it
  may not.
methods:
  - name: run
    description: The form of the id only; whether it is still free, the world alone knows.
    input_schema:
      type: object
      properties:
        id: { type: string, description: The id that one has in mind. }
      required: [id]
    output_schema:
      type: object
      properties:
        valid: { type: boolean }
        reason: { type: string }
        suggestion: { type: string }
    examples:
      - args: [bread_prices.v2]
        result: { valid: true, reason: "", suggestion: bread_prices.v2 }
      - args: [" Bread prices!"]
        result:
          valid: false
          reason: "only A-Z a-z 0-9 _ . - are allowed"
          suggestion: Bread_prices
      - args: [Genesis-Bank]
        result:
          valid: false
          reason: names that begin with genesis are reserved
          suggestion: my_Genesis-Bank
      - args: [""]
        result: { valid: false, reason: an id has 1 to 128 characters, suggestion: my_artifact }
--- */
function run(id) {
  if (typeof id !== "string") {
    kernel.fail("bad_input", "id must be a string, such as 'bread_prices'");
  }
  const reason = _fault(id);
  return { valid: reason === "", reason, suggestion: reason === "" ? id : _nearest(id) };
}

function _fault(id) {
  const reserved = /^(genesis|handbook)[_.-]/i.exec(id);
  if (id.length < 1 || id.length > 128) {
    return "an id has 1 to 128 characters";
  }
  if (!/^[A-Za-z0-9_.-]*$/.test(id)) {
    return "only A-Z a-z 0-9 _ . - are allowed";
  }
  if (!/^[A-Za-z0-9]/.test(id)) {
    return "the first character must be a letter or a digit";
  }
  return reserved === null ? "" : `names that begin with ${reserved[1].toLowerCase()} are reserved`;
}

function _nearest(id) {
  const plain = id.replace(/[^A-Za-z0-9_.-]+/g, "_").replace(/^[_.-]+|[_.-]+$/g, "");
  const named = plain === "" ? "artifact" : plain.slice(0, 120);
  return plain === "" || _fault(named) !== "" ? `my_${named}` : named;
}
