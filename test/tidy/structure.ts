import { posix } from "node:path";
import { importsOf } from "./imports.ts";
import { inSource, type Project, type Rule, type Violation } from "./rule.ts";
import { child, nameOf, type SourceFile } from "./source-file.ts";

const CRUMB_LINES_MIN = 40;
const FOLDER_FILES_MAX = 15;
const KERNEL_FILES_MAX = 8;
/** Folders with one file for each entry of a list. */
const LISTS = new Set(["src/cli/verbs"]);

/** Files that are loaded or started by name, and doors: each stands alone however short. */
const STANDS_ALONE = /(^src\/cli\/main|^src\/cli\/verbs\/[^/]+|\/index|worker|\.d)\.ts$/;

const sourcesOf = ({ files }: Project): readonly SourceFile[] =>
  files.filter(({ path }) => inSource(path));

/** Which source files import each source file. */
function importersOf(sources: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>();
  for (const file of sources) {
    for (const { target, node } of importsOf(file)) {
      // A worker is started, not imported.
      if (target === null || target === file.path || node.type === "NewExpression") continue;
      importers.set(target, (importers.get(target) ?? new Set()).add(file.path));
    }
  }
  return importers;
}

export const crumbRule: Rule = {
  name: "short files have several importers",
  check: (project) => {
    const sources = sourcesOf(project);
    const importers = importersOf(sources);
    return sources.flatMap(({ path, lines, nodes }): readonly Violation[] => {
      const [only, ...others] = importers.get(path) ?? [];
      const length = lines.length - 1;
      if (length >= CRUMB_LINES_MIN || STANDS_ALONE.test(path)) return [];
      // A class has a file of its own.
      if (nodes.some(({ node }) => node.type === "ClassDeclaration")) return [];
      if (only === undefined || others.length > 0 || only.endsWith("/index.ts")) return [];
      const message = `has ${length} lines and one importer; move it into ${only}`;
      return [{ path, line: 1, message }];
    });
  },
};

/** The first file keeps a name, unless the glossary gives it one meaning for several files. */
export const typeNameRule: Rule = {
  name: "exported types have names of their own",
  check: (project) => {
    const found = sourcesOf(project).flatMap((file) =>
      file.nodes.flatMap(({ node, parent }) => {
        const isType = /^TS(TypeAlias|Interface)Declaration$|^ClassDeclaration$/.test(node.type);
        const isExported = parent?.node.type === "ExportNamedDeclaration";
        const name = isType && isExported ? nameOf(child(node, "id")) : null;
        const line = file.text.slice(0, node.start).split("\n").length;
        return name === null ? [] : [{ name, path: file.path, line }];
      }),
    );
    const glossary = project.documents.find(({ path }) => path === "docs/glossary.md")?.text ?? "";
    return [...Map.groupBy(found, ({ name }) => name)]
      .filter(([name]) => !glossary.includes(`\`${name}\``))
      .flatMap(([, [first, ...others]]) =>
        others.map(({ name, path, line }) => {
          const cure = "import that one, or name this one for its own meaning";
          return { path, line, message: `${name} is a type of ${first?.path} too; ${cure}` };
        }),
      );
  },
};

export const folderRule: Rule = {
  name: "folders are small",
  check: (project) => {
    const folders = Map.groupBy(sourcesOf(project), ({ path }) => posix.dirname(path));
    return [...folders].flatMap(([folder, files]) => {
      if (LISTS.has(folder)) return [];
      const max = folder === "src/kernel" ? KERNEL_FILES_MAX : FOLDER_FILES_MAX;
      const cure = "give files of one noun a folder";
      const message = `has ${files.length} files, ${max} at most; ${cure}`;
      return files.slice(max).map(() => ({ path: `${folder}/`, line: 1, message }));
    });
  },
};
