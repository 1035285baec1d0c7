import { parseSync } from "rolldown/utils";

/** A node of the ESTree that the parser gives; its fields depend on `type`. */
export type SyntaxNode = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
};

export type Comment = { readonly value: string; readonly start: number };

/** One TypeScript file, parsed. */
export type SourceFile = {
  /** From the top of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly comments: readonly Comment[];
  /** Every node with its parents, outermost first. */
  readonly nodes: readonly PlacedNode[];
};

export type PlacedNode = {
  readonly node: SyntaxNode;
  /** The node that holds it and the field in which it stands; null for the program. */
  readonly parent: PlacedNode | null;
  readonly field: string;
};

export function parseSource(path: string, text: string): SourceFile {
  const { program, comments } = parseSync(path, text, { sourceType: "module" });
  const nodes: PlacedNode[] = [];
  if (isNode(program)) collect({ node: program, parent: null, field: "" }, nodes);
  return {
    path,
    text,
    lines: text.split("\n"),
    comments: comments.map(({ value, start }) => ({ value, start })),
    nodes,
  };
}

function collect(placed: PlacedNode, into: PlacedNode[]): void {
  into.push(placed);
  for (const [field, value] of Object.entries(placed.node)) {
    const children = Array.isArray(value) ? value : [value];
    for (const node of children) {
      if (isNode(node)) collect({ node, parent: placed, field }, into);
    }
  }
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** The node in a field, or null. */
export function child(node: SyntaxNode, field: string): SyntaxNode | null {
  const value = node[field];
  return isNode(value) ? value : null;
}

/** The nodes of a field that holds a list. */
export function children(node: SyntaxNode, field: string): readonly SyntaxNode[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The name of an identifier, or null for any other node. */
export function nameOf(node: SyntaxNode | null): string | null {
  const named = node?.type === "Identifier" || node?.type === "PrivateIdentifier";
  return named && typeof node.name === "string" ? node.name : null;
}

/** The value of a string literal, or null. */
export function stringOf(node: SyntaxNode | null): string | null {
  return node?.type === "Literal" && typeof node.value === "string" ? node.value : null;
}

/** The number of the line, from 1, on which an offset lies. */
export function lineAt(file: SourceFile, offset: number): number {
  return file.text.slice(0, offset).split("\n").length;
}

/** How many lines a node covers. */
export const lineCount = (file: SourceFile, node: SyntaxNode): number =>
  file.text.slice(node.start, node.end).split("\n").length;

/** Names that belong to another object: `x.name`, `{ name: … }`. */
export function isForeignName({ node, parent, field }: PlacedNode): boolean {
  const holder = parent?.node;
  if (holder === undefined || holder.computed === true) return false;
  if (holder.type === "MemberExpression") return field === "property";
  if (holder.type === "Property") return field === "key" && holder.shorthand !== true;
  if (holder.type === "ImportSpecifier") return field === "imported" && !sameSpan(node, holder);
  return field === "key";
}

const sameSpan = (a: SyntaxNode, b: SyntaxNode): boolean => a.start === b.start && a.end === b.end;
