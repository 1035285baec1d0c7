import {
  type Event,
  genesisName,
  isList,
  isObject,
  isReserved,
  type Json,
  jsonIn,
  memoryIds,
} from "../../kernel/index.ts";
import { descriptionOf, type Narrative } from "../describe/event-descriptions.ts";
import type { AgentMoment, ArtifactWrite } from "./agent-moment.ts";
import type { IterationEnd } from "./iteration.ts";

/** What an action affected, by its target and the events of its transaction. */
export const affectedBy = (
  events: readonly Event[],
  target: string | null,
  end: IterationEnd,
  decided: Json,
): Pick<AgentMoment, "things" | "narratives" | "written"> => {
  const things = new Set(events.flatMap((event) => descriptionOf(event)?.things?.(event) ?? []));
  if (target !== null) things.add(target);
  const called = end.kind === "thought_failed" || end.method === null ? null : end;
  const votes = target === VOTING && called !== null ? voteIn(decided, called.result) : [];
  return {
    things: [...things].filter((id) => spaceOf(id) === null),
    narratives: [
      ...events.flatMap((event) => descriptionOf(event)?.narratives?.(event) ?? []),
      ...votes,
    ],
    written: events.flatMap(writeIn),
  };
};

const VOTING = "genesis_voting";

/** The proposal of a vote: an argument of the call, or the answer to a new proposal. */
const voteIn = (decided: Json, result: string | null): readonly Narrative[] => {
  const call = isObject(decided) ? (decided.invoke_artifact ?? null) : null;
  const args = isObject(call) && isList(call.args ?? null) ? call.args : [];
  const given = isList(args) ? (args[0] ?? null) : null;
  const answer = result === null ? null : jsonIn(result);
  const made = isObject(answer) ? (answer.proposal_id ?? null) : null;
  const id = [made, given].find((each) => typeof each === "string" && PROPOSAL.test(each));
  return typeof id === "string" ? [{ kind: "proposal", id }] : [];
};

const PROPOSAL = /^proposal_\d+$/;

const writeIn = (event: Event): readonly ArtifactWrite[] => {
  if (event.kind !== "artifact_written") return [];
  const { artifact_id: artifact, version, created, fields } = event;
  const content = created || fields.code !== undefined || fields.content !== undefined;
  return [{ artifact, version, created, content, depends_on: fields.depends_on ?? [] }];
};

/** The space that a genesis artifact is: `mint` for `genesis_mint`. Null for all others. */
const spaceOf = (id: string): string | null => {
  const name = genesisName(id);
  return name === id ? null : name;
};

export const MARKET = "market";

/**
 * Where an action happened: at a genesis contract, in the handbook, at the market, or in the
 * workspace of the agent, which is also where it writes and where its own artifacts are.
 */
export const placeOf = (
  action: string,
  target: string | null,
  actor: string,
  owner: string | null,
): string => {
  const isInside = target === null || action === "write_artifact" || owner === actor;
  if (isInside) return memoryIds(actor).workspace;
  return spaceOf(target) ?? (isReserved(target) ? "handbook" : MARKET);
};
