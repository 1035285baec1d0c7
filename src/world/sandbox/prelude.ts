/** The operations of `port`. The first argument of `port` selects the operation. */
export const PORT = { charge: 0, log: 1, syscall: 2, finish: 3, reject: 4, break: 5 } as const;

const PORT_CONSTANTS = Object.entries(PORT)
  .map(([name, operation]) => `${name.toUpperCase()} = ${operation}`)
  .join(", ");

/** The built-in functions that the prelude uses, captured before a program can replace them. */
const PRIMORDIALS = `
const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { freeze, keys, values, getOwnPropertyNames, setPrototypeOf } = Object;
const { isArray } = Array;
const { isError } = Error;
const { parse, stringify } = JSON;
const { floor } = Math;
const { isFinite } = Number;
const text = String;
const indexOf = String.prototype.indexOf;
const slice = String.prototype.slice;
const ErrorHere = Error, TypeErrorHere = TypeError, RangeErrorHere = RangeError;
const global = globalThis;

const hide = (object, name, value) =>
  defineProperty(object, name, { value, writable: true, enumerable: false, configurable: true });
`;

/**
 * Removes built-ins that make code from text, or that make a call depend on more than its input.
 * The four function constructors stay reachable for `instanceof`, but throw when called.
 */
const HARDENING = `
for (const name of ["eval", "Function", "Date", "Promise", "WeakRef", "FinalizationRegistry",
  "Proxy", "Atomics", "SharedArrayBuffer", "ArrayBuffer", "DataView", "queueMicrotask", "Iterator"])
  deleteProperty(global, name);
deleteProperty(Math, "random");
deleteProperty(String, "raw");
for (const type of [Array, Map, Set, RegExp])
  for (const symbol of Object.getOwnPropertySymbols(type)) deleteProperty(type, symbol);

// Iterator methods that walk a long sparse array without polling.
const iterators = getPrototypeOf(getPrototypeOf([].values()));
for (const name of ["drop", "take", "toArray"]) deleteProperty(iterators, name);
hide(iterators, "constructor", undefined);

const noCodeFromText = (prototype, name) => {
  const refuse = function () {
    throw new TypeErrorHere("code cannot be made from text here: define functions in the program");
  };
  defineProperty(refuse, "name", { value: name });
  defineProperty(refuse, "prototype", { value: prototype, writable: false });
  setPrototypeOf(refuse, Function_prototype);
  defineProperty(prototype, "constructor",
    { value: refuse, writable: false, enumerable: false, configurable: false });
  return freeze(refuse);
};
const Function_prototype = getPrototypeOf(function () {});
hide(global, "Function", noCodeFromText(Function_prototype, "Function"));
const Generator_prototype = getPrototypeOf(function* () {});
noCodeFromText(Generator_prototype, "GeneratorFunction");
for (const strange of [async () => {}, async function* () {}]) {
  const prototype = getPrototypeOf(strange);
  if (prototype !== null && prototype !== Function_prototype)
    noCodeFromText(prototype, "AsyncFunction");
}
`;

/**
 * Wraps native functions that could run long without polling. Each wrapper charges gas by the size
 * of its inputs or result, and refuses extreme lengths. The wrappers replace the originals before
 * any program runs, so no program can reach an original.
 *
 * Some operations have no guard. Only the wall timeout limits them: operators on long text (`+`,
 * `===`, `<`, unary `+`); lookups along very long prototype chains; spreading, freezing or
 * enumerating huge objects; `JSON.stringify` of a list that contains the same list very often;
 * compiling Unicode classes of regular expressions; garbage collection in a full heap; parsing a
 * program that was written to be slow to parse.
 */
