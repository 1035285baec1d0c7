/* ---
title: Outline of a document
topic: parsing
takes: notation
gives: table
worth: 3
description: The headings of a Markdown document with their levels and lines.
methods:
  - name: run
    description: One row a heading. Headings inside fenced code are not headings.
    input_schema:
      type: object
      properties:
        text: { type: string, description: A Markdown document. }
        max_level:
          type: integer
          minimum: 1
          maximum: 6
          description: Deeper headings are left out. Default 6.
      required: [text]
    output_schema:
      type: array
      items:
        type: object
        properties: { title: { type: string }, level: { type: integer }, line: { type: integer } }
    examples:
      - args: ["# Shop\nHello\n## Prices ##\n```\n# not a heading\n```\n### Bread"]
        result:
          - { title: Shop, level: 1, line: 1 }
          - { title: Prices, level: 2, line: 3 }
          - { title: Bread, level: 3, line: 7 }
      - args: ["# Shop\n## Prices\n### Bread", 2]
        result: [{ title: Shop, level: 1, line: 1 }, { title: Prices, level: 2, line: 2 }]
      - args: ["no headings #here"]
        result: []
variants:
  - name: chapters
    title: Chapters of a document
    bind: { max_level: 1 }
    examples:
      - args: ["# Shop\n## Prices\n# Staff"]
        result: [{ title: Shop, level: 1, line: 1 }, { title: Staff, level: 1, line: 3 }]
--- */
function run(text, max_level = 6) {
  if (typeof text !== "string") {
    kernel.fail("bad_input", "text must be a Markdown document, such as '# Shop\\nHello'");
  }
  if (!Number.isInteger(max_level) || max_level < 1 || max_level > 6) {
    kernel.fail("bad_input", "max_level must be a whole number from 1 to 6");
  }
  const headings = [];
  let inCode = false;
  text.split(/\r?\n/).forEach((line, index) => {
    if (/^\s*(```|~~~)/.test(line)) {
      inCode = !inCode;
    }
    const heading = /^(#{1,6})\s+(.*?)(\s+#+)?\s*$/.exec(line);
    if (!inCode && heading !== null && heading[1].length <= max_level) {
      headings.push({ title: heading[2], level: heading[1].length, line: index + 1 });
    }
  });
  return headings;
}
