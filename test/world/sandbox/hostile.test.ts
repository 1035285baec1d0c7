import { afterEach, describe, expect, test } from "vitest";
import { fileSandbox } from "./file-sandbox.ts";
import { codeOf, replyWith, resultOf } from "./fixture.ts";

const { run, runBody, killed } = fileSandbox();

/** A well-behaved program, which must have the same result after every test. */
const INNOCENT = `function run(n) {
  state.count = (state.count ?? 0) + 1;
  const list = [3, 1, 2].map((x) => x * n).sort((a, b) => a - b);
  return { list, text: JSON.stringify({ a: [1] }), asked: kernel.balance("ada"), who: caller };
}`;

afterEach(() => {
  const outcome = run(INNOCENT, { args: [2] });
  const common = { list: [2, 4, 6], text: '{"a":[1]}', who: "bob" };
  expect(resultOf(outcome)).toEqual({ ...common, asked: ["balance", ["ada"]] });
  expect(outcome).toMatchObject({ stateJson: '{"count":1}' });
  expect(killed).toEqual([]);
});

describe("code from text is refused", () => {
  const NO_CODE = expect.stringContaining("code cannot be made from text here");
  test.each([
    "({}).constructor.constructor('return this')()",
    "(() => 1).constructor('return 1')()",
    "(function* () {}).constructor('yield 1')()",
    "Reflect.construct(Function, ['return 1'])()",
    "new (class extends Function {})('return 1')()",
    "Reflect.construct(Object.getPrototypeOf(class {}).constructor, ['return 1'])()",
    "kernel.pay.constructor('return 1')()",
    "KernelError.constructor('return 1')()",
    "Object.getOwnPropertyDescriptor(Function.prototype, 'constructor').value('return 1')()",
    "Array.prototype.map.constructor('return 1')()",
    "Object.getOwnPropertyDescriptor({}.__proto__, '__proto__').set.constructor('return 1')()",
  ])("%s", (expression) => {
    const outcome = runBody(`return ${expression};`);
    expect(outcome).toMatchObject({ code: "runtime_error", message: NO_CODE });
  });

  test.each([
    "eval('1')",
    "(0, eval)('1')",
    "globalThis.eval('1')",
    "import('fs')",
    "(async () => {}).constructor('return 1')()",
    "(async function* () {}).constructor('return 1')()",
    "setTimeout('1')",
    "new Function.prototype.constructor.prototype.constructor('return 1')()",
  ])("%s", (expression) => {
    expect(codeOf(runBody(`return ${expression};`))).toBe("runtime_error");
  });

  test("in every function that can be reached from the global object", () => {
    const code = `
      const seen = new Set();
      const queue = [
        globalThis, function* () {}, class {}, () => 1, /x/, [], new Map().keys(),
        "".matchAll(/a/g),
        [].values(), new Error(), Symbol.iterator, 1n, (function () { return arguments; })(),
      ];
      function run() {
        const made = [];
        while (queue.length > 0) {
          const value = queue.pop();
          if (Object(value) !== value || seen.has(value)) continue;
          seen.add(value);
          queue.push(Object.getPrototypeOf(value));
          for (const key of Reflect.ownKeys(value)) {
            const property = Object.getOwnPropertyDescriptor(value, key);
            queue.push(property.value, property.get, property.set);
          }
          if (typeof value !== "function" || value === run || value === kernel.fail) continue;
          const attempts = [
            () => value("return 42"), () => new value("return 42"),
            () => Reflect.apply(value, "x", ["return 42"]),
          ];
          for (const attempt of attempts) {
            let result; try { result = attempt(); } catch {}
            if (typeof result !== "function") continue;
            try { if (result() === 42) made.push(value.name); } catch {}
          }
        }
        return [made, seen.size > 300];
      }`;
    expect(resultOf(run(code, { gasMax: 1_000_000, syscallsMax: 50 }))).toEqual([[], true]);
  });

  test("and no function leads to the internals of the prelude", () => {
    const code = `function run() {
      try { kernel.pay.caller; return "caller"; } catch {}
      try { kernel.pay.arguments; return "arguments"; } catch {}
      let seen = [];
      const trap = function () { seen.push(typeof arguments.callee.caller); };
      try { [1].map(trap); } catch {}
      return [seen.includes("function"), typeof port, typeof ask, typeof global, typeof apply];
    }`;
    expect(resultOf(run(code))).toEqual([false, ...Array(4).fill("undefined")]);
  });
});