const TEXT_GUARDS = `
const FREE = 256;
const NORMALIZE_MAX = 5000;
const charge = (bytes) => { if (bytes > FREE) port(CHARGE, bytes); };
const sized = (value) => (typeof value === "string" ? value.length : 0);

const wrap = (object, name, cost) => {
  const original = object[name];
  if (typeof original !== "function") return;
  const wrapper = { [name]() {
    charge(cost(this, arguments[0], arguments[1]));
    return apply(original, this, arguments);
  } }[name];
  defineProperty(wrapper, "length", { value: original.length });
  hide(object, name, wrapper);
};

// A search may compare every position with the whole pattern, so it costs their product. Convert to
// text once, so that an object cannot be short when measured and long when searched.
const wrapSearch = (name) => {
  const original = String.prototype[name];
  const wrapper = { [name](pattern, second) {
    if (this === null || this === undefined) return apply(original, this, arguments);
    const whole = typeof this === "string" ? this : text(this);
    if (typeof pattern === "object" && pattern !== null) {
      charge(whole.length);
      return apply(original, whole, [pattern, second]);
    }
    const part = typeof pattern === "string" ? pattern : text(pattern);
    charge(whole.length * (part.length + 1));
    if (second === undefined)
      return pattern === undefined ? apply(original, whole, []) : apply(original, whole, [part]);
    return apply(original, whole, [part, second]);
  } }[name];
  defineProperty(wrapper, "length", { value: original.length });
  hide(String.prototype, name, wrapper);
};
for (const name of ["indexOf", "lastIndexOf", "includes", "split", "replace", "replaceAll"])
  wrapSearch(name);

for (const name of ["toLowerCase", "toUpperCase", "toLocaleLowerCase", "toLocaleUpperCase", "trim",
  "trimStart", "trimEnd", "slice", "substring", "substr", "isWellFormed", "toWellFormed", "match",
  "matchAll", "search", "at", "concat"])
  wrap(String.prototype, name, (self) => sized(self));
for (const name of ["startsWith", "endsWith"])
  wrap(String.prototype, name, (_, part) => sized(part));
wrap(String.prototype, "repeat", (self, count) => sized(self) * (count > 0 ? +count : 0) || 0);
for (const name of ["padStart", "padEnd"])
  wrap(String.prototype, name, (self, length) => (length > 0 ? +length : 0) || 0);

// Sorting combining marks takes quadratic time.
for (const name of ["normalize", "localeCompare"]) {
  const original = String.prototype[name];
  const wrapper = { [name](other) {
    const whole = typeof this === "string" ? this : text(this);
    const second = other === undefined ? undefined : text(other);
    const length = whole.length + (second === undefined ? 0 : second.length);
    if (length > NORMALIZE_MAX)
      throw new RangeErrorHere(name + " takes at most " + NORMALIZE_MAX + " characters");
    charge(length * (floor(length / 4) + 8));
    return apply(original, whole, second === undefined ? [] : [second]);
  } }[name];
  hide(String.prototype, name, wrapper);
}

wrap(JSON, "parse", (_, source) => sized(source));
for (const name of ["parseInt", "parseFloat", "encodeURIComponent", "encodeURI",
  "decodeURIComponent", "decodeURI", "escape", "unescape"])
  wrap(global, name, (_, source) => sized(source));
hide(Number, "parseInt", global.parseInt);
hide(Number, "parseFloat", global.parseFloat);
for (const name of ["keys", "values", "entries", "getOwnPropertyNames"]) {
  const original = Object[name];
  const wrapper = { [name]() {
    const made = apply(original, this, arguments);
    charge(made.length * 16);
    return made;
  } }[name];
  hide(Object, name, wrapper);
}
{
  const original = JSON.stringify;
  hide(JSON, "stringify", { stringify(value, replacer, space) {
    const made = original(value, replacer, space);
    charge(sized(made));
    return made;
  } }.stringify);
}
`;

