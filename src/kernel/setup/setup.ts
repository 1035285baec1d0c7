import {
  type ActionEvent,
  type ActionTables,
  type WrittenFields,
  writeEvent,
} from "../action/events.ts";
import type { AgentTerms } from "../agent/agent.ts";
import { reviewSet } from "../agent/events.ts";
import { nameRefusal } from "../agent/memory.ts";
import { liveArtifact } from "../artifact/tables.ts";
import { standingEvent, termsRefusal, withdrawal } from "../compute/orders.ts";
import { accept, type Decision, type Refused, refuse } from "../core/decision.ts";
import { type EventIn, rowsOf, type Stamp } from "../core/event.ts";
import type { Id } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import { isAmountOrZero, overflows } from "../core/money.ts";
import type { Physics, Quotas } from "../core/physics.ts";
import { changeWorld, physicsOf, worldRow } from "../core/world.ts";
import { firstVersion, newAgent } from "../family/new-agent.ts";
import { issuable, mintable } from "../ledger/account.ts";
import { emptyAccount } from "../ledger/payment.ts";
import { diskRefusal, principalLimitRefusal } from "../ledger/quota.ts";

const row = rowsOf<ActionTables>();

export const SETUP_EVENTS = {
  physics_amended: row<{ physics: Physics }>({
    about:
      "a run was resumed with other settings, or its schedule changed them; the event has the new " +
      "physics",
    evolve: (state, { physics }) => changeWorld(state, { physics }),
  }),
};

/** The top has the row of this event, because a new world has values of all rooms. */
type WorldCreated = Stamp & { readonly kind: "world_created"; readonly physics: Physics };
export type SetupEvent = ActionEvent | EventIn<typeof SETUP_EVENTS> | WorldCreated;
export type SetupDecision<Answer = Json> = Decision<Answer, SetupEvent>;

/** Commands from the runner, which sets up and runs the world. */
export type SetupCommands = {
  create_world: { at_ms: number; physics: Physics };
  install_artifact: { at_ms: number; id: Id; owner: Id; fields: WrittenFields };
  create_agent: {
    at_ms: number;
    id: Id;
    /** The agent's configuration as JSON text. */
    content: string;
    memory: string;
    /** The content of the agent's workspace. Absent: the agent starts without a workspace. */
    workspace?: string;
    endowment: Endowment;
    starts_at_ms: number;
  } & AgentTerms;
  /** Replaces the physics. Existing accounts keep their balances and quotas. */
  amend_physics: { at_ms: number; physics: Physics };
  rewrite_agent: { at_ms: number; id: Id; content: string };
};

export type Endowment = {
  readonly scrip: number;
  readonly llm_budget_micros: number;
  /** Disk quota in bytes. The size of the agent's own two artifacts is added to it. */
  readonly disk_bytes: number;
  readonly quotas: Quotas;
};

export const decideCreateWorld = (
  state: ActionTables,
  command: SetupCommands["create_world"],
): SetupDecision => {
  if (state.world.has("world")) return refuse("already_exists", "the world already exists");
  const { at_ms, physics } = command;
  return accept([{ at_ms, principal: null, kind: "world_created", physics }], null);
};

/** Checks, in this order: the id is unused, the owner exists, the owner can receive the price. */
export const decideInstall = (
  state: ActionTables,
  command: SetupCommands["install_artifact"],
): SetupDecision => {
  const { id, at_ms, owner, fields } = command;
  if (state.artifacts.has(id)) return refuse("already_exists", `${id} already exists`);
  const stands = fields.has_standing === true;
  if (owner !== id && !state.accounts.has(owner)) {
    return refuse(
      "not_found",
      `"${owner}" is not a principal, and only principals can own artifacts`,
    );
  }
  const paysNobody = owner === id && !stands;
  if (paysNobody && (fields.price ?? 0) + (fields.read_price ?? 0) > 0) {
    return refuse(
      "invalid_argument",
      `${id} has a price, but its owner has no account to receive it`,
    );
  }
  const when = { at_ms, principal: null };
  const artifact = firstVersion(state, when, owner, id, owner, fields);
  if (!stands) return accept([artifact], null);
  const account = emptyAccount(when, id, null);
  const disk_quota = owner === id ? artifact.size_bytes + physicsOf(state).genesis.disk_bytes : 0;
  return accept([{ ...account, disk_quota }, artifact], null);
};

