/* ---
title: Hexadecimal
topic: encoding
takes: text
gives: code
worth: 2
description: Writes text as the two-digit hexadecimal numbers of its bytes, and reads it back.
methods:
  - name: run
    description: Lower-case digits of the text's UTF-8 bytes, two a byte.
    input_schema:
      type: object
      properties:
        text: { type: string, description: Any text. }
      required: [text]
    output_schema: { type: string }
    examples:
      - args: [Hi!]
        result: "486921"
      - args: [é]
        result: c3a9
      - args: [""]
        result: ""
  - name: decode
    description: The text that hexadecimal bytes stand for.
    input_schema:
      type: object
      properties:
        code: { type: string, description: An even number of digits. }
      required: [code]
    output_schema: { type: string }
    examples:
      - args: [C3A9]
        result: é
--- */
function run(text) {
  if (typeof text !== "string" || /[\uD800-\uDFFF]/u.test(text)) {
    kernel.fail("bad_input", "text must be a string of whole characters, such as 'Hi!'");
  }
  return encodeURIComponent(text)
    .replace(/%(..)|./gs, (part, byte) => byte || part.charCodeAt(0).toString(16))
    .toLowerCase();
}

function decode(code) {
  if (typeof code !== "string" || !/^([0-9a-f]{2})*$/i.test(code)) {
    kernel.fail("bad_input", "code must be pairs of hexadecimal digits, such as '486921'");
  }
  try {
    return decodeURIComponent(code.replace(/../g, "%$&"));
  } catch {
    return kernel.fail("bad_input", "the code stands for bytes that are not text in UTF-8");
  }
}
