import {
  genesisName,
  isList,
  isObject,
  isReserved,
  type Json,
  jsonIn,
  memoryIds,
} from "../../kernel/index.ts";
import type { SeqEvent } from "../trail/past-events.ts";
import type { IterationEnd } from "./iteration.ts";
import type { LifeMoment, Narrative, Written } from "./life-moment.ts";

/** What an action touched, as its target and the events of its transaction tell it. */
export type Touched = Pick<LifeMoment, "things" | "narratives" | "written">;

export const touchedBy = (
  { events, target }: { readonly events: readonly SeqEvent[]; readonly target: string | null },
  end: IterationEnd,
  decided: Json,
): Touched => {
  const { method, result } = end.kind === "thought_failed" ? NO_ACTION : end;
  const things = new Set<string>(events.flatMap(thingsIn));
  if (target !== null) things.add(target);
  const vote = target === VOTING && method !== null ? voteIn(decided, result) : [];
  return {
    things: [...things].filter((id) => spaceOf(id) === null),
    narratives: [...events.flatMap(narrativesIn), ...vote],
    written: events.flatMap(writtenIn),
  };
};

const NO_ACTION = { method: null, result: null };

const VOTING = "genesis_voting";

const thingsIn = (event: SeqEvent): readonly string[] => {
  switch (event.kind) {
    case "artifact_written":
      return [event.artifact_id, ...(event.fields.depends_on ?? [])];
    case "artifact_read":
    case "artifact_deleted":
    case "artifact_invoked":
    case "invocation_failed":
    case "ownership_transferred":
    case "bid_placed":
    case "task_solved":
      return [event.artifact_id];
    default:
      return [];
  }
};

const narrativesIn = (event: SeqEvent): readonly Narrative[] => {
  switch (event.kind) {
    case "task_posted":
    case "task_solved":
    case "task_withdrawn":
      return [{ kind: "task", id: event.task }];
    case "message_sent":
      return [threadNarrative(event.thread)];
    default:
      return [];
  }
};

export const threadNarrative = (thread: number): Narrative => {
  return { kind: "thread", id: String(thread) };
};

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

const writtenIn = (event: SeqEvent): readonly Written[] => {
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
const HANDBOOK = "handbook";

export const workspaceOf = (agent: string): string => memoryIds(agent).workspace;

/**
 * Where an action happened: at a genesis contract, in the handbook, at the market, or in the
 * workspace of the agent, which is also where it writes and where its own artifacts are.
 */
export const placeOf = (
  { action, target }: Pick<LifeMoment, "action" | "target">,
  actor: string,
  owner: string | null,
): string => {
  const own = workspaceOf(actor);
  if (target === null || action === "write_artifact" || owner === actor) return own;
  return spaceOf(target) ?? (isReserved(target) ? HANDBOOK : MARKET);
};
