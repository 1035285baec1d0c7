/* ---
title: Check brackets
topic: validation
takes: text
gives: record
worth: 3
description: Whether every ( [ { in a text is closed by its partner in the right order.
methods:
  - name: run
    description: Where not, the reason names the bracket and its place, counted from 1.
    input_schema:
      type: object
      properties:
        text: { type: string, description: Code or prose. }
      required: [text]
    output_schema:
      type: object
      properties: { valid: { type: boolean }, reason: { type: string } }
    examples:
      - args: ["f(a[1], { b: (2) })"]
        result: { valid: true, reason: "" }
      - args: ["(a]"]
        result: { valid: false, reason: "] at 3 closes ( at 1" }
      - args: ["((a)"]
        result: { valid: false, reason: ( at 1 is never closed }
      - args: [""]
        result: { valid: true, reason: "" }
--- */
function run(text) {
  if (typeof text !== "string") {
    kernel.fail("bad_input", "text must be a string, such as 'f(a[1])'");
  }
  const reason = _fault(text);
  return { valid: reason === "", reason };
}

function _fault(text) {
  const partner = { ")": "(", "]": "[", "}": "{" };
  const open = [];
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index];
    if ("([{".includes(sign)) {
      open.push(`${sign} at ${index + 1}`);
    } else if (partner[sign] !== undefined) {
      const last = open.pop();
      if (last === undefined) {
        return `${sign} at ${index + 1} closes nothing`;
      }
      if (last[0] !== partner[sign]) {
        return `${sign} at ${index + 1} closes ${last}`;
      }
    }
  }
  return open.length === 0 ? "" : `${open[open.length - 1]} is never closed`;
}