/**
 * Creates an initial agent. Checks: the ids, the principal limit, the endowment, the order, the
 * disk. The agent and its memory come on top of its disk quota; its workspace uses the quota.
 */
export const decideCreateAgent = (
  state: ActionTables,
  command: SetupCommands["create_agent"],
): SetupDecision => {
  const { id, at_ms, endowment, content, memory, workspace = null, standing, review } = command;
  const when = { at_ms, principal: id };
  const refused =
    nameRefusal(state, id) ??
    principalLimitRefusal(state) ??
    endowmentRefusal(state, endowment) ??
    (standing === undefined ? null : termsRefusal(standing));
  if (refused !== null) return refused;
  const texts = { content, memory, workspace };
  const startsAt = command.starts_at_ms;
  const about = { when, by: id, id, owner: id, terms: command, startsAt };
  const child = newAgent(state, { ...about, ...texts });
  const own_bytes = child.agent.size_bytes + child.memory.size_bytes;
  if (overflows(endowment.disk_bytes, own_bytes)) {
    const message = `a disk quota of ${endowment.disk_bytes} bytes is too large`;
    return refuse("invalid_argument", message);
  }
  const { scrip, llm_budget_micros, disk_bytes, quotas } = endowment;
  const required = child.workspace?.size_bytes ?? 0;
  if (required > disk_bytes) {
    const message = `its workspace starts with ${required} bytes, more than its disk_bytes`;
    const found = { required, available: disk_bytes };
    return refuse("insufficient_disk", `${message} ${disk_bytes}`, found);
  }
  const balances = { scrip, llm_budget_micros, disk_quota: disk_bytes + own_bytes, quotas };
  const account = { ...emptyAccount(when, id, null), ...balances };
  const order = standing === undefined ? [] : [standingEvent(when, id, standing)];
  const terms = review === undefined ? [] : [reviewSet({ at_ms, principal: null }, id, review)];
  const files = child.workspace === null ? [] : [child.workspace];
  const made = [account, child.agent, child.memory, ...files, child.loop];
  return accept([...made, ...order, ...terms], null);
};

/** Refuses an amount that is not a whole number ≥ 0, and scrip that makes the supply too large. */
const endowmentRefusal = (state: ActionTables, endowment: Endowment): Refused | null => {
  const { scrip, llm_budget_micros, disk_bytes, quotas } = endowment;
  for (const [name, value] of Object.entries({ scrip, llm_budget_micros, disk_bytes, ...quotas })) {
    if (isAmountOrZero(value)) continue;
    return refuse("invalid_argument", `${name} must be a whole number, 0 or more, not ${value}`);
  }
  const { supply, budget } = worldRow(state);
  if (scrip > mintable(supply)) {
    return refuse("invalid_argument", `${scrip} more scrip would make the scrip supply too large`);
  }
  return llm_budget_micros > issuable(budget)
    ? refuse("invalid_argument", `${llm_budget_micros} micro-dollars more would be too large a sum`)
    : null;
};

export const decideAmend = (
  state: ActionTables,
  command: SetupCommands["amend_physics"],
): SetupDecision => {
  if (!state.world.has("world")) return refuse("not_found", "there is no world yet");
  const { at_ms, physics } = command;
  const when = { at_ms, principal: null };
  // Without auctions, no sale would end the bids.
  const bids = physics.compute.sale === "auction" ? [] : [...state.computeBids.rows()];
  const refunds = bids.flatMap((bid) => withdrawal(when, bid, "no_auction"));
  return accept([{ ...when, kind: "physics_amended", physics }, ...refunds], null);
};

/** Checks that the agent exists and the disk has room. Callers validate the configuration. */
export const decideRewrite = (
  state: ActionTables,
  command: SetupCommands["rewrite_agent"],
): SetupDecision => {
  const { at_ms, id, content } = command;
  const before = liveArtifact(state, id);
  if (before === undefined || !state.agents.has(id)) {
    return refuse("not_found", `"${id}" is not an agent of this world`);
  }
  const { owner } = before;
  const when = { at_ms, principal: null };
  const written = writeEvent(before, when, owner, { content });
  const adds = written.size_bytes - before.sizeBytes;
  return diskRefusal(state, owner, adds, id) ?? accept([written], null);
};
