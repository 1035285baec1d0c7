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
  for (const { path, target } of edgesOf(sources)) {
    importers.set(target, (importers.get(target) ?? new Set()).add(path));
  }
  return importers;
}

const edgesOf = (sources: readonly SourceFile[]) =>
  sources.flatMap((file) =>
    importsOf(file).flatMap(({ target, node }) =>
      // A worker is started, not imported.
      target === null || target === file.path || node.type === "NewExpression"
        ? []
        : [{ path: file.path, target, line: file.text.slice(0, node.start).split("\n").length }],
    ),
  );

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

/** Types count too: a circle has no first file to read. One violation for each import in it. */
export const circleRule: Rule = {
  name: "imports have no circles",
  check: (project) => {
    const sources = sourcesOf(project);
    const edges = edgesOf(sources);
    const targets = Map.groupBy(edges, ({ path }) => path);
    const roots = componentsOf(sources, (path) =>
      (targets.get(path) ?? []).map(({ target }) => target),
    );
    return edges
      .filter(({ path, target }) => roots.get(path) === roots.get(target))
      .map(({ path, target, line }) => {
        const cure = "move what both need into the lower of them, or into a file of its own";
        return { path, line, message: `imports ${target}, which leads back here; ${cure}` };
      });
  },
};

/** The strongly connected component of each file, named by one of its files (Tarjan 1972). */
function componentsOf(
  sources: readonly SourceFile[],
  next: (path: string) => readonly string[],
): ReadonlyMap<string, string> {
  const order = new Map<string, number>();
  const component = new Map<string, string>();
  const open: string[] = [];
  const visit = (path: string): number => {
    const own = order.size;
    order.set(path, own);
    open.push(path);
    let lowest = own;
    for (const target of next(path)) {
      if (component.has(target)) continue;
      lowest = Math.min(lowest, order.get(target) ?? visit(target));
    }
    if (lowest === own) {
      for (const each of open.splice(open.indexOf(path))) component.set(each, path);
    }
    return lowest;
  };
  for (const { path } of sources) if (!order.has(path)) visit(path);
  return component;
}

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
    const several = [...Map.groupBy(found, ({ name }) => name)].filter(
      ([name]) => !glossary.includes(`\`${name}\``),
    );
    return several.flatMap(([, [first, ...others]]) =>
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
