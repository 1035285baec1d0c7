/* ---
title: Common divisor and multiple
topic: numbers
takes: integers
gives: record
worth: 2
description: The greatest number that divides all of a list, and the least that all of them divide.
methods:
  - name: run
    description: Both by Euclid's algorithm. The multiple must stay exact, below 2 to the power of
      53.
    input_schema:
      type: object
      properties:
        numbers: { type: array, items: { type: integer, minimum: 1 }, description: At least one. }
      required: [numbers]
    output_schema:
      type: object
      properties: { gcd: { type: integer }, lcm: { type: integer } }
    examples:
      - args: [[12, 18]]
        result: { gcd: 6, lcm: 36 }
      - args: [[4, 6, 10]]
        result: { gcd: 2, lcm: 60 }
      - args: [[7]]
        result: { gcd: 7, lcm: 7 }
--- */
function run(numbers) {
  const isWhole = (x) => Number.isSafeInteger(x) && x >= 1;
  if (!Array.isArray(numbers) || numbers.length === 0 || !numbers.every(isWhole)) {
    kernel.fail("bad_input", "numbers must be a list of whole numbers from 1, such as [12, 18]");
  }
  return { gcd: numbers.reduce((a, b) => _gcd(a, b)), lcm: numbers.reduce((a, b) => _lcm(a, b)) };
}

function _lcm(a, b) {
  const multiple = (a / _gcd(a, b)) * b;
  if (!Number.isSafeInteger(multiple)) {
    kernel.fail("bad_input", "the common multiple is too large to be exact; give smaller numbers");
  }
  return multiple;
}

function _gcd(a, b) {
  return b === 0 ? a : _gcd(b, a % b);
}
