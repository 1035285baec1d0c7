import { importsOf } from "./imports.ts";
import { inSource, type Project, type Rule, type Violation } from "./rule.ts";
import { child, children, nameOf, type SourceFile, type SyntaxNode } from "./source-file.ts";

/** Started by the system, not imported. */
const ENTRY_POINTS = new Set(["src/cli/main.ts", "src/index.ts"]);

/** Declaration files only describe; the compiler finds them by itself. */
const sourcesOf = ({ files }: Project): readonly SourceFile[] =>
  files.filter(({ path }) => inSource(path) && !path.endsWith(".d.ts"));

export const orphanRule: Rule = {
  name: "every source file is reached",
  check: (project) => {
    const sources = sourcesOf(project);
    const reached = new Set<string>(ENTRY_POINTS);
    for (const file of sources) {
      for (const { target } of importsOf(file)) {
        if (target !== null && target !== file.path) reached.add(target);
      }
    }
    return sources
      .filter(({ path }) => !reached.has(path))
      .map(({ path }) => {
        return { path, line: 1, message: "is imported by no source file; use it or remove it" };
      });
  },
};

/** An export that no other file imports. What the package exports is for its users. */
export const exportRule: Rule = {
  name: "every export is used",
  check: (project) => {
    const used = new Map<string, Set<string>>();
    const use = (path: string, name: string): void => {
      used.set(path, (used.get(path) ?? new Set()).add(name));
    };
    for (const file of project.files) {
      for (const { target, node } of importsOf(file)) {
        if (target === null) continue;
        const names = importedNames(node);
        // `import("…")`, `export *` and `import * as` may use all of the file.
        if (names === null) use(target, "*");
        for (const name of names ?? []) use(target, name);
      }
    }
    return sourcesOf(project).flatMap((file): readonly Violation[] => {
      const names = used.get(file.path) ?? new Set();
      if (ENTRY_POINTS.has(file.path) || names.has("*")) return [];
      return exportedNames(file)
        .filter(({ name }) => !names.has(name))
        .map(({ name, node }) => {
          const line = file.text.slice(0, node.start).split("\n").length;
          const message = `${name} is imported by no file; use it, remove it or do not export it`;
          return { path: file.path, line, message };
        });
    });
  },
};

function importedNames(node: SyntaxNode): readonly string[] | null {
  if (node.type !== "ImportDeclaration" && node.type !== "ExportNamedDeclaration") return null;
  const specifiers = children(node, "specifiers");
  if (specifiers.some(({ type }) => type === "ImportNamespaceSpecifier")) return null;
  const field = node.type === "ImportDeclaration" ? "imported" : "local";
  return specifiers.flatMap((each) => nameOf(child(each, field)) ?? []);
}

function exportedNames(file: SourceFile): readonly { name: string; node: SyntaxNode }[] {
  return file.nodes.flatMap(({ node }) => {
    if (node.type !== "ExportNamedDeclaration") return [];
    const declaration = child(node, "declaration");
    const declared =
      declaration === null
        ? []
        : [child(declaration, "id"), ...children(declaration, "declarations").map(idOf)];
    const listed = children(node, "specifiers").map((each) => child(each, "exported"));
    return [...declared, ...listed].flatMap((id) => {
      const name = nameOf(id);
      return name === null ? [] : [{ name, node }];
    });
  });
}

const idOf = (node: SyntaxNode): SyntaxNode | null => child(node, "id");
