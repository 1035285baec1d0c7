import { everywhere, fileRule, type Rule } from "./rule.ts";
import {
  child,
  children,
  isForeignName,
  nameOf,
  type PlacedNode,
  type SyntaxNode,
} from "./source-file.ts";

const EMPTY_WORDS = new Set(
  "manager helper util utils handler processor base data info".split(" "),
);

const SHORTHANDS: ReadonlyMap<string, string> = new Map([
  ["cfg", "config"],
  ["ctx", "the name of what it is"],
  ["opts", "options, or better what they settle"],
  ["res", "response, result, or better what it is"],
]);

const LINES_MAX = 700;

export const fileRules: Rule = fileRule("files are one noun each", everywhere, (file, complain) => {
  const lines = file.lines.length - (file.lines.at(-1) === "" ? 1 : 0);
  if (lines > LINES_MAX) {
    const cure = "give one of its nouns a file of its own";
    complain({ start: 0 }, `has ${lines} lines, ${LINES_MAX} at most; ${cure}`);
  }
  for (const part of file.path.split("/")) {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*((\.slow)?\.test|\.d)?(\.ts)?$/.test(part)) {
      complain({ start: 0 }, `${part} is not kebab-case; rename it to one lower-case noun`);
    }
    const empty = part.split(/[-.]/).find((word) => EMPTY_WORDS.has(word.replace(/s$/, "")));
    if (empty !== undefined) {
      complain({ start: 0 }, `${part} says "${empty}", which says nothing; name the thing it does`);
    }
  }
});

export const nameRule: Rule = fileRule(
  "names say what things are",
  everywhere,
  (file, complain) => {
    for (const placed of file.nodes) {
      const { node } = placed;
      const name = nameOf(node);
      if (name === null) continue;
      const better = SHORTHANDS.get(name);
      if (better !== undefined && !isForeignName(placed)) {
        complain(node, `${name} is a shorthand; write ${better}`);
      }
      const empty = isPublicName(placed) ? emptyWordIn(name) : null;
      if (empty !== null) {
        complain(node, `${name} says "${empty}", which says nothing; name the thing it is`);
      }
    }
  },
);

function emptyWordIn(name: string): string | null {
  const words = name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_/);
  return words.find((word) => EMPTY_WORDS.has(word.toLowerCase().replace(/s$/, ""))) ?? null;
}

const TYPE_DECLARATIONS = new Set(["TSTypeAliasDeclaration", "TSInterfaceDeclaration"]);

/** Whether a name is that of a type or a class, or of something that the file exports. */
function isPublicName({ node, parent, field }: PlacedNode): boolean {
  if (parent === null) return false;
  const holder = parent.node;
  if (holder.type === "ExportSpecifier") return field === "exported";
  if (field !== "id") return false;
  if (TYPE_DECLARATIONS.has(holder.type) || holder.type.startsWith("Class")) return true;
  const statement = holder.type === "VariableDeclarator" ? parent.parent : parent;
  const exported = statement?.parent?.node;
  if (exported === undefined || exported.type !== "ExportNamedDeclaration") return false;
  return child(exported, "declaration") === statement?.node && declares(statement.node, node);
}

const declares = (declaration: SyntaxNode, name: SyntaxNode): boolean =>
  child(declaration, "id") === name ||
  children(declaration, "declarations").some((each) => child(each, "id") === name);
