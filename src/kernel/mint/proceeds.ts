import { rootOf } from "../artifact/owners.ts";
import { liveArtifact } from "../artifact/tables.ts";
import type { Id } from "../core/ids.ts";
import type { ProceedsUse } from "../core/physics.ts";
import { physicsOf, worldRow } from "../core/world.ts";
import { liveTotal } from "../ledger/rolling-window.ts";
import type { MintEvent } from "./events.ts";
import type { MintTables } from "./mint.ts";

/**
 * Returns the events that share or burn what buyers `paid` at one moment. The scrip is already part
 * of the undistributed proceeds. The family of `payer` gets no share; null: all get one. Each active family gets an equal share in whole
 * scrip, paid to its root. The remainder, and everything if no family is active, stays
 * undistributed until the next sharing, so a sharing never burns scrip.
 */
export const sharingOf = (
  state: MintTables,
  atMs: number,
  paid: number,
  use: ProceedsUse,
  payer: Id | null,
): readonly MintEvent[] => {
  const stamp = { at_ms: atMs, principal: null };
  if (use === "burn") {
    return paid === 0 ? [] : [{ ...stamp, kind: "proceeds_burned", amount: paid }];
  }
  const payerRoot = payer === null ? null : rootOf(state, payer);
  const roots = activeFamilies(state, atMs).filter((root) => root !== payerRoot);
  const total = worldRow(state).undistributed + paid;
  const amount = roots.length === 0 ? 0 : Math.floor(total / roots.length);
  if (amount === 0) return [];
  const of_price = payer === null ? 0 : Math.floor(paid / roots.length);
  return roots.map(
    (to): MintEvent => ({ ...stamp, kind: "proceeds_shared", to, amount, payer, of_price }),
  );
};

const activeFamilies = (state: MintTables, atMs: number): readonly Id[] => {
  const roots = new Set<Id>();
  for (const { id } of state.agents.rows()) {
    if (isActive(state, id, atMs)) roots.add(rootOf(state, id));
  }
  return [...roots].sort();
};

/** True if the agent acted in the last window and is not a newcomer. Its family is then active. */
const isActive = (state: MintTables, id: Id, atMs: number): boolean => {
  const { mint, resources } = physicsOf(state);
  const usage = state.usages.get(id);
  if (usage === undefined) return false;
  if (liveTotal(usage.actions, atMs, resources.window_ms) === 0) return false;
  const spawned = (state.accounts.get(id)?.parent ?? null) !== null;
  const createdAtMs = liveArtifact(state, id)?.createdAt ?? atMs;
  return !spawned || atMs - createdAtMs >= mint.newcomer_ms;
};
