import { describe, expect, test } from "vitest";
import { fileSandbox } from "./file-sandbox.ts";
import { callOf, codeOf, echo, failureOf, resultOf, stateOf } from "./fixture.ts";

const { sandbox, run, runBody } = fileSandbox();

describe("the result of a method", () => {
  test.each([
    ["a number", "return 1.5", 1.5],
    ["text in any script", 'return "żółć 日本 😀 \\u0001"', "żółć 日本 😀 \u0001"],
    ["a list", "return [1, [2, []], null]", [1, [2, []], null]],
    ["an object", "return { a: { b: true } }", { a: { b: true } }],
    ["null for undefined", "", null],
    ["null for undefined in a list", "return [undefined]", [null]],
    ["zero for minus zero", "return -0", 0],
    ["the value of toJSON", "return { toJSON() { return 7; } }", 7],
    ["an empty key", 'return { "": 1 }', { "": 1 }],
    ["text with brackets", "return '['.repeat(40)", "[".repeat(40)],
    [
      "text that names the prototype",
      `return ["__proto__", '"__proto__":']`,
      ["__proto__", '"__proto__":'],
    ],
  ])("is %s", (_, body, expected) => {
    expect(resultOf(runBody(body))).toEqual(expected);
  });

  test.each([
    ["a function", "return () => 1", "is not plain data: return what it computes instead"],
    ["a function inside an object", "return { f() {} }", "a function is not plain data"],
    ["a Map", "return new Map()", "a Map is not plain data: use Object.fromEntries(map)"],
    ["a Set", "return [new Set()]", "a Set is not plain data: use [...set]"],
    ["an Error", "return new Error('x')", "an Error is not plain data: use its message"],
    ["NaN", "return { list: [1, NaN] }", "result.list[1] is NaN"],
    ["Infinity", "return -Infinity", "result is -Infinity"],
    ["a bigint", "return 1n", "BigInt"],
    ["a cycle", "const a = {}; a.a = a; return a", "circular reference"],
    ["a lone surrogate", 'return "\\ud800"', "text must be well-formed Unicode"],
    ["a lone surrogate as a key", 'return { "\\udc00": 1 }', "text must be well-formed Unicode"],
    ["the character NUL", 'return "a\\u0000"', "must not contain the character NUL"],
    [
      "33 levels",
      "let a = 1; for (let i = 0; i < 33; i++) a = [a]; return a",
      "more than 32 levels",
    ],
    ["a key that names the prototype", `return JSON.parse('{"__proto__":1}')`, "__proto__"],
    ["a getter that throws", "return { get a() { throw 'no' } }", "the program threw: no"],
  ])("cannot be %s", (_, body, message) => {
    const failure = failureOf(runBody(body));
    expect(failure).toMatch(/^runtime_error: the result /);
    expect(failure).toContain(message);
  });

  test("can be 32 levels deep and contain an escaped backslash before a u", () => {
    const body = 'let a = "\\\\ud800"; for (let i = 0; i < 32; i++) a = [a]; return a';
    expect(codeOf(runBody(body))).toBe("ok");
  });
});

