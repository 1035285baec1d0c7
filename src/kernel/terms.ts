import { authorize } from "./access.ts";
import type { Artifact } from "./artifact.ts";
import { accept, type Decision, type Refused, refuse } from "./decision.ts";
import type { Event, WrittenFields } from "./event.ts";
import { type Id, isReserved } from "./ids.ts";
import { paid, unaffordable } from "./payment.ts";
import type { Permit } from "./permit.ts";
import { find } from "./read.ts";
import type { State } from "./state.ts";
import { type Subject, stamp } from "./subject.ts";
import { accessProblem } from "./write.ts";

/** What the owner alone decides about an artifact, whatever its contract says. */
export type Terms = {
  readonly price?: number;
  readonly read_price?: number;
  readonly access?: Id;
};

export const decideTerms = (
  state: State,
  request: { readonly by: Subject; readonly artifact: Id; readonly terms: Terms },
): Decision => {
  const { by, terms } = request;
  const found = find(state, request.artifact);
  if (found.kind !== "accepted") return found;
  const artifact = found.answer;
  if (artifact.owner !== by.actor) {
    return refuse("not_owner", `${by.actor} does not own ${artifact.id}; ${artifact.owner} does`);
  }
  if (terms.access !== undefined && artifact.accessLocked) {
    return refuse("not_authorized", `the access of ${artifact.id} is locked for good`);
  }
  const unknown = terms.access === undefined ? null : accessProblem(state, terms.access);
  if (unknown !== null) return unknown;
  const fields: WrittenFields = terms;
  const event: Event = {
    ...stamp(by),
    kind: "artifact_written",
    artifact_id: artifact.id,
    by: by.actor,
    owner: artifact.owner,
    created: false,
    version: artifact.version + 1,
    size_bytes: artifact.sizeBytes,
    fields,
  };
  return accept([event], { artifact: artifact.id, ...terms });
};

/** exists → not the world's → permitted → holds nothing → not running. */
export const decideDelete = (
  state: State,
  request: { readonly by: Subject; readonly artifact: Id; readonly permit?: Permit },
): Decision => {
  const { by, permit } = request;
  const found = find(state, request.artifact);
  if (found.kind !== "accepted") return found;
  const artifact = found.answer;
  if (isReserved(artifact.id)) {
    return refuse("not_authorized", `${artifact.id} belongs to the world and cannot be deleted`);
  }
  const access = authorize(state, { by, verb: "delete", artifact }, permit);
  if (access.kind !== "granted") return access;
  const refused = stillNeeded(state, by, artifact) ?? unaffordable(state, access.toll);
  if (refused !== null) return refused;
  const event: Event = {
    ...stamp(by),
    kind: "artifact_deleted",
    artifact_id: artifact.id,
    by: by.actor,
  };
  const events = [...access.events, ...paid(by, access.toll), event];
  return accept(events, { artifact: artifact.id, freed_bytes: artifact.sizeBytes });
};

const stillNeeded = (state: State, by: Subject, artifact: Artifact): Refused | null => {
  if (by.stack.includes(artifact.id)) {
    return refuse("not_empty", `${artifact.id} is running in this call`);
  }
  if (artifact.canExecute) return refuse("not_empty", `${artifact.id} is an agent`);
  const agent = state.artifacts.get(artifact.owner);
  if (agent?.memoryArtifactId === artifact.id) {
    return refuse("not_empty", `${artifact.id} is the memory of ${artifact.owner}`);
  }
  const account = state.accounts.get(artifact.id);
  if (account === undefined) return null;
  if (account.owned > 0) {
    return refuse("not_empty", `${artifact.id} owns ${account.owned} artifacts`);
  }
  const balance = account.scrip + account.held + account.llmBudgetMicros;
  return balance === 0 ? null : refuse("not_empty", `${artifact.id} still holds money`);
};
