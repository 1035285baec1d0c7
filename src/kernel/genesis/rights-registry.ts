import type { ActionDecision, ActionEvent } from "../action/events.ts";
import { unfrozen } from "../agent/events.ts";
import { accept, answered, refuse } from "../core/decision.ts";
import { ID_RULE, type Id, parseId } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import { AMOUNT_RULE, isAmount, overflows } from "../core/money.ts";
import { type Physics, perResource } from "../core/physics.ts";
import { physicsOf } from "../core/world.ts";
import { QUOTA_NAMES, quotaOf } from "../ledger/account.ts";
import { payeeRefusal } from "../ledger/payment.ts";
import { unusedQuota, windowsLeft } from "../ledger/quota.ts";
import { stamp } from "../ledger/subject.ts";
import type { SearchTables } from "../search/query.ts";
import { principalArg } from "./ledger.ts";
import {
  AMOUNT_SCHEMA,
  ID_SCHEMA,
  type NativeArtifact,
  type NativeCall,
  named,
  takes,
} from "./native.ts";

/** The quota of each resource, and the amount that is available now. */
export const quotasOf = (state: SearchTables, id: Id, now: number): Json => {
  const account = state.accounts.get(id);
  if (account === undefined) return null;
  const { window_ms } = physicsOf(state).resources;
  const disk = { quota: account.diskQuota, available: account.diskQuota - account.diskUsed };
  return { id, window_ms, ...windowsLeft(state, id, now), disk };
};

const checkQuota = (state: SearchTables, { by, args }: NativeCall): ActionDecision =>
  answered(principalArg(state, args[0], by), (id) => quotasOf(state, id, by.atMs));

const allQuotas = (state: SearchTables): ActionDecision => {
  const accounts = [...state.accounts.rows()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const rows = accounts.map(({ id, quotas, diskQuota: disk }) => [id, { ...quotas, disk }]);
  return accept([], Object.fromEntries(rows));
};

const transferQuota = (state: SearchTables, { by, args }: NativeCall): ActionDecision => {
  const to = parseId(args[0]);
  const resource = QUOTA_NAMES.find((name) => name === args[1]);
  const amount = args[2];
  if (to === null) return refuse("invalid_argument", ID_RULE);
  if (resource === undefined) {
    return refuse("invalid_argument", `resource must be one of ${QUOTA_NAMES.join(", ")}`);
  }
  if (!isAmount(amount)) return refuse("invalid_argument", AMOUNT_RULE);
  const unpayable = payeeRefusal(state, by, to);
  if (unpayable !== null) return unpayable;
  const free = unusedQuota(state, by.actor, resource, by.atMs);
  if (amount > free) {
    const message = `${by.actor} has ${free} of ${resource} unused, less than ${amount}`;
    return refuse("quota_exceeded", message, { required: amount, available: free });
  }
  const theirs = state.accounts.get(to);
  if (theirs !== undefined && overflows(quotaOf(theirs, resource), amount)) {
    return refuse("invalid_argument", `the quota of ${to} would be too large`);
  }
  const moved = { from: by.actor, to, resource, amount };
  const event: ActionEvent = { ...stamp(by), kind: "quota_transferred", ...moved };
  return accept([event, ...unfrozen(state, stamp(by), to, resource, amount)], moved);
};

/** The bytes of an agent and its memory in the examples. They are added to the disk quota. */
const OWN_BYTES = 37;

const shownQuota = ({ resources }: Physics, id: string): Json => {
  const { window_ms, windows, disk_bytes } = resources;
  const unused = perResource((name) => ({ quota: windows[name], available: windows[name] }));
  const disk = { quota: disk_bytes + OWN_BYTES, available: disk_bytes };
  return { id, window_ms, ...unused, disk };
};

/** After alice has given bob 1,000 bytes of disk. */
const shownQuotas = ({ resources: { windows, disk_bytes } }: Physics): Json => {
  const disk = disk_bytes + OWN_BYTES;
  return {
    alice: { ...windows, disk: disk - 1_000 },
    bob: { ...windows, disk: disk + 1_000 },
    carol: { ...windows, disk },
  };
};

export const RIGHTS_REGISTRY: NativeArtifact = {
  id: "genesis_rights_registry",
  description: "Quotas of disk and of each rolling window.",
  methods: named({
    check_quota: {
      description: "The quotas of a principal, and how much of each is available now.",
      input_schema: takes({ id: ID_SCHEMA }, []),
      examples: (physics) => [
        { args: [], result: shownQuota(physics, "alice") },
        { args: ["carol"], result: shownQuota(physics, "carol") },
      ],
      decide: checkQuota,
    },
    all_quotas: {
      description: "The quotas of every principal.",
      input_schema: takes({}),
      examples: (physics) => [{ args: [], result: shownQuotas(physics) }],
      decide: allQuotas,
    },
    transfer_quota: {
      description:
        "Transfers unused quota to another principal. Enough quota unfreezes a frozen agent.",
      input_schema: takes({
        to: ID_SCHEMA,
        resource: { type: "string", enum: [...QUOTA_NAMES] },
        amount: AMOUNT_SCHEMA,
      }),
      examples: () => [
        {
          args: ["bob", "disk", 1000],
          result: { from: "alice", to: "bob", resource: "disk", amount: 1000 },
        },
      ],
      writes: true,
      decide: transferQuota,
    },
  }),
};
