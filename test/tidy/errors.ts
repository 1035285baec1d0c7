import { fileRule, inSource, type Rule } from "./rule.ts";
import { child, children, nameOf, type SyntaxNode } from "./source-file.ts";

export const catchRule: Rule = fileRule("errors are not lost", inSource, (file, complain) => {
  for (const { node } of file.nodes) {
    const body = caughtBy(node);
    if (body?.type !== "BlockStatement" || children(body, "body").length > 0) continue;
    const explained = file.comments.some(({ start }) => start > body.start && start < body.end);
    if (explained) continue;
    const cure = "make it a value or an event, throw it on, or say why it does not matter";
    complain(node, `an empty catch loses the error; ${cure}`);
  }
});

/** What runs after an error: the body of a `catch`, or of the function given to `.catch(…)`. */
function caughtBy(node: SyntaxNode): SyntaxNode | null {
  if (node.type === "CatchClause") return child(node, "body");
  const callee = node.type === "CallExpression" ? child(node, "callee") : null;
  if (callee?.type !== "MemberExpression") return null;
  if (nameOf(child(callee, "property")) !== "catch") return null;
  const [listener] = children(node, "arguments");
  return listener === undefined ? null : child(listener, "body");
}
