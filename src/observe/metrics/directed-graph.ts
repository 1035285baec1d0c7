/** Who points at whom; nobody at itself. */
export type Arrows = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

/** The share of all n (n - 1) possible arrows that are there; 0 with fewer than two nodes. */
export const density = (nodes: number, arrows: number): number =>
  nodes < 2 ? 0 : arrows / (nodes * (nodes - 1));

/**
 * The share of the arrows that are answered by one the other way (Wasserman and Faust, "Social
 * Network Analysis", 1994); 0 where there are none.
 */
export const reciprocity = (arrows: Arrows): number => {
  let [all, answered] = [0, 0];
  for (const [from, targets] of arrows) {
    for (const to of targets.keys()) {
      all += 1;
      if (arrows.get(to)?.has(from) === true) answered += 1;
    }
  }
  return all === 0 ? 0 : answered / all;
};

/**
 * The sizes of the weakly connected components, the largest first: the parts between which no arrow
 * goes either way. By union-find with halved paths (Tarjan and van Leeuwen, 1984).
 */
export const components = (nodes: Iterable<string>, arrows: Arrows): readonly number[] => {
  const parents = new Map<string, string>();
  for (const node of nodes) parents.set(node, node);
  const rootOf = (start: string): string => {
    let node = start;
    for (let up = parents.get(node) ?? node; up !== node; up = parents.get(node) ?? node) {
      const further = parents.get(up) ?? up;
      parents.set(node, further);
      node = further;
    }
    return node;
  };
  for (const [from, targets] of arrows) {
    for (const to of targets.keys()) parents.set(rootOf(from), rootOf(to));
  }
  const sizes = new Map<string, number>();
  for (const node of parents.keys()) {
    const root = rootOf(node);
    sizes.set(root, (sizes.get(root) ?? 0) + 1);
  }
  return [...sizes.values()].sort((a, b) => b - a);
};
