import { posix } from "node:path";
import { importsOf } from "./imports.ts";
import { inSource, type Rule } from "./rule.ts";

/** Folders that import each other in a circle today. The list only shrinks. */
export const FOLDERS_IN_CYCLES: ReadonlySet<string> = new Set([
  "src",
  "src/cli",
  "src/cli/chat",
  "src/cli/dashboard",
  "src/cli/experiment",
  "src/cli/monitoring",
  "src/cli/queue",
  "src/cli/run",
  "src/cli/seat",
  "src/cli/verbs",
  "src/cli/verbs/agents",
  "src/cli/work",
  "src/experiment",
  "src/experiment/design",
  "src/experiment/live",
  "src/experiment/measure",
  "src/experiment/queue",
  "src/experiment/report",
  "src/experiment/results",
  "src/experiment/run",
  "src/experiment/statistics",
  "src/mind",
  "src/mind/cli",
  "src/mind/coding-agent",
  "src/mind/coding-agent/stream",
  "src/mind/conversation",
  "src/mind/judge",
  "src/mind/library",
  "src/mind/llm",
  "src/mind/memory",
  "src/mind/memory/embedder",
  "src/mind/memory/embedder/sentence",
  "src/mind/memory/mem0",
  "src/mind/memory/qdrant",
  "src/mind/memory/sqlite",
  "src/mind/messages",
  "src/mind/model",
  "src/mind/model/chat-text",
  "src/mind/model/limits",
  "src/mind/model/mock",
  "src/mind/model/recording",
  "src/mind/model/sdk",
  "src/mind/moments",
  "src/mind/plugin",
  "src/mind/policy",
  "src/mind/policy/duties",
  "src/mind/prompt",
  "src/mind/prompt/sections",
  "src/mind/python",
  "src/mind/reply",
  "src/mind/script",
  "src/mind/seat",
  "src/mind/shell",
  "src/mind/sides",
  "src/mind/tools",
  "src/mind/user",
  "src/mind/user/worker",
  "src/mind/workflow",
  "src/mind/workflow/check",
  "src/mind/workspace",
  "src/observe",
  "src/observe/dashboard",
  "src/observe/experiment",
  "src/observe/export",
  "src/observe/history",
  "src/observe/html",
  "src/observe/metrics",
  "src/observe/metrics/gains",
  "src/observe/metrics/money",
  "src/observe/moments",
  "src/observe/monitoring",
  "src/observe/page/charts",
  "src/observe/page/charts/lines",
  "src/observe/page/charts/saving",
  "src/observe/page/dashboard",
  "src/observe/page/dashboard/seat",
  "src/observe/page/dashboard/time",
  "src/observe/page/dashboard/views",
  "src/observe/page/dashboard/views/agents",
  "src/observe/page/dashboard/views/artifacts",
  "src/observe/page/dashboard/views/events",
  "src/observe/page/dashboard/views/many-runs",
  "src/observe/page/dashboard/views/many-runs/experiment",
  "src/observe/page/dashboard/views/moments",
  "src/observe/page/dashboard/views/reviews",
  "src/observe/page/parts",
  "src/observe/page/published",
  "src/observe/page/report",
  "src/observe/published",
  "src/observe/routes",
  "src/observe/routes/views",
  "src/observe/serving",
  "src/observe/trail",
  "src/queue",
  "src/runner",
  "src/runner/agents",
  "src/runner/coding-turns",
  "src/runner/config",
  "src/runner/control",
  "src/runner/health",
  "src/runner/mechanisms",
  "src/runner/memory",
  "src/runner/minds",
  "src/runner/persona",
  "src/runner/run",
  "src/runner/schedule",
  "src/runner/seats",
  "src/world",
  "src/world/checkpoint",
  "src/world/execution",
  "src/world/handbook",
  "src/world/journal",
  "src/world/replay",
  "src/world/verify",
]);

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
        if (FOLDERS_IN_CYCLES.has(folder) && FOLDERS_IN_CYCLES.has(other)) return [];
        const cure = "move what both need into a folder below them";
        return [{ ...place, message: `${folder} and ${other} import each other; ${cure}` }];
      }),
    );
  },
};
