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
export const TEXT_GUARDS = `
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

export const ARRAY_GUARDS = `
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
