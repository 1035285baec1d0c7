/* ---
title: Run-length code
topic: encoding
takes: text
gives: code
worth: 3
description: Shortens text that repeats itself by counting equal letters in a row, and restores it.
methods:
  - name: run
    description: Pairs of a digit and a letter; a run of more than 9 takes several pairs.
    input_schema:
      type: object
      properties:
        text: { type: string, description: Any text. }
      required: [text]
    output_schema: { type: string }
    examples:
      - args: [aaab]
        result: 3a1b
      - args: ["111111111111"]
        result: "9131"
      - args: [""]
        result: ""
  - name: decode
    description: The text that the pairs stand for.
    input_schema:
      type: object
      properties:
        code: { type: string, description: As in 3a1b. }
      required: [code]
    output_schema: { type: string }
    examples:
      - args: ["9131"]
        result: "111111111111"
--- */
function run(text) {
  if (typeof text !== "string") {
    kernel.fail("bad_input", "text must be a string, such as 'aaab'");
  }
  return text.replace(
    /(.)\1{0,8}/gsu,
    (letters, letter) => letters.length / letter.length + letter,
  );
}

function decode(code) {
  if (typeof code !== "string" || !/^([1-9].)*$/su.test(code)) {
    kernel.fail("bad_input", "code must be pairs of a digit from 1 and a letter, such as '3a1b'");
  }
  return code.replace(/([1-9])(.)/gsu, (_, count, letter) => letter.repeat(Number(count)));
}
