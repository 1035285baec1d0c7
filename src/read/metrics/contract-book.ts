import { genesisId, isObject, type Json, liveArtifact, type State } from "../../kernel/index.ts";
import { decodeJson } from "../../world/index.ts";

/** A line in the books that a contract keeps in its state, such as a listing of the escrow. */
export type BookLine = { readonly [name: string]: Json };

/** The state of a genesis contract, or an empty object if the world does not have the contract. */
export const bookOf = (state: State, name: string): BookLine => {
  const kept = liveArtifact(state, genesisId(name))?.state;
  const book = kept === undefined ? null : decodeJson(kept);
  return isObject(book) ? book : {};
};

export const linesIn = (list: Json | undefined): readonly BookLine[] =>
  listIn(list).filter((line): line is BookLine => isObject(line));

export const listIn = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? value : [];