describe("replacing built-ins affects only the program that does it", () => {
  test.each([
    "Array.prototype.toJSON = () => 'evil'; Object.prototype.toJSON = () => 5;",
    "JSON.parse = JSON.stringify = () => '[]'; Reflect.apply = Reflect.defineProperty = () => 2;",
    "Object.freeze = Object.keys = Object.defineProperty = () => { throw 1; };",
    "String.prototype.indexOf = String.prototype.slice = () => '{}'; String = Number = null;",
    "Array.prototype[Symbol.iterator] = null; Array.isArray = Error.isError = () => true;",
    "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = null;",
    "Object.defineProperty(Object.prototype, '0', { set() { throw 1; }, get() { return 5; } });",
    "Object.defineProperty(Array.prototype, '0', { set() {}, get() { return 5; } });",
    "Object.defineProperty(Error, Symbol.hasInstance, { value() { throw 1; } });",
    "Error.prototype.name = Error.prototype.message = 5;",
    "Object.setPrototypeOf(Object, null); Object.setPrototypeOf(Array.prototype, null);",
    "for (const k of Reflect.ownKeys(Array.prototype)) try { delete Array.prototype[k]; } catch {}",
    "for (const key of Reflect.ownKeys(globalThis)) try { delete globalThis[key]; } catch {}",
    "Symbol.prototype[Symbol.toPrimitive] = null; RegExp.prototype.exec = () => { throw 1; };",
    "Object.prototype.__defineGetter__('code', () => 'evil'); Object.prototype.message = 'evil';",
  ])("before and inside the call: %s", (poison) => {
    for (const code of [
      `${poison}\nfunction run() { return kernel.balance('ada'); }`,
      `function run() { ${poison} return kernel.balance('ada'); }`,
    ]) {
      const asked: string[] = [];
      run(code, {}, ({ name }) => {
        asked.push(name);
        return replyWith(1);
      });
      expect(asked).toEqual(["balance"]);
    }
  });

  test("and syscall arguments still arrive as a list", () => {
    const asked: string[] = [];
    const code = `Array.prototype.toJSON = Object.prototype.toJSON = () => "evil";
      function run() { kernel.pay("ada", 5); kernel.write({ id: 1 }); kernel.random(); }`;
    run(code, {}, ({ argsJson }) => {
      asked.push(argsJson);
      return replyWith(null);
    });
    expect(asked).toEqual(['["ada",5]', '["evil"]', "[]"]);
  });

  test("and results and state stay plain data", () => {
    const code = `Object.prototype.toJSON = function () { return 5; };
      function run() { state.x = 1; return [1]; }`;
    expect(run(code)).toMatchObject({ resultJson: "5", stateJson: "5" });
  });
});

describe("a program that breaks its environment affects only itself", () => {
  test.each([
    ["Object.freeze(globalThis); function run() { return 1; }", "runtime_error"],
    ["Object.defineProperty(globalThis, 'state', { value: 1, writable: false });", null],
    ["function kernel() {} function run() { return 1; }", "runtime_error"],
    ["const self = 1; function run() { return self; }", "syntax_error"],
    ["let kernel = { pay() {} }; function run() {}", "syntax_error"],
    ["var state = { mine: 1 }; function run() { return state; }", "ok"],
    ["function run() { delete globalThis.kernel; return typeof kernel.pay; }", "ok"],
    ["Object.defineProperty(globalThis, 'zz', { get() { for (;;); } }); function run() {}", "ok"],
    ["Object.defineProperty(globalThis, 'run', { get() { for (;;); } });", "method_not_found"],
    ["Object.prototype.get = () => 1; function run() { return 1; }", null],
    ["'use strict'; function run() { caller = 'eve'; }", "runtime_error"],
    ["'use strict'; function run() { kernel.pay = null; }", "runtime_error"],
    ["'use strict'; function run() { KernelError.prototype.name = 1; }", "runtime_error"],
    ["function run() { Object.setPrototypeOf(kernel, null); }", "runtime_error"],
  ])("%s", (code, expected) => {
    const found = codeOf(run(code));
    if (expected !== null) expect(found).toBe(expected);
  });
});

