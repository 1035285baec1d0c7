import { hash } from "node:crypto";
import { canonical, encodeState, type State } from "../kernel/index.ts";
import type { Journal } from "./journal/index.ts";

/** The state as canonical text: what is hashed is what is kept. */
export const stateText = (state: State): string => canonical(encodeState(state));

/** Of the text of a state. */
export const bodyHash = (body: string): string => hash("sha256", body);

export const stateHash = (state: State): string => bodyHash(stateText(state));

/** Keeps the whole state in the journal, as it is after its last event. Returns the hash. */
export const takeSnapshot = (journal: Journal, state: State): string => {
  const body = stateText(state);
  const hashed = bodyHash(body);
  journal.saveSnapshot({ seq: journal.head().seq, stateHash: hashed, body });
  return hashed;
};
