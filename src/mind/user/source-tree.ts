import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { parseSync, Visitor } from "rolldown/utils";
import type { ModuleFault } from "./messages.ts";
import { MODULE_SUFFIXES } from "./module-path.ts";

const FILES_MAX = 200;

type SourceImport = {
  readonly specifier: string;
  /** The offset of the specifier in the file. */
  readonly start: number;
  /** The imported names, with their offsets. */
  readonly names: ReadonlyMap<string, number>;
};

export type UserSource = {
  readonly path: string;
  /** The path to show, relative to the folder of the module. */
  readonly name: string;
  readonly text: string;
  readonly imports: readonly SourceImport[];
  /** The offset of the default export, else of an export named `decide`. */
  readonly exportStart: number | null;
};

/** A module of the user and the files that it imports, by URL. The first is the module itself. */
export type SourceTree = ReadonlyMap<string, UserSource>;

type TreeRead =
  | { readonly ok: true; readonly tree: SourceTree }
  | { readonly ok: false; readonly fault: ModuleFault };

/** Reads a module and the files that it imports, without running them. */
export const readSourceTree = (entry: string): TreeRead => {
  const folder = dirname(realpathSync(entry));
  const nameOf = (path: string): string => relative(folder, path).split(sep).join("/");
  const tree = new Map<string, UserSource>();
  const waiting = [{ path: realpathSync(entry), name: basename(entry) }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const url = pathToFileURL(next.path).href;
    if (tree.has(url)) continue;
    const text = readFileSync(next.path, "utf8");
    if (next.path.endsWith(".json")) {
      tree.set(url, { ...next, text, imports: [], exportStart: null });
      continue;
    }
    const source = parsed(next.path, next.name, text);
    if ("message" in source) return { ok: false, fault: source };
    tree.set(url, source);
    if (tree.size > FILES_MAX) {
      const message = `imports more than ${FILES_MAX} files of yours; make packages of them`;
      return { ok: false, fault: { file: nameOf(next.path), line: null, column: null, message } };
    }
    for (const { specifier, start } of source.imports) {
      const target = targetOf(specifier, next.path);
      if (target === null) continue;
      if ("problem" in target) return { ok: false, fault: faultAt(source, start, target.problem) };
      waiting.push({ path: target.path, name: nameOf(target.path) });
    }
  }
  return { ok: true, tree };
};

/** A fault at an offset of a file. */
export const faultAt = (
  { name, text }: Pick<UserSource, "name" | "text">,
  offset: number,
  message: string,
): ModuleFault => {
  const lines = text.slice(0, offset).split("\n");
  return { file: name, line: lines.length, column: (lines.at(-1) ?? "").length + 1, message };
};

const parsed = (path: string, name: string, text: string): UserSource | ModuleFault => {
  const { errors, program, module } = parseSync(path, text, {
    lang: extname(path).endsWith("ts") ? "ts" : "js",
    sourceType: "module",
    showSemanticErrors: true,
  });
  const [error] = errors;
  if (error !== undefined) {
    const start = error.labels[0]?.start ?? 0;
    const [what = ""] = error.message.split("\n");
    const help = error.helpMessage === null ? "" : `; ${error.helpMessage.split("\n")[0]}`;
    return faultAt({ name, text }, start, `SyntaxError: ${what}${help}`);
  }
  const [outside] = faultsOutsideFunctions(program);
  if (outside !== undefined) return faultAt({ name, text }, outside.start, outside.message);
  const imports = program.body.flatMap((statement): readonly SourceImport[] => {
    if (statement.type === "ImportDeclaration") {
      if (statement.importKind === "type") return [];
      const names = statement.specifiers.flatMap((each): (readonly [string, number])[] => {
        if (each.type !== "ImportSpecifier") return [];
        const { imported } = each;
        return [[imported.type === "Literal" ? imported.value : imported.name, imported.start]];
      });
      const { value, start } = statement.source;
      return [{ specifier: value, start, names: new Map(names) }];
    }
    const isReExport =
      statement.type === "ExportAllDeclaration" || statement.type === "ExportNamedDeclaration";
    if (!isReExport || statement.source === null || statement.exportKind === "type") return [];
    return [{ specifier: statement.source.value, start: statement.source.start, names: new Map() }];
  });
  const exported = module.staticExports.flatMap(({ start, entries }) =>
    entries.map(({ exportName: { kind, name: word } }) => ({ start, word: word ?? kind })),
  );
  const told = ["default", "Default", "decide"]
    .map((word) => exported.find((each) => each.word === word))
    .find((each) => each !== undefined);
  return { path, name, text, imports, exportStart: told?.start ?? null };
};

const TOP_AWAIT = "must not use `await` outside a function: a module must be synchronous";
const TOP_THROW = "throws a value that is not an error; write `throw new Error(…)`";

type OutsideFault = { readonly start: number; readonly message: string };

/**
 * Finds what must not be outside all functions: `await`, and `throw` of a plain value. Node prints
 * lines of its own code when a module that loads throws such a value.
 */
const faultsOutsideFunctions = (
  program: Parameters<Visitor["visit"]>[0],
): readonly OutsideFault[] => {
  let depth = 0;
  let tries = 0;
  const faults: OutsideFault[] = [];
  const enter = (): void => {
    depth += 1;
  };
  const leave = (): void => {
    depth -= 1;
  };
  const found = (start: number, message = TOP_AWAIT): void => {
    if (depth === 0) faults.push({ start, message });
  };
  new Visitor({
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": leave,
    FunctionExpression: enter,
    "FunctionExpression:exit": leave,
    ArrowFunctionExpression: enter,
    "ArrowFunctionExpression:exit": leave,
    AwaitExpression: ({ start }) => found(start),
    ForOfStatement: ({ start, await: isAsync }) => {
      if (isAsync) found(start);
    },
    TryStatement: () => {
      tries += 1;
    },
    "TryStatement:exit": () => {
      tries -= 1;
    },
    ThrowStatement: ({ start, argument: { type } }) => {
      if (tries === 0 && PLAIN_VALUES.includes(type)) found(start, TOP_THROW);
    },
  }).visit(program);
  return faults;
};

const PLAIN_VALUES: readonly string[] = ["Literal", "TemplateLiteral"];

type Target = { readonly path: string } | { readonly problem: string } | null;

/** The file that an import names, or what is wrong. Null for packages and built-in modules. */
const targetOf = (specifier: string, from: string): Target => {
  if (/^(\/|(?!node:)[a-z][a-z+.-]*:)/i.test(specifier)) {
    return { problem: `imports ${specifier}; import a file of yours by its relative path` };
  }
  if (!/^\.{1,2}(\/|$)/.test(specifier)) return null;
  const path = resolve(dirname(from), decodeURI(specifier));
  if (!isFile(path)) return { problem: `imports ${specifier}, which ${whyNot(specifier, path)}` };
  const suffixes = [...MODULE_SUFFIXES, ".json"];
  if (suffixes.includes(extname(path))) return { path: realpathSync(path) };
  return { problem: `imports ${specifier}; a file must end with one of ${suffixes.join(", ")}` };
};

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;

const whyNot = (specifier: string, path: string): string => {
  const bare = specifier.replace(/\.m?js$/, "");
  const meant = MODULE_SUFFIXES.find((suffix) => isFile(`${path.replace(/\.m?js$/, "")}${suffix}`));
  return meant === undefined ? "does not exist" : `does not exist; write "${bare}${meant}"`;
};
