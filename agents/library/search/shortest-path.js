/* ---
title: Shortest path
topic: search
takes: graph
gives: record
worth: 9
description: The cheapest way from one node of a network to another, by Dijkstra's algorithm.
methods:
  - name: run
    description: Distance and nodes on the way; distance null where there is no way.
    input_schema:
      type: object
      properties:
        edges:
          type: array
          items: { type: array }
          description: One-way edges [from, to, length]. Without a length it is 1.
        from: { type: string, description: Where to start. }
        to: { type: string, description: Where to go. }
      required: [edges, from, to]
    output_schema:
      type: object
      properties:
        distance: { type: [number, "null"] }
        path: { type: array, items: { type: string } }
    examples:
      - args: [[[a, b, 7], [a, c, 2], [c, b, 3], [b, d, 1]], a, d]
        result: { distance: 6, path: [a, c, b, d] }
      - args: [[[a, b], [b, c]], c, a]
        result: { distance: null, path: [] }
      - args: [[], home, home]
        result: { distance: 0, path: [home] }
--- */
function run(edges, from, to) {
  const isEdge = (edge) =>
    Array.isArray(edge) &&
    typeof edge[0] === "string" &&
    typeof edge[1] === "string" &&
    (edge[2] === undefined || (Number.isFinite(edge[2]) && edge[2] >= 0));
  if (!Array.isArray(edges) || !edges.every(isEdge)) {
    kernel.fail(
      "bad_input",
      "edges must be [from, to, length] with lengths from 0, as in [['a', 'b', 7]]",
    );
  }
  if (typeof from !== "string" || typeof to !== "string") {
    kernel.fail("bad_input", "from and to must be names of nodes, such as 'a' and 'd'");
  }
  const open = new Map([[from, { distance: 0, path: [from] }]]);
  const closed = new Set();
  while (open.size > 0) {
    const [node, { distance, path }] = _nearest(open);
    if (node === to) {
      return { distance, path };
    }
    open.delete(node);
    closed.add(node);
    for (const [, next, length = 1] of edges.filter(([start]) => start === node)) {
      const known = open.get(next);
      if (!closed.has(next) && (known === undefined || distance + length < known.distance)) {
        open.set(next, { distance: distance + length, path: [...path, next] });
      }
    }
  }
  return { distance: null, path: [] };
}

function _nearest(open) {
  return [...open].reduce((best, entry) => (entry[1].distance < best[1].distance ? entry : best));
}
