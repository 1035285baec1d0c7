/** How deep lists and objects may lie inside each other in what programs return, keep and send. */
export const DEPTH_MAX = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;
const COLON = 0x3a;
const LETTER_U = 0x75;

const PROTO_KEY = Buffer.from('"__proto__":');

/**
 * What is wrong with JSON text that the engine made, or null. Takes UTF-8 as `JSON.stringify`
 * writes it: without spaces, and with `\u` escapes only for lone surrogates and control characters.
 */
export const plainTextProblem = (json: Uint8Array): string | null => {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = endOfText(json, at);
      if (typeof end === "string") return end;
      if (end - at === PROTO_KEY.length - 2 && json[end + 1] === COLON && isProtoKey(json, at)) {
        return 'the key "__proto__" is not allowed';
      }
      at = end;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > DEPTH_MAX) return `it is nested more than ${DEPTH_MAX} levels deep`;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  return null;
};

/** The index of the closing quote of the text that opens at `start`, or what is wrong with it. */
const endOfText = (json: Uint8Array, start: number): number | string => {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) {
    if (json[at] === BACKSLASH) {
      if (json[at + 1] === LETTER_U) {
        const problem = escapeProblem(json, at + 2);
        if (problem !== null) return problem;
      }
      at += 1;
    }
    at += 1;
  }
  return at;
};

const escapeProblem = (json: Uint8Array, at: number): string | null => {
  const unit = Number.parseInt(String.fromCharCode(...json.subarray(at, at + 4)), 16);
  if (unit === 0) return "text must not hold the character NUL";
  if (unit >= 0xd800) return "text must be well-formed Unicode (it has a lone surrogate)";
  return null;
};

const isProtoKey = (json: Uint8Array, at: number): boolean =>
  PROTO_KEY.every((byte, index) => json[at + index] === byte);
