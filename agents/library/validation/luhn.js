/* ---
title: Check a card number
topic: validation
takes: notation
gives: record
worth: 3
description: Luhn's checksum, which catches any mistyped digit and most swapped ones.
methods:
  - name: run
    description: Whether the last digit fits the rest. Spaces and hyphens are allowed.
    input_schema:
      type: object
      properties:
        number: { type: string, description: At least two digits. }
      required: [number]
    output_schema:
      type: object
      properties: { valid: { type: boolean }, reason: { type: string } }
    examples:
      - args: ["4539 1488 0343 6467"]
        result: { valid: true, reason: "" }
      - args: ["79927398710"]
        result: { valid: false, reason: the last digit should be 3 }
      - args: [""]
        result: { valid: false, reason: "it must be digits, at least two of them" }
  - name: complete
    description: The digits with their check digit added.
    input_schema:
      type: object
      properties:
        digits: { type: string, description: Digits without the check digit. }
      required: [digits]
    output_schema: { type: string }
    examples:
      - args: ["7992739871"]
        result: "79927398713"
--- */
function run(number) {
  if (typeof number !== "string") {
    kernel.fail("bad_input", "number must be a string of digits, such as '79927398713'");
  }
  const digits = number.replace(/[ -]/g, "");
  if (!/^\d{2,}$/.test(digits)) {
    return { valid: false, reason: "it must be digits, at least two of them" };
  }
  const check = _checkDigit(digits.slice(0, -1));
  const valid = digits.endsWith(check);
  return { valid, reason: valid ? "" : `the last digit should be ${check}` };
}

function complete(digits) {
  if (typeof digits !== "string" || !/^\d+$/.test(digits)) {
    kernel.fail("bad_input", "digits must be a string of digits, such as '7992739871'");
  }
  return digits + _checkDigit(digits);
}

// From the right, every other digit counts double, less 9 where that has two digits.
function _checkDigit(digits) {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}
