import { basename } from "node:path";
import { everywhere, fileRule, inSource, type Rule } from "./rule.ts";
import { child, nameOf, type SyntaxNode } from "./source-file.ts";

export const typeRule: Rule = fileRule("types tell the truth", everywhere, (file, complain) => {
  const mayAssert = !inSource(file.path) || /^ids\.ts$|codec/.test(basename(file.path));
  for (const { node } of file.nodes) {
    switch (node.type) {
      case "TSAnyKeyword":
        complain(node, "any turns the checks off; write unknown and narrow it");
        break;
      case "TSEnumDeclaration":
        if (node.declare === true) break;
        complain(node, "an enum is code that types cannot erase; write a union of strings");
        break;
      case "TSModuleDeclaration":
        if (node.declare === true) break;
        complain(node, "a namespace is code that types cannot erase; a file is a module");
        break;
      case "TSAsExpression":
      case "TSTypeAssertion":
        if (mayAssert || isConst(node)) break;
        complain(node, "as makes the compiler believe; narrow it, or decode it in a codec file");
        break;
      default:
    }
  }
});

function isConst(node: SyntaxNode): boolean {
  const type = child(node, "typeAnnotation");
  return type !== null && nameOf(child(type, "typeName")) === "const";
}

export const exportRule: Rule = fileRule("exports have names", everywhere, (file, complain) => {
  for (const { node } of file.nodes) {
    const renamed =
      node.type === "ExportSpecifier" && nameOf(child(node, "exported")) === "default";
    if (node.type === "ExportDefaultDeclaration" || renamed) {
      complain(node, "a default export has no name of its own; export it by name");
    }
  }
});
