import { posix } from "node:path";
import { type Import, importsOf } from "./imports.ts";
import { fileRule, inSource, type Rule } from "./rule.ts";

/** From the bottom up: a layer may import those before it. `index.ts` is the package. */
export const LAYERS = [
  "kernel",
  "world",
  "queue",
  "mind",
  "runner",
  "observe",
  "experiment",
  "cli",
  "index.ts",
];

/** The modules that a folder must do without, and who has them instead. */
const BARRED: readonly { folder: string; specifier: RegExp; cure: string }[] = [
  {
    folder: "src/kernel",
    specifier: /^(?!pure-rand$|pure-rand\/)[^.]/,
    cure: "the kernel imports itself and pure-rand only; pass what you need in a command",
  },
  {
    folder: "src/world",
    specifier: /^(ai|@ai-sdk\/.*|hono|@hono\/.*|node:https?)$/,
    cure: "the world knows neither models nor servers; do this in src/mind or src/observe",
  },
  {
    folder: "src/runner",
    specifier: /^(hono|@hono\/.*|node:https?|node:process)$/,
    cure: "the runner has no web server and no process; do this in src/observe or src/cli",
  },
  {
    folder: "src/runner/control",
    specifier: /\/seats\//,
    cure: "the control channel is below the seats; let src/runner/run/launch.ts pass it in",
  },
];

export const layerOf = (path: string): string | null =>
  inSource(path) ? (path.split("/")[1] ?? null) : null;

export const layerRule: Rule = fileRule("imports go downward", inSource, (file, complain) => {
  const layer = layerOf(file.path) ?? "";
  for (const { specifier, target, node } of importsOf(file)) {
    const other = target === null ? null : layerOf(target);
    if (target !== null && other === null) {
      complain(node, `imports ${specifier} from outside src; move what it needs into src`);
    } else if (other !== null && LAYERS.indexOf(other) > LAYERS.indexOf(layer)) {
      const cure = `let ${other} pass it in, or move it down`;
      complain(node, `${layer} imports from ${other}, which is above it; ${cure}`);
    }
    for (const barred of BARRED) {
      const isInside = file.path.startsWith(`${barred.folder}/`);
      if (!isInside || !barred.specifier.test(specifier)) continue;
      complain(node, `${layer} imports ${specifier}; ${barred.cure}`);
    }
  }
});

/** A folder with an index.ts is a room; from outside one comes in by that door only. */
export const doorRule: Rule = {
  name: "rooms are entered by their door",
  check: (project) => {
    const { files } = project;
    const doors = files.map(({ path }) => path).filter((path) => /^src\/.*\/index\.ts$/.test(path));
    const rooms = new Set([
      ...LAYERS.map((layer) => `src/${layer}`),
      ...doors.map((door) => posix.dirname(door)),
    ]);
    return fileRule("", inSource, (file, complain) => {
      for (const each of importsOf(file)) {
        const room = roomPassedBy(file.path, each, rooms);
        if (room === null) continue;
        const cure = `export it there and import ${room}/index.ts`;
        complain(each.node, `${each.specifier} goes past the door of ${room}; ${cure}`);
      }
    }).check(project);
  },
};

/** The outermost room around the target that the importer is outside of and enters elsewhere. */
function roomPassedBy(from: string, { target }: Import, rooms: ReadonlySet<string>): string | null {
  if (target === null) return null;
  const parts = target.split("/");
  for (let depth = 2; depth < parts.length; depth += 1) {
    const room = parts.slice(0, depth).join("/");
    const isOutside = !from.startsWith(`${room}/`);
    if (rooms.has(room) && isOutside) return target === `${room}/index.ts` ? null : room;
  }
  return null;
}