const ARRAY_GUARDS = `
const POSITIONS_MAX = 1000000;
// The number of positions that a native array method may visit. Accepts only arrays and objects
// whose length is an own plain number: others could report one length here and another to the
// method.
const positions = (list) => {
  let length;
  if (isArray(list) || typeof list === "string") length = list.length;
  else if ((typeof list === "object" || typeof list === "function") && list !== null) {
    const own = getOwnPropertyDescriptor(list, "length");
    if (own !== undefined && own.get === undefined) length = own.value;
    if (typeof length !== "number")
      throw new TypeErrorHere("array methods work only on arrays and on objects with a length");
  } else return 0;
  if (length > POSITIONS_MAX)
    throw new RangeErrorHere("a list of " + length + " positions is longer than " + POSITIONS_MAX);
  return length > 0 ? length : 0;
};
const logarithm = (length) => {
  let turns = 1;
  for (; length > 1; length /= 2) turns++;
  return turns;
};

for (const name of ["every", "some", "forEach", "map", "filter", "reduce", "reduceRight", "fill",
  "find", "findIndex", "findLast", "findLastIndex", "indexOf", "lastIndexOf", "includes", "join",
  "toString", "toLocaleString", "shift", "unshift", "reverse", "toReversed", "slice", "splice",
  "toSpliced", "copyWithin", "with"])
  wrap(Array.prototype, name, (self) => positions(self) * 8);
for (const name of ["sort", "toSorted"])
  wrap(Array.prototype, name, (self) => {
    const length = positions(self);
    return length * logarithm(length) * 16;
  });
{
  const original = Array.prototype.concat;
  const spreadable = Symbol.isConcatSpreadable;
  hide(Array.prototype, "concat", { concat() {
    let total = positions(this);
    for (let i = 0; i < arguments.length; i++) {
      const list = arguments[i];
      if (isArray(list)) total += positions(list);
      else if (typeof list === "object" && list !== null && spreadable in list)
        throw new TypeErrorHere("concat joins arrays: Symbol.isConcatSpreadable is not supported");
    }
    charge(total * 8);
    return apply(original, this, arguments);
  } }.concat);
}

// Native flattening does not poll, and a list may contain the same list many times: use JavaScript.
const flatten = (source, into, depth) => {
  const length = positions(source);
  for (let i = 0; i < length; i++) {
    if (!(i in source)) continue;
    const item = source[i];
    if (depth > 0 && isArray(item)) flatten(item, into, depth - 1);
    else defineProperty(into, into.length,
      { value: item, writable: true, enumerable: true, configurable: true });
  }
  return into;
};
hide(Array.prototype, "flat", { flat(depth) {
  const levels = depth === undefined ? 1 : +depth;
  return flatten(this, [], levels > 0 ? levels : 0);
} }.flat);
const mapNatively = Array.prototype.map;
hide(Array.prototype, "flatMap", { flatMap(callback, self) {
  return flatten(apply(mapNatively, this, [callback, self]), [], 1);
} }.flatMap);
`;

/**
 * Converts values that leave a program to JSON text. `JSON.stringify` alone would silently drop or
 * change some values. Functions and collections therefore inherit a `toJSON` that throws and says
 * the fix. If the JSON text contains null, the value is searched for NaN and Infinity. A program
 * that removes these checks loses only the messages.
 */
const PLAIN_VALUES = `
const notPlain = (what, fix) => ({ toJSON() {
  throw new TypeErrorHere(what + " is not plain data: " + fix);
} }).toJSON;
hide(Function_prototype, "toJSON", notPlain("a function", "return what it computes instead"));
hide(Map.prototype, "toJSON", notPlain("a Map", "use Object.fromEntries(map)"));
hide(Set.prototype, "toJSON", notPlain("a Set", "use [...set]"));
hide(RegExp.prototype, "toJSON", notPlain("a RegExp", "use its source text"));
hide(Error.prototype, "toJSON", notPlain("an Error", "use its message"));
hide(Symbol.prototype, "toJSON", notPlain("a Symbol", "use text"));

const WALK_DEPTH_MAX = 64;
const oddNumber = (value, path, depth) => {
  if (typeof value === "number") return isFinite(value) ? undefined : path + " is " + value;
  if (typeof value !== "object" || value === null || depth > WALK_DEPTH_MAX) return undefined;
  const names = isArray(value) ? undefined : keys(value);
  const length = names === undefined ? value.length : names.length;
  for (let i = 0; i < length; i++) {
    const name = names === undefined ? i : names[i];
    const found = oddNumber(value[name], path + (names === undefined ? "[" + i + "]" : "." + name),
      depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
};

// Whether there is such a number at all. Much cheaper than finding its path.
const hasOddNumber = (list, depth) => {
  for (let i = 0; i < list.length; i++) {
    const item = list[i];
    if (typeof item === "number") {
      if (item - item !== 0) return true;
    } else if (typeof item === "object" && item !== null && depth <= WALK_DEPTH_MAX &&
      hasOddNumber(isArray(item) ? item : values(item), depth + 1)) return true;
  }
  return false;
};

// The JSON text of value, or undefined if it has none. Throws if it is not plain data.
const plain = (value, what) => {
  const made = stringify(value);
  if (typeof made !== "string") return undefined;
  if (made.length > 256) port(CHARGE, made.length);
  if (apply(indexOf, made, ["null"]) >= 0 && hasOddNumber([value], 0)) {
    const odd = oddNumber(value, what, 0);
    if (odd !== undefined) throw new TypeErrorHere(odd + ", and numbers in JSON must be finite");
  }
  return made;
};
`;

