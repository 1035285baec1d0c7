/* ---
title: Check an IBAN
topic: validation
takes: notation
gives: record
worth: 5
description: The form, length and checksum of an international bank account number.
methods:
  - name: run
    description: Whether the number holds together. Lengths are known for the commoner countries.
    input_schema:
      type: object
      properties:
        iban: { type: string, description: With or without spaces. }
      required: [iban]
    output_schema:
      type: object
      properties: { valid: { type: boolean }, reason: { type: string } }
    examples:
      - args: ["GB82 WEST 1234 5698 7654 32"]
        result: { valid: true, reason: "" }
      - args: [DE89370400440532013001]
        result: { valid: false, reason: the checksum does not fit; a letter or digit is wrong }
      - args: [DE8937040044053201300]
        result: { valid: false, reason: a number from DE has 22 letters and digits }
      - args: [""]
        result:
          valid: false
          reason: "it must be a country, two digits and an account: GB82WEST..."
--- */
function run(iban) {
  if (typeof iban !== "string") {
    kernel.fail("bad_input", "iban must be a string, such as 'GB82 WEST 1234 5698 7654 32'");
  }
  const reason = _fault(iban.replace(/\s/g, "").toUpperCase());
  return { valid: reason === "", reason };
}

function _fault(iban) {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(iban)) {
    return "it must be a country, two digits and an account: GB82WEST...";
  }
  const lengths = {
    AT: 20,
    BE: 16,
    CH: 21,
    DE: 22,
    DK: 18,
    ES: 24,
    FI: 18,
    FR: 27,
    GB: 22,
    IE: 22,
  };
  Object.assign(lengths, { IT: 27, LU: 20, NL: 18, NO: 15, PL: 28, PT: 25, SE: 24 });
  const country = iban.slice(0, 2);
  if (lengths[country] !== undefined && lengths[country] !== iban.length) {
    return `a number from ${country} has ${lengths[country]} letters and digits`;
  }
  return _modulo97(iban.slice(4) + iban.slice(0, 4)) === 1
    ? ""
    : "the checksum does not fit; a letter or digit is wrong";
}

// Letters count as 10 to 35; the remainder is carried along, so that no number grows large.
function _modulo97(letters) {
  return [...letters].reduce((rest, letter) => {
    const value = parseInt(letter, 36);
    return (rest * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);
}
