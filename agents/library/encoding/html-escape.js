/* ---
title: Escape HTML
topic: encoding
takes: text
gives: code
worth: 2
description: Makes text safe to place in a web page, and turns it back.
methods:
  - name: run
    description: The text with the five special characters replaced.
    input_schema:
      type: object
      properties:
        text: { type: string, description: Any text. }
      required: [text]
    output_schema: { type: string }
    examples:
      - args: ["<b>bread & \"salt\"</b>"]
        result: "&lt;b&gt;bread &amp; &quot;salt&quot;&lt;/b&gt;"
      - args: ["it's"]
        result: "it&#39;s"
      - args: [""]
        result: ""
  - name: decode
    description: The text with those entities, and numbered ones, turned back.
    input_schema:
      type: object
      properties:
        code: { type: string, description: Escaped text. }
      required: [code]
    output_schema: { type: string }
    examples:
      - args: ["&lt;b&gt; &#233;&#x2615; &amp;lt; &unknown;"]
        result: "<b> é☕ &lt; &unknown;"
--- */
function run(text) {
  if (typeof text !== "string") {
    kernel.fail("bad_input", "text must be a string, such as 'bread & salt'");
  }
  const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (sign) => entities[sign]);
}

function decode(code) {
  if (typeof code !== "string") {
    kernel.fail("bad_input", "code must be a string, such as 'bread &amp; salt'");
  }
  const signs = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }));
  return code.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi,
    (entity, decimal, hex, name) => {
      if (name !== undefined) {
        return signs.get(name) || entity;
      }
      const point = decimal === undefined ? parseInt(hex, 16) : Number(decimal);
      return point <= 0x10ffff ? String.fromCodePoint(point) : entity;
    },
  );
}
