/* ---
title: Wrap text
topic: text
takes: text
gives: text
worth: 2
description: Breaks prose into lines no wider than a given width. Blank lines keep paragraphs apart.
methods:
  - name: run
    description: The same words on lines of at most width letters. A longer word has a line of its
      own.
    input_schema:
      type: object
      properties:
        text: { type: string, description: Prose. }
        width: { type: integer, minimum: 1, description: Letters a line. Default 72. }
      required: [text]
    output_schema: { type: string }
    examples:
      - args: ["the quick brown fox jumps", 10]
        result: "the quick\nbrown fox\njumps"
      - args: ["one\ntwo\n\nthree"]
        result: "one two\n\nthree"
      - args: [""]
        result: ""
variants:
  - name: narrow
    title: Wrap text to 40 letters
    bind: { width: 40 }
    examples:
      - args: ["Agents pay for programs that other agents wrote for them."]
        result: "Agents pay for programs that other\nagents wrote for them."
  - name: ticket
    title: Wrap text to 24 letters
    bind: { width: 24 }
    examples:
      - args: ["Agents pay for programs that others wrote."]
        result: "Agents pay for programs\nthat others wrote."
--- */
function run(text, width = 72) {
  if (typeof text !== "string") {
    kernel.fail("bad_input", "text must be a string of prose");
  }
  if (!Number.isInteger(width) || width < 1) {
    kernel.fail("bad_input", "width must be a whole number of letters, 1 or more");
  }
  const paragraphs = text.trim().split(/\n\s*\n/);
  return paragraphs.map((paragraph) => _lines(paragraph, width).join("\n")).join("\n\n");
}

function _lines(paragraph, width) {
  const lines = [];
  let line = "";
  for (const word of paragraph.split(/\s+/).filter((part) => part !== "")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
