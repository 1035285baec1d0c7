import { fileRule, inSource, type Rule } from "./rule.ts";
import { child, children, nameOf, type SyntaxNode } from "./source-file.ts";

const SEARCHES = ["startsWith", "endsWith", "includes", "match"];
const PATTERNS = ["test", "exec"];
const PROSE = ["message", "problem"];

/** What a program knows must be a field: a sentence changes without a failing test. */
export const proseRule: Rule = fileRule("sentences are not data", inSource, (file, complain) => {
  for (const { node } of file.nodes) {
    const callee = node.type === "CallExpression" ? child(node, "callee") : null;
    if (callee?.type !== "MemberExpression") continue;
    const method = nameOf(child(callee, "property")) ?? "";
    const [first = null] = children(node, "arguments");
    const isRead =
      (SEARCHES.includes(method) && isProse(child(callee, "object"))) ||
      (PATTERNS.includes(method) && isProse(first));
    if (isRead) complain(node, "reads a sentence back; give its object a field that says this");
  }
});

/** Of the errors of other programs, the sentence may be all that there is. */
const isProse = (node: SyntaxNode | null): boolean =>
  node?.type === "MemberExpression" &&
  PROSE.includes(nameOf(child(node, "property")) ?? "") &&
  nameOf(child(node, "object")) !== "error";
