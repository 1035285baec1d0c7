import { mindWith, NOOP } from "../support/persona-lab.ts";

/** Modules that cannot be used, each with the place and the start of the reason. */
export const UNUSABLE: readonly (readonly [text: string, reason: string])[] = [
  ["export default {\n  decide() {\n    return {{;\n", "3:13: SyntaxError: Unexpected token"],
  ["export default {\n  decide() {\n    const a = 5 5;\n  }\n};", "3:16: SyntaxError: Expected "],
  ["const a = 1;\nconst a = 2;\n", "1:7: SyntaxError: Identifier `a` has already been declared"],
  ["\nenum A { B }\n", "2:1: SyntaxError: TypeScript enum is not supported here"],
  ["throw new Error('early');", "1:7: Error: early"],
  ["\nnull.x;", "2:6: TypeError: Cannot read properties of null"],
  ["\nthrow 'words';", "2:1: throws a value that is not an error; write `throw new Error("],
  ["if (1) {\n  throw null;\n}", "2:3: throws a value that is not an error; write"],
  ["try { throw 1; } finally {\n}\nthrow `a`;", "3:1: throws a value that is not an error; write"],
  ["throw { toString() { throw 1; } };", " threw a value that cannot be shown, not an error"],
  ["\nconst x = await 1;", "2:11: must not use `await` outside a function"],
  ["process.exit(0);", "1:9: this line calls process.exit, but a module must not end the process"],
  ["setTimeout(() => {}, 1);", "1:1: this line starts a timer, but a module must be synchronous"],
  ['import { x } from "./x.ts";', "1:19: imports ./x.ts, which does not exist"],
  ['import { x } from "./x.js";', "1:19: imports ./x.js, which does not exist"],
  ['export * from "./agent.yaml";', "1:15: imports ./agent.yaml; a file must end with one of .ts"],
  [
    'import { x } from "/x.ts";',
    "1:19: imports /x.ts; import a file of yours by its relative path",
  ],
  [
    '\nimport { x } from "no-such-package/part.js";',
    "2:19: imports no-such-package, which is not installed; run `npm install no-such-package`",
  ],
  ['import { View } from "catallaxy";', "1:22: imports catallaxy; write `import type`"],
  [
    'import {\n  readFile,\n  readFyle } from "node:fs";',
    "3:3: SyntaxError: The requested module 'node:fs' does not provide an export named 'readFyle'",
  ],
  ["module.exports = {};", "1:1: this is an ECMAScript module; write `export default`"],
  ["const decide = 1;", " must export default an object with a function decide, as in `export de"],
  ["export const decide = () => {};", "1:1: must export default an object with a function decide"],
  ["\nexport default () => {};", "2:1: must export default an object with a function decide"],
];

