import type { Id } from "./ids.ts";
import { physicsOf, type State } from "./state.ts";

/**
 * What is wrong with `id` depending on `targets`: a cycle, or a chain longer than the bound. The
 * walk visits each artifact once and stops at the bound, so its cost has a limit too.
 */
export const cycleProblem = (state: State, id: Id, targets: readonly Id[]): string | null => {
  const { depends_depth_max, depends_on_max } = physicsOf(state).artifacts;
  const visitsMax = depends_depth_max * depends_on_max * 4;
  const seen = new Set<Id>();
  let layer: readonly Id[] = targets;
  for (let depth = 1; layer.length > 0; depth++) {
    if (layer.includes(id)) return `${id} would depend on itself`;
    if (depth > depends_depth_max) return `the chain is longer than ${depends_depth_max}`;
    const next: Id[] = [];
    for (const target of layer) {
      if (seen.has(target)) continue;
      seen.add(target);
      next.push(...(state.artifacts.get(target)?.dependsOn ?? []));
    }
    if (seen.size > visitsMax) return `it reaches more than ${visitsMax} artifacts`;
    layer = next;
  }
  return null;
};
