/**
 * Values on their way out become JSON text. The native `JSON.stringify` does the work; what it
 * would drop or change without a word is made to fail with a message that teaches: functions and
 * collections through a `toJSON` on their prototypes, NaN and Infinity by a walk that is taken only
 * when the text holds a null. A program that undoes this only blinds itself.
 */
export const PLAIN_VALUES = `
const notPlain = (what, cure) => ({ toJSON() {
  throw new TypeErrorHere(what + " is not plain data: " + cure);
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

// Whether there is such a number at all: without words for the place, which is far cheaper.
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

// JSON text of value, or undefined where JSON has none. Throws when it is not plain data.
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
