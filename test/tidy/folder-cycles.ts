import { posix } from "node:path";
import { importsOf } from "./imports.ts";
import { inSource, type Rule } from "./rule.ts";

/** A reader of one folder must not have to read another folder that reads this one. */
export const folderCycleRule: Rule = {
  name: "folders do not import each other in a circle",
  check: ({ files }) => {
    const imports = new Map<string, Map<string, { path: string; line: number }>>();
    for (const file of files.filter(({ path }) => inSource(path))) {
      const folder = posix.dirname(file.path);
      for (const { target, node } of importsOf(file)) {
        // A worker is started, not imported.
        if (target === null || node.type === "NewExpression") continue;
        const other = posix.dirname(target);
        if (other === folder) continue;
        const from = imports.get(folder) ?? new Map();
        imports.set(folder, from);
        if (!from.has(other)) {
          from.set(other, {
            path: file.path,
            line: file.text.slice(0, node.start).split("\n").length,
          });
        }
      }
    }
    const reach = new Map([...imports.keys()].map((folder) => [folder, reachedFrom(folder)]));
    function reachedFrom(start: string): ReadonlySet<string> {
      const reached = new Set<string>();
      const open = [start];
      for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
        for (const next of imports.get(folder)?.keys() ?? []) {
          if (!reached.has(next)) open.push(next);
          reached.add(next);
        }
      }
      return reached;
    }
    return [...imports].flatMap(([folder, targets]) =>
      [...targets].flatMap(([other, place]) => {
        if (!reach.get(other)?.has(folder)) return [];
        const cure = "move what both need into a folder below them";
        return [{ ...place, message: `${folder} and ${other} import each other; ${cure}` }];
      }),
    );
  },
};