describe("values with code in them", () => {
  test.each([
    [
      "throwing getters in an error",
      "const e = new Error(); Object.defineProperty(e, 'message', { get() { throw e; } }); throw e",
    ],
    ["an error without a prototype", "throw Object.setPrototypeOf(new Error('x'), null)"],
    [
      "a name that is an object",
      "throw Object.assign(new Error('x'), { name: { toString() { throw 1; } } })",
    ],
    [
      "a stack that is an object",
      "throw Object.assign(new Error('x'), { stack: { toString() { throw 1; } } })",
    ],
    ["a message of 100 kB", "throw new Error('x'.repeat(100000))"],
    ["a message with NUL and surrogates", "throw new Error('\\u0000\\ud800')"],
    ["a toString that throws", "throw { toString() { throw 1; }, toJSON() { throw 2; } }"],
    ["a look-alike of the host's own signal", "throw { ending: { kind: 'finished' } }"],
    ["an object without a prototype", "throw Object.create(null)"],
    ["a symbol", "throw Symbol('x')"],
    ["a frozen kernel error with extras", "throw Object.freeze(new KernelError('a', 'b'))"],
    [
      "a kernel error with object code",
      "throw new KernelError({ toJSON() { throw 1; } }, { x: 1 })",
    ],
    ["a getter that digs", "return { get a() { return { get a() { return this.a; } }; } }.a.a"],
    ["a toJSON that asks the kernel", "return { toJSON() { return kernel.balance('x'); } }"],
    ["a fail whose code throws", "kernel.fail({ toString() { throw 1; } })"],
    ["an argument whose toJSON throws", "kernel.pay({ toJSON() { throw 1; } })"],
    ["an argument whose getter throws", "kernel.pay({ get a() { throw 1; } })"],
    ["a log of a cycle", "const a = []; a.push(a); kernel.log(a)"],
  ])("%s", (_, body) => {
    const outcome = runBody(`${body};`);
    expect(["runtime_error", "stack_exhausted"]).toContain(codeOf(outcome));
    const { message } = outcome as { readonly message: string };
    expect(message.length).toBeLessThan(2_000);
    expect(message.isWellFormed()).toBe(true);
    expect(message).not.toContain("\u0000");
  });

  test("a getter that changes its answer between check and copy", () => {
    const code =
      "let n = 0; function run() { return { get a() { return n++ ? NaN : null; }, b: null }; }";
    expect(codeOf(run(code))).toMatch(/^(ok|runtime_error)$/);
  });

  test("text that is short when measured and long when searched", () => {
    const code = `function run() {
      let n = 0; const o = { toString() { return n++ === 0 ? "a" : "a".repeat(1e5); } };
      return String.prototype.indexOf.call(o, "a".repeat(5e4) + "b");
    }`;
    expect(resultOf(run(code))).toBe(-1);
  });
});

describe("native functions that would run too long", () => {
  const SPARSE = "const a = []; a.length = 4294967295;";
  test.each([
    `Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 1)`,
    `Array.prototype.indexOf.call({ get length() { return 2 ** 53 - 1; } }, 1)`,
    `Array.prototype.indexOf.call(Object.create({ length: 2 ** 53 - 1 }), 1)`,
    `Array.prototype.indexOf.call({ length: { valueOf: () => 2 ** 53 - 1 } }, 1)`,
    `Array.prototype.unshift.call({ length: 2 ** 53 - 2 }, 1)`,
    `Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 5, 0)`,
    `Array.prototype.flat.call({ length: 2 ** 53 - 1 })`,
    `[].concat({ length: 2 ** 53 - 1, [Symbol.isConcatSpreadable]: true })`,
    `${SPARSE} a.indexOf(5)`,
    `${SPARSE} a.forEach((x) => x)`,
    `${SPARSE} a.sort()`,
    `${SPARSE} a.reverse()`,
    `${SPARSE} a.join()`,
    `${SPARSE} String(a)`,
    `${SPARSE} [].concat(a)`,
    `${SPARSE} [1].flatMap(() => a)`,
    `${SPARSE} a.splice(0, 1)`,
    `${SPARSE} a.reduce((x) => x)`,
    `${SPARSE} a.values().drop(4e9).next()`,
    `${SPARSE} Math.max.apply(null, a)`,
    `${SPARSE} new Map(a)`,
    `${SPARSE} [...a]`,
    `${SPARSE} Array.from(a)`,
    `${SPARSE} kernel.read(a)`,
    `${SPARSE} state = a`,
    `${SPARSE} a.values().find(Boolean)`,
    `${SPARSE} Object.groupBy(a, (x) => 1)`,
    `"x".padStart(1e9)`,
    `"ab".repeat(1e9)`,
    `String.raw({ raw: { length: 1e15 } })`,
    `Math.max.apply(null, { length: 1e9 })`,
    `new Array(1e9).fill(0)`,
    `("a" + "\\u0301\\u0327".repeat(1e5)).normalize("NFD")`,
    `"a".repeat(1e5).localeCompare("b".repeat(1e5))`,
    `7n ** 100000n`,
    `BigInt("9".repeat(1e5))`,
    `(1n << 100000n)`,
    `let x = 3n; for (;;) x *= x`,
    `"aaa".replace({ [Symbol.replace]() { for (;;); } }, "x")`,
  ])("%s", (body) => {
    expect(runBody(`${body};`, { gasMax: 300_000 })).toMatchObject({ ok: false, timedOut: false });
  });
});
