import { posix } from "node:path";
import { child, nameOf, type SourceFile, type SyntaxNode, stringOf } from "./source-file.ts";

/** One import, re-export, dynamic import, import type or `new URL("…", import.meta.url)`. */
export type Import = {
  readonly specifier: string;
  /** The path of the imported file from the top of the repository; null for a package. */
  readonly target: string | null;
  readonly node: SyntaxNode;
};

const WITH_SOURCE = /^(Import|ExportNamed|ExportAll)Declaration$|^(ImportExpression|TSImportType)$/;

export function importsOf(file: SourceFile): readonly Import[] {
  return file.nodes.flatMap(({ node }) => {
    const specifier = WITH_SOURCE.test(node.type) ? stringOf(child(node, "source")) : urlOf(node);
    if (specifier === null) return [];
    const relative = specifier.startsWith(".");
    const target = relative ? posix.join(posix.dirname(file.path), specifier) : null;
    return [{ specifier, target, node }];
  });
}

/** The path in `new URL("./worker.ts", import.meta.url)`: a file that is started, not imported. */
function urlOf(node: SyntaxNode): string | null {
  if (node.type !== "NewExpression" || nameOf(child(node, "callee")) !== "URL") return null;
  const [path, base] = Array.isArray(node.arguments) ? node.arguments : [];
  const specifier = stringOf(path ?? null);
  const isHere = base?.type === "MemberExpression" && nameOf(child(base, "property")) === "url";
  return isHere && specifier?.startsWith(".") ? specifier : null;
}
