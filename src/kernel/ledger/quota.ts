import { type Refused, refuse } from "../core/decision.ts";
import { must } from "../core/errors.ts";
import type { Id } from "../core/ids.ts";
import { type PerResource, perResource, RESOURCES, type Resource } from "../core/physics.ts";
import { physicsOf, worldRow } from "../core/world.ts";
import type { LedgerTables, QuotaName } from "./account.ts";
import { available, timeUntilAvailable } from "./rolling-window.ts";
import type { Subject } from "./subject.ts";

type Left = { readonly quota: number; readonly available: number };
export type WindowsLeft = PerResource<Left>;

export const windowsLeft = (state: LedgerTables, id: Id, now: number): WindowsLeft =>
  perResource((resource) => windowLeft(state, id, resource, now));

export const windowLeft = (state: LedgerTables, id: Id, resource: Resource, now: number): Left => {
  const account = must(state.accounts.get(id), "a principal must have an account");
  const usage = must(state.usages.get(id), "a principal must have windows");
  const quota = account.quotas[resource];
  const windowMs = physicsOf(state).resources.window_ms;
  return { quota, available: available(usage[resource], { now, windowMs, quota }) };
};

/** Returns the unused part of a disk or window quota. Only the unused part can be transferred. */
export const unusedQuota = (state: LedgerTables, id: Id, name: QuotaName, now: number): number => {
  const account = state.accounts.get(id);
  if (account === undefined) return 0;
  if (name === "disk") return account.diskQuota - account.diskUsed;
  return windowLeft(state, id, name, now).available;
};

/**
 * Returns a resource with less left than needed, with the wait in ms. Null if none. Prefers a
 * resource whose quota is too small. For such a resource the wait is null.
 */
export const scarceResource = (
  state: LedgerTables,
  id: Id,
  need: { readonly now: number; readonly amounts: { readonly [R in Resource]?: number } },
) => {
  const account = must(state.accounts.get(id), "a principal must have an account");
  const usage = must(state.usages.get(id), "a principal must have windows");
  const windowMs = worldRow(state).physics.resources.window_ms;
  const lacks = RESOURCES.flatMap((resource) => {
    const amount = need.amounts[resource] ?? 0;
    const rate = { now: need.now, windowMs, quota: account.quotas[resource] };
    const waitMs = amount === 0 ? 0 : timeUntilAvailable(usage[resource], amount, rate);
    return waitMs === 0 ? [] : [{ resource, amount, waitMs }];
  });
  return lacks.find(({ waitMs }) => waitMs === null) ?? lacks[0] ?? null;
};

/**
 * Refuses to write `bytes` if the origin's window of written bytes has fewer left. `bytesSpent` are
 * those of earlier writes of the same action.
 */
export const windowRefusal = (
  state: LedgerTables,
  by: Subject,
  bytes: number,
  bytesSpent: number,
): Refused | null => {
  const usage = state.usages.get(by.origin)?.bytes_written;
  const quota = state.accounts.get(by.origin)?.quotas.bytes_written ?? 0;
  if (usage === undefined) return null;
  const windowMs = physicsOf(state).resources.window_ms;
  const left = available(usage, { now: by.atMs, windowMs, quota }) - bytesSpent;
  if (bytes <= left) return null;
  const data = { required: bytes, available: Math.max(0, left) };
  const window = `${windowMs / 1_000} s`;
  if (bytes > quota) {
    const may = `${by.origin} may write ${quota} in ${window}; write less, or get more quota`;
    return refuse("quota_exceeded", `this writes ${bytes} bytes, but ${may}`, data);
  }
  const may = `${by.origin} has ${data.available} left in this window of ${window}`;
  return refuse("rate_limited", `this writes ${bytes} bytes, but ${may}`, data);
};

/** Refuses to add `adds` bytes if the owner's disk quota has fewer bytes free. */
export const diskRefusal = (
  state: LedgerTables,
  owner: Id,
  adds: number,
  what: string,
): Refused | null => {
  const account = state.accounts.get(owner);
  if (account === undefined || adds <= 0) return null;
  const free = account.diskQuota - account.diskUsed;
  if (adds <= free) return null;
  return refuse(
    "insufficient_disk",
    `${what} needs ${adds} more bytes, but ${owner} has ${Math.max(0, free)} of ` +
      `${account.diskQuota} bytes free; delete an artifact or get more disk quota`,
    { required: adds, available: Math.max(0, free) },
  );
};

export const principalLimitRefusal = (state: LedgerTables): Refused | null => {
  const { principals_max } = physicsOf(state).agents;
  return state.accounts.size < principals_max
    ? null
    : refuse("quota_exceeded", `the world already has the maximum of ${principals_max} principals`);
};
