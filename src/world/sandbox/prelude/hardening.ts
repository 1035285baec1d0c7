/** The built-in functions that the prelude uses, captured before a program can replace them. */
export const PRIMORDIALS = `
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
export const HARDENING = `
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
