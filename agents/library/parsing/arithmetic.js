/* ---
title: Calculate
topic: parsing
takes: notation
gives: number
worth: 6
description: Works out an expression such as (3 + 4) * 2 ^ 0.5 with the usual order of operations.
methods:
  - name: run
    description: Knows + - * / % ^ and brackets. ^ binds tightest and groups from the right.
    input_schema:
      type: object
      properties:
        expression: { type: string, description: At most 500 letters. }
      required: [expression]
    output_schema: { type: number }
    examples:
      - args: ["2 + 3 * 4"]
        result: 14
      - args: ["(120 - 80) / 80 * 100"]
        result: 50
      - args: ["-2 ^ 2 + 2 ^ 3 ^ 2"]
        result: 508
      - args: ["0.1 + 0.2"]
        result: 0.3
--- */
function run(expression) {
  if (typeof expression !== "string" || expression.length > 500) {
    kernel.fail("bad_input", "expression must be a string of at most 500 letters, such as '2 + 3'");
  }
  const tokens = expression.match(/\d+\.?\d*|\.\d+|\S/g) || [];
  const value = _sum(tokens);
  if (tokens.length > 0) {
    kernel.fail("bad_input", `'${tokens[0]}' stands where an operator or the end was expected`);
  }
  if (!Number.isFinite(value)) {
    kernel.fail("bad_input", "the expression divides by zero or is too large for a number");
  }
  return Number(value.toPrecision(12)) + 0;
}

// The grammar, one function a rule; each takes from the front of the tokens what it understands.
function _sum(tokens) {
  let value = _product(tokens);
  while (tokens[0] === "+" || tokens[0] === "-") {
    value = tokens.shift() === "+" ? value + _product(tokens) : value - _product(tokens);
  }
  return value;
}

function _product(tokens) {
  let value = _signed(tokens);
  while (["*", "/", "%"].includes(tokens[0])) {
    const operator = tokens.shift();
    const right = _signed(tokens);
    value = operator === "*" ? value * right : operator === "/" ? value / right : value % right;
  }
  return value;
}

function _signed(tokens) {
  if (tokens[0] === "-") {
    tokens.shift();
    return -_signed(tokens);
  }
  return _power(tokens);
}

function _power(tokens) {
  const base = _atom(tokens);
  if (tokens[0] !== "^") {
    return base;
  }
  tokens.shift();
  return base ** _signed(tokens);
}

function _atom(tokens) {
  const token = tokens.shift();
  if (token === "(") {
    const value = _sum(tokens);
    if (tokens.shift() !== ")") {
      kernel.fail("bad_input", "a bracket is never closed; add a ')'");
    }
    return value;
  }
  if (token === undefined || !/\d/.test(token)) {
    kernel.fail(
      "bad_input",
      `a number or '(' was expected, not ${token ? `'${token}'` : "the end"}`,
    );
  }
  return Number(token);
}
