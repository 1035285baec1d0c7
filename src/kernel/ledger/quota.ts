import type { Id } from "../primitives/ids.ts";
import { must } from "../primitives/invariant.ts";
import { type PerResource, perResource, type Resource } from "../setup/physics.ts";
import { physicsOf, type State } from "../state.ts";
import type { QuotaName } from "./account.ts";
import { available } from "./rolling-window.ts";

export type Left = { readonly quota: number; readonly available: number };
export type WindowsLeft = PerResource<Left>;

export const windowsLeft = (state: State, id: Id, now: number): WindowsLeft =>
  perResource((resource) => windowLeft(state, id, { resource, now }));

export const windowLeft = (
  state: State,
  id: Id,
  { resource, now }: { readonly resource: Resource; readonly now: number },
): Left => {
  const account = must(state.accounts.get(id), "a principal must have an account");
  const usage = must(state.usages.get(id), "a principal must have windows");
  const quota = account.quotas[resource];
  const windowMs = physicsOf(state).resources.window_ms;
  return { quota, available: available(usage[resource], { now, windowMs, quota }) };
};

/** Returns the unused part of a disk or window quota. Only the unused part can be transferred. */
export const unusedQuota = (
  state: State,
  id: Id,
  { name, now }: { readonly name: QuotaName; readonly now: number },
): number => {
  const account = state.accounts.get(id);
  if (account === undefined) return 0;
  if (name === "disk") return account.diskQuota - account.diskUsed;
  return windowLeft(state, id, { resource: name, now }).available;
};