const KERNEL = `
class KernelError extends ErrorHere {
  constructor(code, message) {
    super(message);
    hide(this, "code", code);
  }
}
hide(KernelError.prototype, "name", "KernelError");
freeze(KernelError.prototype);
freeze(KernelError);

let open = false;
let nowMs = 0;

const requireOpen = (name) => {
  if (!open) throw new KernelError("not_available",
    "kernel." + name + " answers only while a method runs");
};

const ask = (name, list, length) => {
  requireOpen(name);
  let sent = "[";
  for (let i = 0; i < length; i++) {
    let item;
    try {
      item = plain(list[i], "argument " + (i + 1));
    } catch (error) {
      throw new KernelError("invalid_argument", "kernel." + name + ": " + describe(error));
    }
    sent += (i === 0 ? "" : ",") + (item === undefined ? "null" : item);
  }
  const reply = port(SYSCALL, name, sent + "]");
  if (reply[0] !== "!") return parse(reply);
  const refusal = parse(apply(slice, reply, [1]));
  throw new KernelError(refusal.code, refusal.message);
};

const kernel = { __proto__: null };
for (const name of ["random", "balance", "pay", "charge", "give", "notify", "read", "write",
  "invoke", "query", "quota", "create_principal"])
  kernel[name] = { [name]() { return ask(name, arguments, arguments.length); } }[name];
kernel.now = { now() { requireOpen("now"); return nowMs; } }.now;
kernel.log = { log() {
  requireOpen("log");
  let line = "";
  for (let i = 0; i < arguments.length; i++) {
    const item = arguments[i];
    const shown = typeof item === "string" ? item : stringify(item);
    line += (i === 0 ? "" : " ") + (shown === undefined ? text(item) : shown);
  }
  charge(line.length);
  port(LOG, line);
} }.log;
kernel.fail = { fail(code, message) {
  requireOpen("fail");
  port(REJECT, code === undefined ? "failed" : text(code),
    message === undefined ? "" : text(message));
} }.fail;
for (const name of keys(kernel)) freeze(kernel[name]);
setPrototypeOf(kernel, Object.prototype);
freeze(kernel);
`;

