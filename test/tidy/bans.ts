import { layerOf } from "./layers.ts";
import { fileRule, inSource, type Rule } from "./rule.ts";
import { child, isForeignName, nameOf, type SyntaxNode, stringOf } from "./source-file.ts";

/** Globals that would let the kernel see a clock, dice, a disk or a promise. */
const KERNEL_BANS: ReadonlyMap<string, string> = new Map([
  ["Date", "time comes in inside commands"],
  ["performance", "time comes in inside commands"],
  ["Promise", "the kernel answers at once; wait in src/world"],
  ["setTimeout", "the kernel answers at once; wait in src/world"],
  ["setImmediate", "the kernel answers at once; wait in src/world"],
  ["queueMicrotask", "the kernel answers at once; wait in src/world"],
  ["console", "report by an event or a refusal"],
  ["process", "pass the value in a command"],
  ["fetch", "the kernel does no I/O"],
  ["crypto", "chance comes from the PRNG kept in the world's state"],
]);

export const kernelRule: Rule = fileRule(
  "the kernel is pure",
  (path) => path.startsWith("src/kernel/"),
  (file, complain) => {
    for (const placed of file.nodes) {
      const { node } = placed;
      const name = nameOf(node);
      const cure = name === null ? undefined : KERNEL_BANS.get(name);
      if (cure !== undefined && !isForeignName(placed)) {
        complain(node, `the kernel may not use ${name}; ${cure}`);
      }
      if (isMember(node, "Math", "random")) {
        complain(node, "the kernel may not use Math.random; use the PRNG kept in its state");
      }
      if (node.async === true || node.await === true || node.type === "AwaitExpression") {
        complain(node, "the kernel may not wait; it answers at once, waiting is for src/world");
      }
    }
  },
);

const PROCESS_BANS = new Set(["argv", "env", "exit", "exitCode", "stdout", "stderr", "stdin"]);

export const outsideRule: Rule = fileRule(
  "only src/cli meets the terminal",
  (path) => inSource(path) && layerOf(path) !== "cli" && layerOf(path) !== "kernel",
  (file, complain) => {
    for (const placed of file.nodes) {
      const { node } = placed;
      const name = isForeignName(placed) ? null : nameOf(node);
      if (name === "console")
        complain(node, "only src/cli prints; return a value or send an event");
      for (const banned of processUses(node)) {
        complain(node, `only src/cli uses process.${banned}; pass the value down as an argument`);
      }
      if (name === "process" && layerOf(file.path) === "runner") {
        complain(node, "the runner has no process; take what it needs as an argument");
      }
    }
  },
);

function processUses(node: SyntaxNode): readonly string[] {
  const names = [...PROCESS_BANS];
  if (node.type === "MemberExpression")
    return names.filter((each) => isMember(node, "process", each));
  const source = node.type === "ImportDeclaration" ? stringOf(child(node, "source")) : null;
  if (source !== "node:process" && source !== "process") return [];
  const specifiers = Array.isArray(node.specifiers) ? node.specifiers : [];
  const imported = specifiers.map((each) => nameOf(child(each, "imported")));
  return names.filter((each) => imported.includes(each));
}

/** `object.property`, also behind `globalThis`. */
function isMember(node: SyntaxNode, object: string, property: string): boolean {
  if (node.type !== "MemberExpression") return false;
  if (nameOf(child(node, "property")) !== property) return false;
  const holder = child(node, "object");
  return (
    nameOf(holder) === object ||
    (holder?.type === "MemberExpression" && nameOf(child(holder, "property")) === object)
  );
}