describe("a method", () => {
  test("gets its arguments in order", () => {
    const code = "function run(a, b) { return [b, a, arguments.length]; }";
    expect(resultOf(run(code, { args: [1, { x: 2 }, 3] }))).toEqual([{ x: 2 }, 1, 3]);
  });

  test("gets self, caller, origin, attached and the time", () => {
    const code = "function run() { return [self, caller, origin, attached, kernel.now()]; }";
    const self = { id: "shop", owner: "ada" };
    expect(resultOf(run(code))).toEqual([self, "bob", "carol", { scrip: 3 }, 1_700_000]);
  });

  test("cannot change any of these", () => {
    const code = `function run() {
      self = 1; caller = "eve"; origin = "eve"; attached.scrip = 9; kernel = null;
      self.owner = "eve";
      return [self.owner, caller, origin, attached.scrip, typeof kernel.pay];
    }`;
    expect(resultOf(run(code))).toEqual(["ada", "bob", "carol", 3, "function"]);
  });

  test.each([
    ...["eval", "Date", "Promise", "Proxy", "WeakRef", "FinalizationRegistry", "ArrayBuffer"],
    ...["Uint8Array", "SharedArrayBuffer", "Atomics", "DataView", "setTimeout", "queueMicrotask"],
    ...["console", "process", "require", "fetch", "WebAssembly", "Math.random", "performance"],
    ...["structuredClone", "Iterator", "std", "os", "print", "scriptArgs"],
  ])("has no %s", (name) => {
    expect(resultOf(runBody(`return typeof ${name};`))).toBe("undefined");
  });

  test.each([
    ["classes with private fields", "new (class { #x = 2; get x() { return this.#x; } })().x", 2],
    ["generators", "[...(function* () { yield 1; yield 2; })()]", [1, 2]],
    ["destructuring", "(([first, ...rest]) => rest)([1, 2, 3])", [2, 3]],
    ["maps and sets", 'new Map([["k", new Set([1, 1, 2])]]).get("k").size', 2],
    ["regular expressions", '"one two".replace(/(\\w+) (\\w+)/u, "$2 $1")', "two one"],
    ["big integers", "String(2n ** 64n)", "18446744073709551616"],
    ["Array.toSorted", "[3, 1, 2].toSorted()", [1, 2, 3]],
    ["Array.at", "[1, 2].at(-1)", 2],
    ["Array.flat", "[1, [2, [3]]].flat()", [1, 2, [3]]],
    ["Array.flat without a limit", "[1, [2, [3]]].flat(Infinity)", [1, 2, 3]],
    ["Array.flatMap", "[1, 2].flatMap((n) => [n, n])", [1, 1, 2, 2]],
    ["Array.concat", "[1].concat(2, [3])", [1, 2, 3]],
    ["Array.some", "[1].some((n) => n)", true],
    ["Array.join", '[1, null, 2].join("-")', "1--2"],
    ["Array.slice of arguments", "Array.prototype.slice.call(arguments, 1)", ["y"]],
    ["normalize", '"Crème".normalize("NFD").replace(/[\\u0300-\\u036f]/g, "")', "Creme"],
    ["localeCompare", '["b", "a"].sort((a, b) => a.localeCompare(b))', ["a", "b"]],
    ["padStart", '"7".padStart(3, "0")', "007"],
    ["split", '"a,b".split(",")', ["a", "b"]],
    ["toFixed", "(1234.5).toFixed(2)", "1234.50"],
    ["replaceAll", '"aXbX".replaceAll("X", "-")', "a-b-"],
    ["Object.keys", "Object.keys({ a: 1 })", ["a"]],
  ])("can use %s", (_, expression, expected) => {
    const code = `function run() { return ${expression}; }`;
    expect(resultOf(run(code, { args: ["x", "y"] }))).toEqual(expected);
  });

  test.each([
    ['"abc".indexOf()', -1],
    ['"undefined".indexOf()', 0],
    ['"a".includes("")', true],
    ['"a-b-c".split("-", 2)', ["a", "b"]],
    ['"abc".split()', ["abc"]],
    ['"abab".lastIndexOf("ab")', 2],
    ['"abab".lastIndexOf("ab", 1)', 0],
    ['"aaa".replace("a", "$&b")', "abaa"],
    ['"aaa".replace(/a/g, (m, i) => i)', "012"],
    ['"abc".indexOf("c", -5)', 2],
    ['"x".repeat(3)', "xxx"],
    ["[1, 2, 3].indexOf(2)", 1],
    ["[1, 2, 3].lastIndexOf(3)", 2],
    ["[1, 2, 3].includes(4)", false],
    ["[3, 2].fill(0)", [0, 0]],
    ["[,1].flat()", [1]],
    ['"A".toLowerCase()', "a"],
    ['parseInt("12px", 10)', 12],
    ['parseFloat("1.5e1")', 15],
    ["Number.parseInt === parseInt", true],
    ["[].concat.length", 0],
    ['"".split.length', 2],
    ["JSON.stringify({ a: [1] }, null, 1)", '{\n "a": [\n  1\n ]\n}'],
    ["[1, [2]].toString()", "1,2"],
    ["[0].map.name", "map"],
  ])("gets the standard result of a guarded native function: %s", (expression, expected) => {
    expect(resultOf(runBody(`return ${expression};`))).toEqual(expected);
  });
});

