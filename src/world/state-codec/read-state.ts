import { firstLineOf, isObject, type State } from "../../kernel/index.ts";
import { decodeState, type EncodedState, STATE_VERSION } from "./state-codec.ts";
import { tablesFault } from "./table-shapes.ts";

export type StateRead =
  | { readonly ok: true; readonly state: State }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a state from its text, or from its text as parsed. It never throws: what is not a state is
 * refused with the reason. The caller checks the hash, and `validateState` whether the rows agree
 * with each other.
 */
export const readState = (source: unknown): StateRead => {
  try {
    return decoded(typeof source === "string" ? JSON.parse(source) : source);
  } catch (error) {
    return { ok: false, problem: `the state cannot be read: ${firstLineOf(error)}; ${CURE}` };
  }
};

const CURE = "use an unchanged copy of it";

const decoded = (value: unknown): StateRead => {
  if (isEncoded(value)) return { ok: true, state: decodeState(value) };
  const why = isObject(value) ? (versionProblem(value) ?? tablesFault(value)) : "it is no record";
  return { ok: false, problem: `this is not the state of a world: ${why}; ${CURE}` };
};

const versionProblem = ({ version }: Readonly<Record<string, unknown>>): string | null =>
  version === STATE_VERSION
    ? null
    : `it has version ${JSON.stringify(version ?? null)}, and this program reads ${STATE_VERSION}`;

const isEncoded = (document: unknown): document is EncodedState =>
  isObject(document) && versionProblem(document) === null && tablesFault(document) === null;
