/* ---
title: URL encoding
topic: encoding
takes: text
gives: code
worth: 2
description: Makes text safe to place in a web address, and turns it back.
methods:
  - name: run
    description: Everything but letters, digits and - _ . ~ becomes a % code of its UTF-8 bytes.
    input_schema:
      type: object
      properties:
        text: { type: string, description: Any text. }
      required: [text]
    output_schema: { type: string }
    examples:
      - args: ["bread & salt (50%)"]
        result: bread%20%26%20salt%20%2850%25%29
      - args: [né]
        result: n%C3%A9
      - args: [""]
        result: ""
  - name: decode
    description: The text that % codes stand for.
    input_schema:
      type: object
      properties:
        code: { type: string, description: Encoded text. }
      required: [code]
    output_schema: { type: string }
    examples:
      - args: [bread%20%26%20salt]
        result: bread & salt
--- */
function run(text) {
  if (typeof text !== "string" || /[\uD800-\uDFFF]/u.test(text)) {
    kernel.fail("bad_input", "text must be a string of whole characters, such as 'bread & salt'");
  }
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function decode(code) {
  if (typeof code !== "string") {
    kernel.fail("bad_input", "code must be a string, such as 'bread%20%26%20salt'");
  }
  try {
    return decodeURIComponent(code);
  } catch {
    return kernel.fail("bad_input", "the code has a broken % code; a percent sign is %25");
  }
}