describe("the state of a program", () => {
  test("starts as given, and its value at the end is the new state", () => {
    const code =
      "function run(n) { state.list.push(n); state.last = n; return state.list.length; }";
    const outcome = run(code, { args: [5], state: { list: [1] } });
    expect(resultOf(outcome)).toBe(2);
    expect(stateOf(outcome)).toEqual({ list: [1, 5], last: 5 });
  });

  test("can be replaced, even by a number", () => {
    expect(stateOf(runBody("state = { fresh: true };"))).toEqual({ fresh: true });
    expect(stateOf(runBody("state = 5;"))).toBe(5);
  });

  test("is null in the outcome if it did not change", () => {
    const code = "function run() { state.a = state.a; return state.a; }";
    expect(stateOf(run(code, { state: { a: "ü" } }))).toBe(null);
  });

  test("is not returned by a call that fails", () => {
    expect(runBody("state.a = 1; throw new Error('no');")).not.toHaveProperty("stateJson");
  });

  test("must be plain data like a result", () => {
    const messages = [
      "state = undefined",
      "state.f = () => 1",
      "state.n = 0 / 0",
      "state.s = '\\ud800'",
    ].map((body) => failureOf(runBody(`${body};`)));
    expect(messages).toEqual([
      "runtime_error: the state cannot be kept: TypeError: state is undefined",
      "runtime_error: the state cannot be kept: TypeError: a function is not plain data: " +
        "return what it computes instead",
      "runtime_error: the state cannot be kept: TypeError: state.n is NaN, " +
        "and numbers in JSON must be finite",
      "runtime_error: the state is not plain data: text must be well-formed Unicode " +
        "(it has a lone surrogate)",
    ]);
  });

  test("cannot be redeclared", () => {
    expect(failureOf(run("let state = {};\nfunction run() {}"))).toBe(
      "syntax_error: SyntaxError: redeclaration of 'state': do not declare state, self, " +
        "caller, origin, attached or kernel; they are given",
    );
  });
});

describe("error messages", () => {
  test("name the line of the program", () => {
    const code = "function run(order) {\n  const a = 1;\n  return order.item.price;\n}";
    expect(failureOf(run(code, { args: [{}] }))).toBe(
      "runtime_error: TypeError: cannot read property 'price' of undefined (line 3)",
    );
  });

  test("of syntax errors name the line", () => {
    expect(failureOf(run("function run() {\n  return 1 +;\n}"))).toBe(
      "syntax_error: SyntaxError: unexpected token in expression: ';' (line 2)",
    );
  });

  test("of JSON.parse are runtime errors", () => {
    expect(codeOf(runBody("JSON.parse('{');"))).toBe("runtime_error");
    expect(codeOf(run("const x = JSON.parse('{'); function run() {}"))).toBe("runtime_error");
  });

  test.each([
    ["null", "the program threw: null"],
    ["undefined", "the program threw: undefined"],
    ["'just text'", "the program threw: just text"],
    ["{ a: 1 }", 'the program threw: {"a":1}'],
    ["() => 1", "the program threw a function"],
    ["new RangeError('too much')", "RangeError: too much (line 1)"],
    ["Object.assign(new Error('m'), { name: 'Mine' })", "Mine: m (line 1)"],
    ["new Error('')", "Error (line 1)"],
  ])("describe the thrown value: %s", (thrown, message) => {
    expect(failureOf(runBody(`throw ${thrown};`))).toBe(`runtime_error: ${message}`);
  });

  test("tell async programs to drop async and await", () => {
    const advice = "is async: drop async and await, kernel functions return at once";
    expect(failureOf(run("async function run() {}"))).toContain(`run ${advice}`);
    expect(failureOf(run("const go = async () => 1; function run() {}"))).toContain(`go ${advice}`);
  });

  test("tell that a call is too large, without throwing", () => {
    const call = { ...callOf("function run() {}"), stateJson: `"${"x".repeat(9e6)}"` };
    expect(codeOf(sandbox.run(call, echo))).toBe("result_too_large");
  });
});
