/** The function that the host calls to run a method. Each call ends through `port`. */
export const ENTRY = `
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
