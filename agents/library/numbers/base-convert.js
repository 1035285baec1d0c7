/* ---
title: Convert between number bases
topic: numbers
takes: notation
gives: code
worth: 4
description: Rewrites a whole number of any length from one base into another, such as binary.
methods:
  - name: run
    description: Digits in lower case, without leading zeros.
    input_schema:
      type: object
      properties:
        digits:
          type: string
          description: "Digits, then letters for 10 to 35; at most 200 of them."
        from:
          type: integer
          minimum: 2
          maximum: 36
          description: Base of the digits. Default 10.
        to: { type: integer, minimum: 2, maximum: 36, description: Base of the result. Default 2. }
      required: [digits]
    output_schema: { type: string }
    examples:
      - args: ["255"]
        result: "11111111"
      - args: ["123456789012345678901234567890", 10, 16]
        result: 18ee90ff6c373e0ee4e3f0ad2
      - args: [ZZ, 36, 10]
        result: "1295"
      - args: ["000"]
        result: "0"
variants:
  - name: hex_to_decimal
    title: Hexadecimal to decimal
    bind: { from: 16, to: 10 }
    examples:
      - args: [ff]
        result: "255"
  - name: decimal_to_hex
    title: Decimal to hexadecimal
    bind: { from: 10, to: 16 }
    examples:
      - args: ["48879"]
        result: beef
--- */
function run(digits, from = 10, to = 2) {
  for (const base of [from, to]) {
    if (!Number.isInteger(base) || base < 2 || base > 36) {
      kernel.fail("bad_input", "from and to must be whole numbers from 2 to 36");
    }
  }
  if (typeof digits !== "string" || !/^[0-9a-z]{1,200}$/i.test(digits)) {
    kernel.fail("bad_input", "digits must be a string of 1 to 200 digits, such as '255'");
  }
  let rest = [...digits].map((digit) => parseInt(digit, 36));
  if (rest.some((digit) => digit >= from)) {
    kernel.fail("bad_input", `'${digits}' has a digit that base ${from} does not know`);
  }
  // Long division by the new base, over and over; the remainders are the new digits from the right.
  let converted = "";
  while (rest.length > 0) {
    const quotient = [];
    let carry = 0;
    for (const digit of rest) {
      const value = carry * from + digit;
      if (quotient.length > 0 || value >= to) {
        quotient.push(Math.floor(value / to));
      }
      carry = value % to;
    }
    converted = carry.toString(36) + converted;
    rest = quotient;
  }
  return converted.replace(/^0+(?=.)/, "");
}