/** The function that the host calls to run a method. Each call ends through `port`. */
const ENTRY = `
const shorten = (value) => {
  const whole = typeof value === "string" ? value : "";
  return whole.length > 600 ? apply(slice, whole, [0, 600]) + "..." : whole;
};

// A thrown value is untrusted: reading it may run code of the program, or throw again.
const describe = (thrown) => {
  try {
    if (isError(thrown)) {
      const name = shorten(thrown.name) || "Error";
      const message = shorten(thrown.message);
      if (thrown instanceof KernelError)
        return name + " (" + shorten(thrown.code) + "): " + message;
      return message === "" ? name : name + ": " + message;
    }
    if (typeof thrown === "string") return "the program threw: " + shorten(thrown);
    if (typeof thrown === "symbol" || typeof thrown === "function")
      return "the program threw a " + typeof thrown;
    return "the program threw: " + (shorten(stringify(thrown)) || "undefined");
  } catch (error) {
    return "the program threw a value that cannot be described";
  }
};

const stackOf = (thrown) => {
  try {
    if (!isError(thrown)) return "";
    const own = getOwnPropertyDescriptor(thrown, "stack");
    if (own === undefined || typeof own.value !== "string") return "";
    return apply(slice, own.value, [0, 2000]);
  } catch (error) {
    return "";
  }
};

const kernelErrorOf = (thrown) => {
  try {
    if (!isError(thrown) || !(thrown instanceof KernelError)) return "";
    const code = getOwnPropertyDescriptor(thrown, "code");
    const message = getOwnPropertyDescriptor(thrown, "message");
    return stringify({ code: shorten(code.value), message: shorten(message.value) });
  } catch (error) {
    return "";
  }
};

const broken = (thrown, prefix) =>
  port(BREAK, prefix + describe(thrown), stackOf(thrown), kernelErrorOf(thrown));

const deepFreeze = (value) => {
  if (typeof value !== "object" || value === null) return value;
  const names = keys(value);
  for (let i = 0; i < names.length; i++) deepFreeze(value[names[i]]);
  return freeze(value);
};

const set = (name, value, writable) => {
  if (!defineProperty(global, name, { value, writable, enumerable: true }))
    throw new TypeErrorHere("the program replaced the global " + name);
};

// Not configurable, so that a program cannot declare its own "let state", which would not be kept.
// Writable until a call sets them; then all but the state are fixed.
hide(global, "KernelError", KernelError);
for (const name of ["state", "self", "caller", "origin", "attached", "kernel"])
  defineProperty(global, name,
    { value: undefined, writable: true, enumerable: true, configurable: false });
set("kernel", kernel, false);

const builtIn = { __proto__: null };
for (const name of getOwnPropertyNames(global)) builtIn[name] = global[name];
const methods = { __proto__: null };
const METHODS_MAX = 1000;
const METHOD_NAME_MAX = 128;

// Without promises the engine turns an async function into an object that cannot be called.
const isAsync = (value) => {
  if (typeof value !== "object" || value === null || getPrototypeOf(value) !== null) return false;
  const length = getOwnPropertyDescriptor(value, "length");
  return length !== undefined && !length.enumerable && typeof value.name === "string";
};

// The functions that the program defined at its top level, in its order. The host passes the names
// and values of its const and let functions, which no object lists.
const adopt = (values, names) => {
  let list = "";
  let count = 0;
  const add = (name, value) => {
    if (isAsync(value)) throw new TypeErrorHere(name +
      " is async: drop async and await, kernel functions return at once");
    if (typeof value !== "function" || name[0] === "_" || methods[name] !== undefined) return;
    if (getPrototypeOf(value) === Generator_prototype || name.length > METHOD_NAME_MAX) return;
    count += 1;
    if (count > METHODS_MAX) throw new RangeErrorHere("a program has at most 1000 methods");
    methods[name] = value;
    list += (list === "" ? "" : ",") + stringify(name);
  };
  try {
    const own = getOwnPropertyNames(global);
    for (let i = 0; i < own.length; i++) {
      if (own[i] in builtIn && global[own[i]] === builtIn[own[i]]) continue;
      const property = getOwnPropertyDescriptor(global, own[i]);
      if (property.get === undefined) add(own[i], property.value);
    }
    for (let i = 0; i < names.length; i++)
      if (!(names[i] in builtIn)) add(names[i], values[i]);
  } catch (error) {
    return broken(error, "");
  }
  return "[" + list + "]";
};

const run = (method, inputText, stateText) => {
  let value;
  let result;
  let after;
  try {
    const input = parse(inputText);
    nowMs = input.now;
    set("self", deepFreeze(input.self), false);
    set("caller", input.caller, false);
    set("origin", input.origin, false);
    set("attached", deepFreeze(input.attached), false);
    set("state", parse(stateText), true);
    open = true;
    value = apply(methods[method], undefined, isArray(input.args) ? input.args : []);
  } catch (error) {
    open = false;
    return broken(error, "");
  }
  open = false;
  try {
    result = plain(value, "result");
    if (result === undefined) result = "null";
  } catch (error) {
    return broken(error, "the result of " + method + " cannot be returned: ");
  }
  try {
    after = plain(global.state, "state");
    if (after === undefined) throw new TypeErrorHere("state is undefined");
  } catch (error) {
    return broken(error, "the state cannot be kept: ");
  }
  return port(FINISH, result, after === stateText ? undefined : after);
};

// The number of arguments selects what to do.
return function (first, second, third) {
  if (arguments.length === 3) return run(first, second, third);
  if (arguments.length === 2) return adopt(first, parse(second));
  return broken(first, "");
};
`;

/**
 * JavaScript that runs in the engine before any program. It is text, because its exact bytes decide
 * the memory layout of the engine.
 *
 * In the prelude, use built-in functions only through the names in `PRIMORDIALS`, because a program
 * may replace any built-in. A program must not get internal objects such as `port` or `methods`.
 */
export const PRELUDE = `(function (port) {
"use strict";
const ${PORT_CONSTANTS};
${PRIMORDIALS}
${HARDENING}
${TEXT_GUARDS}
${ARRAY_GUARDS}
${PLAIN_VALUES}
${KERNEL}
${ENTRY}
})`;
