import { posix } from "node:path";
import { type Import, importsOf } from "./imports.ts";
import { fileRule, inSource, type Rule } from "./rule.ts";
import { child, isForeignName, nameOf, type SyntaxNode, stringOf } from "./source-file.ts";

/**
 * In order of dependency: a room may use those before it. `index.ts` is the package, which puts the
 * features of runs together.
 */
export const ROOMS = [
  "text",
  "kernel",
  "channel",
  "world",
  "scale",
  "model",
  "memory",
  "mind",
  "policy",
  "workflow",
  "tools",
  "run",
  "seats",
  "coding-agents",
  "figures",
  "read",
  "experiment",
  "page",
  "index.ts",
  "cli",
];

/** The modules that a room must do without, and who has them instead. */
const BARRED: readonly { room: string; specifier: RegExp; cure: string }[] = [
  {
    room: "kernel",
    specifier: /^(?!pure-rand$|pure-rand\/)[^.]/,
    cure: "the kernel imports itself and pure-rand only; pass what you need in a command",
  },
  {
    room: "world",
    specifier: /^(ai|@ai-sdk\/.*|hono|@hono\/.*|node:https?)$/,
    cure: "the world knows neither models nor servers; do this in a room above it",
  },
  {
    room: "run",
    specifier: /^(hono|@hono\/.*|node:https?|node:process)$/,
    cure: "a run has no web server and no process; do this in src/page or src/cli",
  },
];

const roomOf = (path: string): string | null =>
  inSource(path) ? (path.split("/")[1] ?? null) : null;

export const roomRule: Rule = fileRule("imports go downward", inSource, (file, complain) => {
  const room = roomOf(file.path) ?? "";
  for (const { specifier, target, node } of importsOf(file)) {
    const other = target === null ? null : roomOf(target);
    if (target !== null && other === null) {
      complain(node, `imports ${specifier} from outside src; move what it needs into src`);
    } else if (other !== null && ROOMS.indexOf(other) > ROOMS.indexOf(room)) {
      const cure = `let ${other} pass it in, or move it down`;
      complain(node, `${room} imports from ${other}, which is above it; ${cure}`);
    }
    const barred = BARRED.find((each) => each.room === room && each.specifier.test(specifier));
    if (barred !== undefined) complain(node, `${room} imports ${specifier}; ${barred.cure}`);
  }
});

/**
 * A folder with an index.ts is a room; from outside one comes in by that door only. A room with kinds
 * of minds has a second one, kinds.ts, which declares them and loads the rest when a run needs it.
 */
export const doorRule: Rule = {
  name: "rooms are entered by their door",
  check: (project) => {
    const { files } = project;
    const doors = files.map(({ path }) => path).filter((path) => /^src\/.*\/index\.ts$/.test(path));
    const rooms = new Set([
      ...ROOMS.map((room) => `src/${room}`),
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

const DOORS = ["index.ts", "kinds.ts"];

/** The outermost room around the target that the importer is outside of and enters elsewhere. */
function roomPassedBy(from: string, { target }: Import, rooms: ReadonlySet<string>): string | null {
  if (target === null) return null;
  const parts = target.split("/");
  for (let depth = 2; depth < parts.length; depth += 1) {
    const room = parts.slice(0, depth).join("/");
    const isOutside = !from.startsWith(`${room}/`);
    if (rooms.has(room) && isOutside) {
      return DOORS.some((door) => target === `${room}/${door}`) ? null : room;
    }
  }
  return null;
}

const PROCESS_BANS = ["argv", "env", "exit", "exitCode", "stdout", "stderr", "stdin"];

export const terminalRule: Rule = fileRule(
  "only src/cli meets the terminal",
  (path) => inSource(path) && roomOf(path) !== "cli" && roomOf(path) !== "kernel",
  (file, complain) => {
    for (const placed of file.nodes) {
      const { node } = placed;
      if (nameOf(node) === "console" && !isForeignName(placed)) {
        complain(node, "only src/cli prints; return a value or send an event");
      }
      for (const banned of processUses(node)) {
        complain(node, `only src/cli uses process.${banned}; pass the value down as an argument`);
      }
    }
  },
);

function processUses(node: SyntaxNode): readonly string[] {
  if (node.type === "MemberExpression") {
    return PROCESS_BANS.filter((each) => isMember(node, "process", each));
  }
  const source = node.type === "ImportDeclaration" ? stringOf(child(node, "source")) : null;
  if (source !== "node:process" && source !== "process") return [];
  const specifiers = Array.isArray(node.specifiers) ? node.specifiers : [];
  const imported = specifiers.map((each) => nameOf(child(each, "imported")));
  return PROCESS_BANS.filter((each) => imported.includes(each));
}

/** `object.property`, also behind `globalThis`. */
export function isMember(node: SyntaxNode, object: string, property: string): boolean {
  if (node.type !== "MemberExpression") return false;
  if (nameOf(child(node, "property")) !== property) return false;
  const holder = child(node, "object");
  return (
    nameOf(holder) === object ||
    (holder?.type === "MemberExpression" && nameOf(child(holder, "property")) === object)
  );
}
