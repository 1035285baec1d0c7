/* ---
title: Rank by links
topic: search
takes: graph
gives: tally
worth: 10
description: How important each node of a network is, judged by who points at it (PageRank).
methods:
  - name: run
    description: A score for each node, to 4 places; the scores add up to about 1.
    input_schema:
      type: object
      properties:
        edges: { type: array, items: { type: array }, description: "Links [from, to]." }
        damping:
          type: number
          minimum: 0
          maximum: 1
          description: Share that follows links. Default 0.85.
      required: [edges]
    output_schema: { type: object, additionalProperties: { type: number } }
    examples:
      - args: [[[a, b], [b, a]]]
        result: { a: 0.5, b: 0.5 }
      - args: [[[a, hub], [b, hub], [hub, a]]]
        result: { a: 0.4635, hub: 0.4865, b: 0.05 }
      - args: [[]]
        result: {}
variants:
  - name: wanderer
    title: Rank by links, half at random
    bind: { damping: 0.5 }
    examples:
      - args: [[[a, b], [b, a]]]
        result: { a: 0.5, b: 0.5 }
--- */
function run(edges, damping = 0.85) {
  const isEdge = (edge) =>
    Array.isArray(edge) && typeof edge[0] === "string" && typeof edge[1] === "string";
  if (!Array.isArray(edges) || !edges.every(isEdge)) {
    kernel.fail("bad_input", "edges must be a list of pairs, such as [['a', 'hub'], ['b', 'hub']]");
  }
  if (!Number.isFinite(damping) || damping < 0 || damping > 1) {
    kernel.fail("bad_input", "damping must be a number from 0 to 1; 0.85 is usual");
  }
  const links = new Map();
  for (const [from, to] of edges) {
    links.set(from, [...(links.get(from) || []), to]);
    links.set(to, links.get(to) || []);
  }
  let ranks = new Map([...links.keys()].map((node) => [node, 1 / links.size]));
  for (let round = 0; round < 60; round += 1) {
    ranks = _spread(ranks, links, damping);
  }
  return Object.fromEntries([...ranks].map(([node, rank]) => [node, Math.round(rank * 1e4) / 1e4]));
}

// One round: each node passes its rank on along its links; a dead end passes it to all nodes.
function _spread(ranks, links, damping) {
  const nodes = [...links.keys()];
  const stuck = nodes.filter((node) => links.get(node).length === 0);
  const lost = stuck.reduce((sum, node) => sum + ranks.get(node), 0);
  const floor = (1 - damping + damping * lost) / nodes.length;
  const next = new Map(nodes.map((node) => [node, floor]));
  for (const [node, targets] of links) {
    for (const target of targets) {
      next.set(target, next.get(target) + (damping * ranks.get(node)) / targets.length);
    }
  }
  return next;
}
