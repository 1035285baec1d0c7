/**
 * Converts values that leave a program to JSON text. `JSON.stringify` alone would silently drop or
 * change some values. Functions and collections therefore inherit a `toJSON` that throws and says
 * the fix. If the JSON text contains null, the value is searched for NaN and Infinity. A program
 * that removes these checks loses only the messages.
 */
export const PLAIN_VALUES = `
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

export const KERNEL = `
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
