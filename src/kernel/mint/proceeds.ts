import type { Event } from "../event.ts";
import type { Id } from "../ids.ts";
import { rootOf } from "../lineage.ts";
import { liveTotal } from "../rate-tracker.ts";
import { liveArtifact, physicsOf, type State } from "../state.ts";
import type { Submission } from "./submission.ts";

/**
 * What a winner pays goes in equal parts to the families that have an agent which acted in the last
 * rolling window, but for the payer's own. What cannot be divided, or has nobody to go to, is
 * burned.
 */
export const shareOut = (state: State, atMs: number, paid: Submission): readonly Event[] => {
  const { hold, price, artifact: artifact_id } = paid;
  const roots = familiesAt(state, atMs).filter((root) => root !== rootOf(state, paid.bidder));
  const share = roots.length === 0 ? 0 : Math.floor(price / roots.length);
  const stamp = { at_ms: atMs, principal: null, kind: "hold_spent", hold, artifact_id } as const;
  const parts = share === 0 ? [] : roots;
  const rest = price - share * parts.length;
  const shares = parts.map((to): Event => ({ ...stamp, to, amount: share, reason: "mint_share" }));
  const burned: Event = { ...stamp, to: null, amount: rest, reason: "burned" };
  return rest === 0 ? shares : [...shares, burned];
};

/** The roots of families that share, in the order of their ids. */
const familiesAt = (state: State, atMs: number): readonly Id[] => {
  if (physicsOf(state).mint.proceeds === "burn") return [];
  const roots = new Set<Id>();
  for (const { id } of state.agents.rows()) {
    if (countsAt(state, id, atMs)) roots.add(rootOf(state, id));
  }
  return [...roots].sort();
};

/** An agent that acts makes its family share, unless it was spawned only just now. */
const countsAt = (state: State, id: Id, atMs: number): boolean => {
  const { mint, resources } = physicsOf(state);
  const usage = state.usages.get(id);
  if (usage === undefined) return false;
  if (liveTotal(usage.actions, atMs, resources.window_ms) === 0) return false;
  const spawned = (state.accounts.get(id)?.parent ?? null) !== null;
  const bornAtMs = liveArtifact(state, id)?.createdAt ?? atMs;
  return !spawned || atMs - bornAtMs >= mint.newcomer_ms;
};
