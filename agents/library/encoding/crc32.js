/* ---
title: Checksum CRC-32
topic: encoding
takes: text
gives: code
worth: 3
description: A short fingerprint of a text that changes when any letter does.
methods:
  - name: run
    description: CRC-32 (as in ZIP and PNG) of the UTF-8 bytes, as eight hexadecimal digits.
    input_schema:
      type: object
      properties:
        text: { type: string, description: Any text. }
      required: [text]
    output_schema: { type: string }
    examples:
      - args: ["123456789"]
        result: cbf43926
      - args: [The quick brown fox jumps over the lazy dog]
        result: 414fa339
      - args: [""]
        result: "00000000"
--- */
function run(text) {
  if (typeof text !== "string" || /[\uD800-\uDFFF]/u.test(text)) {
    kernel.fail("bad_input", "text must be a string of whole characters, such as '123456789'");
  }
  const table = _table();
  const checksum = _utf8(text).reduce((crc, byte) => (crc >>> 8) ^ table[(crc ^ byte) & 255], -1);
  return ((checksum ^ -1) >>> 0).toString(16).padStart(8, "0");
}

// What eight steps of the division make of each byte; 0xedb88320 is the polynomial, reversed.
function _table() {
  return Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    return crc;
  });
}

function _utf8(text) {
  const parts = encodeURIComponent(text).match(/%..|./g) || [];
  return parts.map((part) => (part[0] === "%" ? parseInt(part.slice(1), 16) : part.charCodeAt(0)));
}
