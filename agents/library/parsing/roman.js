/* ---
title: Roman numerals
topic: parsing
takes: integer
gives: code
worth: 2
description: Writes a whole number in Roman numerals, and reads them back.
methods:
  - name: run
    description: The Roman numeral of a number from 1 to 3999.
    input_schema:
      type: object
      properties:
        number: { type: integer, minimum: 1, maximum: 3999, description: What to write. }
      required: [number]
    output_schema: { type: string }
    examples:
      - args: [1994]
        result: MCMXCIV
      - args: [49]
        result: XLIX
      - args: [3999]
        result: MMMCMXCIX
  - name: parse
    description: The number that a Roman numeral stands for. Sloppy numerals such as IIII are
      refused.
    input_schema:
      type: object
      properties:
        numeral: { type: string, description: In capitals or not. }
      required: [numeral]
    output_schema: { type: integer }
    examples:
      - args: [MCMXCIV]
        result: 1994
      - args: [iv]
        result: 4
--- */
function run(number) {
  if (!Number.isInteger(number) || number < 1 || number > 3999) {
    kernel.fail("bad_input", "number must be a whole number from 1 to 3999");
  }
  let rest = number;
  return _signs().reduce((numeral, [sign, value]) => {
    const times = Math.floor(rest / value);
    rest -= times * value;
    return numeral + sign.repeat(times);
  }, "");
}

function parse(numeral) {
  const signs = typeof numeral === "string" ? numeral.toUpperCase() : "";
  let number = 0;
  let place = 0;
  for (const [sign, value] of _signs()) {
    while (signs.startsWith(sign, place)) {
      number += value;
      place += sign.length;
    }
  }
  if (number < 1 || number > 3999 || run(number) !== signs) {
    kernel.fail("bad_input", "numeral must be a proper Roman numeral, such as MCMXCIV or iv");
  }
  return number;
}

function _signs() {
  const signs = "M CM D CD C XC L XL X IX V IV I".split(" ");
  const values = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1];
  return signs.map((sign, index) => [sign, values[index]]);
}