/** Bodies of `decide` that fail, each with the place and the reason. */
export const FAILING: readonly (readonly [decide: string, reason: string])[] = [
  ['throw new Error("no idea");', "5:11: Error: no idea"],
  ["return JSON.parse('{');", "5:17: SyntaxError: Expected property name"],
  ['throw "words";', "4:11: threw words, not an error"],
  ["throw { toString() { throw 1; } };", "4:11: threw a value that cannot be shown, not an error"],
  ["throw Object.create(null);", "4:11: threw a value that cannot be shown, not an error"],
  [
    'throw Object.defineProperty(new Error(""), "message", { get: () => { throw 1; } });',
    "4:11: Error: an error whose message cannot be read",
  ],
  ["const f = () => f(); f();", "5:21: RangeError: Maximum call stack size exceeded"],
  [
    "setTimeout(() => { throw new Error('late') }, 0);",
    "5:5: this line starts a timer, but a module must be synchronous",
  ],
  [
    "const late = Promise.reject(new Error('late'));",
    "5:26: this line makes a promise, but a module must be synchronous",
  ],
  ['fetch("http://localhost:1");', "5:5: this line makes a promise, but a module must be sync"],
  ["queueMicrotask(() => {});", "5:5: this line schedules a callback, but a module must be"],
  ["process.exit(0);", "5:13: this line calls process.exit, but a module must not end the process"],
  ["try { process.exit(0); } catch {}", "5:19: this line calls process.exit"],
  [
    "return Promise.resolve({ action: { noop: {} } });",
    "4:11: decide returned a promise; it must not be async",
  ],
  ["return;", "4:11: decide returned nothing, but must return an object such as `{ action:"],
  ["return [];", "4:11: decide returned a list, but must return an object such as"],
  [
    "return {};",
    "4:11: decide returned a wrong decision: `action` is missing; it must be an object; as in `act",
  ],
  [
    "return { action: 5 };",
    "4:11: decide returned a wrong decision: `action` must be an object, not 5; as in `action: { n",
  ],
  [
    "return { action: { noop: {} }, wait: 5 };",
    "4:11: decide returned a wrong decision: unknown key `wait`; did you mean `waitMs`?",
  ],
  [
    "return { action: { noop: {} }, waitMs: 1.5 };",
    "4:11: decide returned a wrong decision: `waitMs` must be a whole number, not 1.5",
  ],
  [
    "return { action: { noop: {} }, sleep: 5 };",
    "4:11: decide returned a wrong decision: `sleep` must be an object, not 5; as in `sleep: { for",
  ],
  [
    "return { action: { noop: {} }, sleep: { for: 5 } };",
    "4:11: decide returned a wrong decision: `sleep.for_s` is missing; it must be a number; unknow",
  ],
  [
    'return { action: { noop: {} }, sleep: { for_s: 5, until: [{ event: "sold" }] } };',
    '4:11: decide returned a wrong decision: `sleep.until[0].event` must not be "sold"; did you mean',
  ],
  [
    "return { action: { noop: {} }, memory: { seen: [new Map()] } };",
    "4:11: decide returned a wrong decision: `memory.seen[0]` must be plain data, not a Map",
  ],
  [
    "return { action: { noop: { x: NaN } } };",
    "4:11: decide returned a wrong decision: `action.noop.x` must be plain data, not NaN",
  ],
  [
    "const a = {}; a.a = a; return { action: { noop: {} }, memory: a };",
    "4:11: decide returned a wrong decision: it must be nested at most 64 levels deep",
  ],
  [
    'return { action: { invoke_artifact: { id: "x" } } };',
    '4:11: decide returned a wrong action: invoke_artifact has no field "id" (did you m',
  ],
  [
    'return { action: { noop: {} }, memory: "x".repeat(70000) };',
    "4:11: decide returned a memory of 70002 characters; the maximum is 65536",
  ],
];

const COUNTS =
  "let n = 0;\nexport default {\n  decide: () => ({ action: { noop: {} }, waitMs: n++ }),\n};";

/** Modules that do not repeat, each with the place and the start of the note. */
export const CHANGING: readonly (readonly [text: string, note: string])[] = [
  [mindWith(`Math.random(); ${NOOP}`), "5:10: this line uses Math.random, so runs do not repeat"],
  [mindWith(`Date.now(); ${NOOP}`), "5:10: this line uses Date.now, so runs do not repeat"],
  [mindWith(`new Date(); ${NOOP}`), "5:5: this line uses the clock (Date), so runs do not repeat"],
  [
    mindWith(`crypto.randomUUID(); ${NOOP}`),
    "5:12: this line uses crypto.randomUUID, so runs do not repeat",
  ],
  [
    mindWith(`crypto.getRandomValues(new Uint8Array(1)); ${NOOP}`),
    "5:12: this line uses crypto.getRandomValues, so runs do not repeat",
  ],
  [
    mindWith(`performance.now(); ${NOOP}`),
    "5:17: this line uses performance.now, so runs do not repeat",
  ],
  [`const salt = Math.random();\n${mindWith(NOOP)}`, "1:19: this line uses Math.random, so runs"],
  [COUNTS, "3:11: decide returned two decisions for the same argument, so runs do not repeat"],
];

/** What is said of a module that does not end, with the limit after it. */
export const ENDLESS = {
  decide: "decide did not end within",
  outside: "the code outside its functions did not end within",
} as const;

export const REFUSED = "the world refuses the first action of m: ";
