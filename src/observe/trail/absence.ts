import { asId, decodeEvent } from "../../kernel/index.ts";
import { didYouMean } from "../../mind/index.ts";
import { type Journal, type JournalRow, restore } from "../../world/index.ts";
import type { TrailWish } from "./money-trail.ts";

/** The last event that the journal can tell the state after, and everybody known up to there. */
type Known = { readonly seq: number; readonly ids: readonly string[] };

/** Why there is no money of one to tell of, in one line, with what helps against it. */
export const absenceOf = (journal: Journal, wish: TrailWish, { seq, ids }: Known): string => {
  const { principal, run } = wish;
  const arrival = arrivalAfter(journal, principal, seq);
  if (arrival !== null) {
    const came = `it came with event ${arrival.seq}, at ${arrival.atMs / 1_000} s`;
    return `"${principal}" was not there yet at event ${seq}; ${came}`;
  }
  const cured = (problem: string, cure: string | null): string =>
    cure === null ? problem : `${problem}; ${cure}`;
  const artifact = restore(journal, { upTo: seq }).state.artifacts.get(asId(principal));
  if (artifact === undefined) {
    const list = run === undefined ? null : `\`sim state ${run}\` lists who has an account`;
    return cured(`nobody in this run is called "${principal}"`, didYouMean(principal, ids) ?? list);
  }
  const { id, owner } = artifact;
  const earns = owner === id ? "no scrip is its own" : `what it earns is its owner's, ${owner}`;
  const problem = `"${id}" is an artifact without an account: ${earns}`;
  return cured(problem, run === undefined ? null : `\`sim artifact ${run} ${id}\` tells of it`);
};

/** The event with which an account was opened for the first time, where that is a later one. */
const arrivalAfter = (journal: Journal, principal: string, after: number): JournalRow | null => {
  for (const row of journal.events({ after, kind: "principal_created" })) {
    const event = decodeEvent(row);
    if (event.kind === "principal_created" && event.id === principal) return row;
  }
  return null;
};
