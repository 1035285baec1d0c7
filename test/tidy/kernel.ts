import { isMember } from "./rooms.ts";
import { fileRule, type Rule } from "./rule.ts";
import { isForeignName, nameOf } from "./source-file.ts";

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
