/* ---
title: Check an e-mail address
topic: validation
takes: notation
gives: record
worth: 2
description: Whether a text has the form of an e-mail address, and what is wrong if it has not.
methods:
  - name: run
    description: Checks the form in common use; it does not ask whether the mailbox exists.
    input_schema:
      type: object
      properties:
        address: { type: string, description: As in ann@example.org. }
      required: [address]
    output_schema:
      type: object
      properties: { valid: { type: boolean }, reason: { type: string } }
    examples:
      - args: [ann.lee+shop@mail.example.org]
        result: { valid: true, reason: "" }
      - args: [ann@example]
        result:
          valid: false
          reason: the domain needs a dot and an ending of two letters or more
      - args: [ann..lee@example.org]
        result:
          valid: false
          reason: the name before the @ has a wrong character or a misplaced dot
      - args: [""]
        result: { valid: false, reason: there must be exactly one @ }
--- */
function run(address) {
  if (typeof address !== "string") {
    kernel.fail("bad_input", "address must be a string, such as 'ann@example.org'");
  }
  const reason = _fault(address);
  return { valid: reason === "", reason };
}

function _fault(address) {
  const [name, domain, ...rest] = address.split("@");
  if (domain === undefined || rest.length > 0) {
    return "there must be exactly one @";
  }
  if (!/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(name)) {
    return "the name before the @ has a wrong character or a misplaced dot";
  }
  if (name.length > 64 || address.length > 254) {
    return "it is too long: 64 letters before the @ and 254 in all are the most";
  }
  const labels = domain.split(".");
  if (!labels.every((label) => /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(label))) {
    return "the domain has a wrong character or a misplaced dot or hyphen";
  }
  if (labels.length < 2 || !/^[A-Za-z]{2,}$/.test(labels[labels.length - 1])) {
    return "the domain needs a dot and an ending of two letters or more";
  }
  return "";
}
