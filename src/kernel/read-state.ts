import { decodeState, type EncodedState, STATE_VERSION } from "./codec.ts";
import { isObject } from "./json.ts";
import { tablesFault } from "./shapes/index.ts";
import type { State } from "./state.ts";
import { firstLineOf } from "./thrown.ts";
import { type Upcasts, upcastDocument } from "./upcast.ts";

export type StateRead =
  | { readonly ok: true; readonly state: State }
  | { readonly ok: false; readonly problem: string };

/** Empty as long as there has been one version only. */
const UPCASTS: Upcasts = new Map();

/**
 * A state from its text, or from its text as parsed, of this version or of an older one. What is
 * no state, or one of a version that this program does not know, is refused with the reason; it
 * never throws. Whether it is the state that it is taken for, its hash tells; whether its rows
 * agree with each other, `whyUnsound`.
 */
export const readState = (source: unknown, table: Upcasts = UPCASTS): StateRead => {
  try {
    return decoded(typeof source === "string" ? JSON.parse(source) : source, table);
  } catch (error) {
    return { ok: false, problem: `the state cannot be read: ${firstLineOf(error)}; ${CURE}` };
  }
};

const CURE = "use an unchanged copy of it";

const decoded = (value: unknown, table: Upcasts): StateRead => {
  const from = isObject(value) ? value.version : undefined;
  if (typeof from !== "number" || !Number.isSafeInteger(from)) {
    return { ok: false, problem: `this is no state of a world: it names no version; ${CURE}` };
  }
  const upcasted = upcastDocument({ document: value, from, to: STATE_VERSION, table });
  if (!upcasted.ok) return { ok: false, problem: `the state ${upcasted.problem}` };
  const { document } = upcasted;
  if (isEncoded(document)) return { ok: true, state: decodeState(document) };
  const why = isObject(document) ? tablesFault(document) : "it is no record";
  return { ok: false, problem: `this is no state of a world: ${why}; ${CURE}` };
};

const isEncoded = (document: unknown): document is EncodedState =>
  isObject(document) && tablesFault(document) === null;
