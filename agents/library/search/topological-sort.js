/* ---
title: Order of work
topic: search
takes: graph
gives: words
worth: 7
description: Puts tasks in an order in which each comes after everything that it waits for.
methods:
  - name: run
    description: All names in order, alphabetical where there is a choice. A circle is refused by
      name.
    input_schema:
      type: object
      properties:
        edges: { type: array, items: { type: array }, description: "Pairs [first, then]." }
      required: [edges]
    output_schema: { type: array, items: { type: string } }
    examples:
      - args: [[[flour, dough], [water, dough], [dough, bread]]]
        result: [flour, water, dough, bread]
      - args: [[[b, c], [a, c]]]
        result: [a, b, c]
      - args: [[]]
        result: []
--- */
function run(edges) {
  const isEdge = (edge) =>
    Array.isArray(edge) && typeof edge[0] === "string" && typeof edge[1] === "string";
  if (!Array.isArray(edges) || !edges.every(isEdge)) {
    kernel.fail("bad_input", "edges must be a list of pairs, such as [['dough', 'bread']]");
  }
  const waiting = new Map();
  for (const [first, then] of edges) {
    waiting.set(first, waiting.get(first) || new Set());
    waiting.set(then, (waiting.get(then) || new Set()).add(first));
  }
  const order = [];
  while (waiting.size > 0) {
    const ready = [...waiting.keys()].filter((name) => waiting.get(name).size === 0).sort();
    if (ready.length === 0) {
      const circle = [...waiting.keys()].sort().join(", ");
      kernel.fail("bad_input", `these wait for each other in a circle: ${circle}; remove one edge`);
    }
    order.push(ready[0]);
    waiting.delete(ready[0]);
    for (const needs of waiting.values()) {
      needs.delete(ready[0]);
    }
  }
  return order;
}
