import { basename } from "node:path";
import { everywhere, fileRule, inSource, type Rule } from "./rule.ts";
import { child, nameOf, type SyntaxNode } from "./source-file.ts";

export const typeRule: Rule = fileRule("types tell the truth", everywhere, (file, complain) => {
  const mayAssert = !inSource(file.path) || /^ids\.ts$|codec/.test(basename(file.path));
  for (const { node } of file.nodes) {
    if (node.type === "TSImportType" && inSource(file.path)) {
      complain(node, "import(…) as a type hides from the linter's search for circles; import it");
    }
    const asserts = node.type === "TSAsExpression" || node.type === "TSTypeAssertion";
    if (asserts && !mayAssert && !isConst(node)) {
      complain(node, "as makes the compiler believe; narrow it, or decode it in a codec file");
    }
  }
});

function isConst(node: SyntaxNode): boolean {
  const type = child(node, "typeAnnotation");
  return type !== null && nameOf(child(type, "typeName")) === "const";
}
