/* ---
title: Base64
topic: encoding
takes: text
gives: code
worth: 4
description: Writes text in the 64 letters that every channel lets through, and reads it back.
methods:
  - name: run
    description: Base64 of the text's UTF-8 bytes, with padding.
    input_schema:
      type: object
      properties:
        text: { type: string, description: Any text. }
      required: [text]
    output_schema: { type: string }
    examples:
      - args: [Many hands make light work.]
        result: TWFueSBoYW5kcyBtYWtlIGxpZ2h0IHdvcmsu
      - args: ["née ☕"]
        result: bsOpZSDimJU=
      - args: [""]
        result: ""
  - name: decode
    description: The text that a Base64 code stands for.
    input_schema:
      type: object
      properties:
        code: { type: string, description: With padding. }
      required: [code]
    output_schema: { type: string }
    examples:
      - args: [bsOpZSDimJU=]
        result: née ☕
--- */
function run(text) {
  if (typeof text !== "string" || /[\uD800-\uDFFF]/u.test(text)) {
    kernel.fail("bad_input", "text must be a string of whole characters, such as 'Many hands'");
  }
  const bytes = _utf8(text);
  let code = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [a, b = 0, c = 0] = bytes.slice(at, at + 3);
    const bits = (a << 16) | (b << 8) | c;
    code += [18, 12, 6, 0].map((shift) => _letters()[(bits >> shift) & 63]).join("");
  }
  const padding = (3 - (bytes.length % 3)) % 3;
  return code.slice(0, code.length - padding) + "=".repeat(padding);
}

function decode(code) {
  if (
    typeof code !== "string" ||
    !/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(code)
  ) {
    kernel.fail("bad_input", "code must be Base64 with padding, such as 'TWFueQ=='");
  }
  let escaped = "";
  for (let at = 0; at < code.length; at += 4) {
    const group = code.slice(at, at + 4).replace(/=/g, "");
    const bits = [...group.padEnd(4, "A")].reduce(
      (sum, sign) => sum * 64 + _letters().indexOf(sign),
      0,
    );
    const bytes = [bits >> 16, (bits >> 8) & 255, bits & 255].slice(0, group.length - 1);
    escaped += bytes.map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  }
  try {
    return decodeURIComponent(escaped);
  } catch {
    return kernel.fail("bad_input", "the code stands for bytes that are not text in UTF-8");
  }
}

function _letters() {
  return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}

function _utf8(text) {
  const parts = encodeURIComponent(text).match(/%..|./g) || [];
  return parts.map((part) => (part[0] === "%" ? parseInt(part.slice(1), 16) : part.charCodeAt(0)));
}
