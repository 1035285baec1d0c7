/* ---
title: Decimal to fraction
topic: numbers
takes: number
gives: record
worth: 4
description: The simple fraction closest to a decimal number, such as 3/8 for 0.375.
methods:
  - name: run
    description: In lowest terms, found by going down the Stern-Brocot tree.
    input_schema:
      type: object
      properties:
        number:
          type: number
          minimum: -1000000000
          maximum: 1000000000
          description: A decimal number.
        max_denominator: { type: integer, minimum: 1, maximum: 10000, description: Default 1000. }
      required: [number]
    output_schema:
      type: object
      properties:
        numerator: { type: integer }
        denominator: { type: integer }
        text: { type: string }
    examples:
      - args: [0.375]
        result: { numerator: 3, denominator: 8, text: 3/8 }
      - args: [3.14159265, 100]
        result: { numerator: 311, denominator: 99, text: 311/99 }
      - args: [-2]
        result: { numerator: -2, denominator: 1, text: "-2" }
variants:
  - name: sixteenths
    title: Decimal to fraction, denominators to 16
    bind: { max_denominator: 16 }
    examples:
      - args: [0.68]
        result: { numerator: 11, denominator: 16, text: 11/16 }
  - name: percent
    title: Decimal to fraction, denominators to 100
    bind: { max_denominator: 100 }
    examples:
      - args: [0.3333]
        result: { numerator: 1, denominator: 3, text: 1/3 }
--- */
function run(number, max_denominator = 1000) {
  if (!Number.isFinite(number) || Math.abs(number) > 1e9) {
    kernel.fail(
      "bad_input",
      "number must be a number from -1000000000 to 1000000000, such as 0.375",
    );
  }
  if (!Number.isInteger(max_denominator) || max_denominator < 1 || max_denominator > 10000) {
    kernel.fail("bad_input", "max_denominator must be a whole number from 1 to 10000");
  }
  const whole = Math.floor(number);
  const [part, denominator] = _closest(number - whole, max_denominator);
  const numerator = whole * denominator + part;
  return {
    numerator,
    denominator,
    text: denominator === 1 ? `${numerator}` : `${numerator}/${denominator}`,
  };
}

// Between 0/1 and 1/1: try the fraction between the two bounds and keep the closer half.
function _closest(target, max) {
  let [low, high] = [
    [0, 1],
    [1, 1],
  ];
  while (low[1] + high[1] <= max) {
    const middle = [low[0] + high[0], low[1] + high[1]];
    if (middle[0] === target * middle[1]) {
      return middle;
    }
    if (middle[0] < target * middle[1]) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const miss = ([numerator, denominator]) => Math.abs(target - numerator / denominator);
  return miss(low) <= miss(high) ? low : high;
}
