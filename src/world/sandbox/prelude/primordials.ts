/** The built-in functions that the prelude uses, taken before any program can change them. */
export const PRIMORDIALS = `
const CHARGE = 0, LOG = 1, SYSCALL = 2, FINISH = 3, REJECT = 4, BREAK = 5;
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
