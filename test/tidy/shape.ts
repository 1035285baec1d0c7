import { everywhere, fileRule, inTests, type Rule } from "./rule.ts";
import {
  child,
  children,
  lineCount,
  nameOf,
  type PlacedNode,
  type SourceFile,
  type SyntaxNode,
} from "./source-file.ts";

const FILE_LINES_MAX = 400;
const TEST_LINES_MAX = 600;
const FUNCTION_LINES_MAX = 60;
const PARAMETERS_MAX = 3;
const COLUMNS_MAX = 100;

export const fileSizeRule: Rule = fileRule("files are short", everywhere, (file, complain) => {
  const max = inTests(file.path) ? TEST_LINES_MAX : FILE_LINES_MAX;
  const lines = file.lines.length - (file.lines.at(-1) === "" ? 1 : 0);
  const cure = "give one of its nouns a file of its own";
  if (lines > max) complain({ start: 0 }, `has ${lines} lines, ${max} at most; ${cure}`);
});

export const lineRule: Rule = fileRule("lines are short", everywhere, (file, complain) => {
  let start = 0;
  for (const line of file.lines) {
    const columns = [...line].length;
    // A URL cannot be broken, nor a program in a row of a test's table.
    const whole = /https?:\/\/\S{60}/.test(line) || (inTests(file.path) && PROGRAM.test(line));
    if (columns > COLUMNS_MAX && !whole) {
      complain({ start }, `has ${columns} columns, ${COLUMNS_MAX} at most; break the line`);
    }
    start += line.length + 1;
  }
});

/** A line that ends with a long text, which is one word of the test. */
const PROGRAM = /["'`].{40,}["'`]\W*$/;

const FUNCTIONS = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "TSDeclareFunction",
  "TSFunctionType",
  "TSMethodSignature",
  "TSEmptyBodyFunctionExpression",
]);

export const functionRule: Rule = fileRule("functions are short", everywhere, (file, complain) => {
  for (const placed of file.nodes.filter((each) => FUNCTIONS.has(each.node.type))) {
    const { node } = placed;
    const lines = countedLines(file, node);
    if (lines > FUNCTION_LINES_MAX) {
      const cure = "name a step of it and make that a function";
      complain(node, `a function has ${lines} lines, ${FUNCTION_LINES_MAX} at most; ${cure}`);
    }
    const parameters = children(node, "params").length;
    // A case of a table takes the columns of its rows.
    if (parameters > PARAMETERS_MAX && !isCase(placed)) {
      const cure = "take one object with named fields";
      complain(node, `a function has ${parameters} parameters, 3 at most; ${cure}`);
    }
  }
});

/**
 * The lines of a function, without those of exhaustive switches. In tests, the cases inside are not
 * counted (`describe` holds them as a folder holds files), and neither are tables, which are data.
 */
function countedLines(file: SourceFile, node: SyntaxNode): number {
  const exempt = file.nodes.filter(
    (each) =>
      within(each.node, node) &&
      (isExhaustiveSwitch(file, each.node) ||
        (inTests(file.path) && (isCase(each) || isTable(each.node)))),
  );
  const outermost = exempt.filter((each) => !exempt.some((other) => within(each.node, other.node)));
  return outermost.reduce((left, each) => left - lineCount(file, each.node), lineCount(file, node));
}

/**
 * A switch that names all members of a union: it has no default, or one that only tells the
 * compiler that nothing is left (`satisfies never`, `unreachable(x)`). Each case is still limited.
 */
function isExhaustiveSwitch(file: SourceFile, node: SyntaxNode): boolean {
  if (node.type !== "SwitchStatement") return false;
  return children(node, "cases").every((each) => {
    const text = file.text.slice(each.start, each.end);
    if (child(each, "test") === null) return /\bsatisfies never\b|\bunreachable\(/.test(text);
    return lineCount(file, each) <= FUNCTION_LINES_MAX;
  });
}

const ROWS_MIN = 5;

const isTable = (node: SyntaxNode): boolean =>
  node.type === "ArrayExpression" && children(node, "elements").length >= ROWS_MIN;

const within = (inner: SyntaxNode, outer: SyntaxNode): boolean =>
  inner !== outer && inner.start >= outer.start && inner.end <= outer.end;

/** A function handed to `describe`, `it`, `test` or one of their variants such as `it.each(…)`. */
function isCase({ node, parent, field }: PlacedNode): boolean {
  if (!FUNCTIONS.has(node.type) || field !== "arguments" || parent === null) return false;
  let callee = child(parent.node, "callee");
  while (callee !== null && callee.type !== "Identifier") {
    callee = child(callee, callee.type === "MemberExpression" ? "object" : "callee");
  }
  return ["describe", "it", "test"].includes(nameOf(callee) ?? "");
}

/** Declaration files describe what others have made. */
const isModule = (path: string): boolean => !path.endsWith(".d.ts");

export const classRule: Rule = fileRule("classes stand alone", isModule, (file, complain) => {
  const classes = file.nodes.filter(({ node }) =>
    /^Class(Declaration|Expression)$/.test(node.type),
  );
  for (const { node } of classes) {
    const parent = child(node, "superClass");
    if (parent === null) continue;
    if (nameOf(parent) !== "Error") {
      complain(node, "a class inherits; hold the other object in a field instead");
    } else if (classes.length > 1) {
      complain(node, "an error class shares its file; give it a file of its own");
    }
  }
  for (const { node } of file.nodes) {
    if (node.accessibility === "private" || node.accessibility === "protected") {
      complain(node, `${node.accessibility} is only a word; write a #private field or method`);
    }
  }
});
