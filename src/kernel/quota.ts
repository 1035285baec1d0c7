import { type QuotaName, quotaOf } from "./account.ts";
import type { Id } from "./ids.ts";
import { available } from "./rate-tracker.ts";
import { physicsOf, type State } from "./state.ts";

/**
 * What of a quota is not in use: free disk, and window quota not yet spent. Only that can be given
 * away.
 */
export const unusedQuota = (
  state: State,
  id: Id,
  { name, now }: { readonly name: QuotaName; readonly now: number },
): number => {
  const account = state.accounts.get(id);
  const usage = state.usages.get(id);
  if (account === undefined || usage === undefined) return 0;
  if (name === "disk") return account.diskQuota - account.diskUsed;
  const windowMs = physicsOf(state).resources.window_ms;
  return available(usage[name], { now, windowMs, quota: quotaOf(account, name) });
};
