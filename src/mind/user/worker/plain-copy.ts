const DEPTH_MAX = 64;

type Plain =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/**
 * Copies lists and plain objects, without the keys whose value is undefined. Refuses everything
 * else that JSON does not have, such as a `Map`. A proxy or a getter can throw.
 */
export const plainCopy = (given: unknown, path = "", depth = DEPTH_MAX): Plain => {
  if (given === null || given === undefined) return { ok: true, value: given };
  if (typeof given === "number" && !Number.isFinite(given)) return not(path, `not ${given}`);
  if (typeof given !== "object") {
    const isPlain = ["number", "string", "boolean"].includes(typeof given);
    return isPlain ? { ok: true, value: given } : not(path, `not a ${typeof given}`);
  }
  if (depth <= 0) return not("", `nested at most ${DEPTH_MAX} levels deep`);
  if (Array.isArray(given)) return listCopy(given, path, depth);
  const prototype: unknown = Object.getPrototypeOf(given);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return not(path, `not a ${given.constructor?.name ?? "made object"}`);
  }
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(given)) {
    if (item === undefined) continue;
    const inner = plainCopy(item, path === "" ? key : `${path}.${key}`, depth - 1);
    if (!inner.ok) return inner;
    Object.defineProperty(copy, key, { value: inner.value, enumerable: true, writable: true });
  }
  return { ok: true, value: copy };
};

const listCopy = (given: readonly unknown[], path: string, depth: number): Plain => {
  const copy: unknown[] = [];
  for (const [at, item] of given.entries()) {
    const inner = plainCopy(item, `${path}[${at}]`, depth - 1);
    if (!inner.ok) return inner;
    if (inner.value === undefined) return not(`${path}[${at}]`, "not undefined");
    copy.push(inner.value);
  }
  return { ok: true, value: copy };
};

const not = (path: string, what: string): Plain => {
  const rule = what.startsWith("not ") ? `must be plain data, ${what}` : `must be ${what}`;
  return { ok: false, problem: path === "" ? `it ${rule}` : `\`${path}\` ${rule}` };
};
