import type { ActionRow, ActionTables } from "../action/events.ts";
import { AGENT_TERMS, type AgentStateChange } from "../agent/agent.ts";
import { stateChange, unfrozen } from "../agent/events.ts";
import { reservedFor, reservedForOwner } from "../agent/memory.ts";
import { INTERFACE } from "../artifact/artifact.ts";
import { accept, type CodeCheck, type Decision, type Refused, refuse } from "../core/decision.ts";
import { type EventIn, rowsOf } from "../core/event.ts";
import type { Id } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import { type Physics, STANDING_TERMS } from "../core/physics.ts";
import * as is from "../core/shape.ts";
import type { Table } from "../core/tables.ts";
import { changeWorld, physicsOf, worldRow } from "../core/world.ts";
import { issuable, mintable } from "../ledger/account.ts";
import { diskRefusal } from "../ledger/quota.ts";
import { decideAmend, decideCreateAgent, decideInstall, type SetupEvent } from "../setup/setup.ts";

/** Principals of a scheduled payment. `all`: every agent that has not stopped at that time. */
const RECIPIENTS = is.either("ids or all", [is.oneOf(["all"]), is.list(is.id)]);
export type Recipients = is.Of<typeof RECIPIENTS>;

/** Scrip and model budget that come into the world or leave it. One of them can be 0. */
const SCHEDULED_AMOUNT = { scrip: is.amount, llm_budget_micros: is.amount };
export type ScheduledAmount = is.RecordOf<typeof SCHEDULED_AMOUNT>;

const SCHEDULED_AGENT = is.record({
  id: is.id,
  /** The agent's configuration as JSON text. */
  content: is.text,
  /** The content of the agent's workspace. Absent: the agent starts without a workspace. */
  workspace: is.optional(is.text),
  ...AGENT_TERMS,
  scrip: is.amount,
  /** Null: the default of the world. */
  standing: is.nullable(STANDING_TERMS),
  /** The time in ms between the agent's creation and its first thought. */
  starts_after_ms: is.amount,
});
export type ScheduledAgent = is.Of<typeof SCHEDULED_AGENT>;

/** An installed artifact has either code or content. */
const INSTALLED_FIELDS = is.record({
  type: is.text,
  code: is.optional(is.text),
  content: is.optional(is.text),
  price: is.optional(is.amount),
  read_price: is.optional(is.amount),
  interface: is.optional(INTERFACE),
  has_standing: is.optional(is.oneOf([true])),
});
export type InstalledFields = is.Of<typeof INSTALLED_FIELDS>;

/** A change that the configuration of a run plans for a later run time. */
const SCHEDULED_CHANGE = is.either("a known change", [
  /** Values of the configuration, by dotted key. */
  is.record({ kind: is.oneOf(["set"]), settings: is.jsonObject }),
  is.record({ kind: is.oneOf(["mint"]), to: RECIPIENTS, ...SCHEDULED_AMOUNT }),
  is.record({ kind: is.oneOf(["take"]), from: RECIPIENTS, ...SCHEDULED_AMOUNT }),
  /** `owner` null: the artifact owns itself, so that no agent can change it. */
  is.record({
    kind: is.oneOf(["install"]),
    id: is.id,
    owner: is.nullable(is.id),
    fields: INSTALLED_FIELDS,
  }),
  is.record({ kind: is.oneOf(["pause", "resume", "remove"]), agent: is.id }),
  is.record({ kind: is.oneOf(["add"]), agent: SCHEDULED_AGENT }),
]);
export type ScheduledChange = is.Of<typeof SCHEDULED_CHANGE>;

const SCHEDULED_ENTRY = is.record({ at_ms: is.amount, change: SCHEDULED_CHANGE });
export type ScheduledEntry = is.Of<typeof SCHEDULED_ENTRY>;

/** The rest of a run's schedule. It is part of the world, so that checkpoints and forks have it. */
export const SCHEDULE = is.record({
  /** The entries that have not been executed, sorted by time. */
  entries: is.list(SCHEDULED_ENTRY),
  /** The settings that executed entries have set. They override the run's configuration. */
  settings: is.jsonObject,
});
export type Schedule = is.Of<typeof SCHEDULE>;

/** Describes a change in words, such as `mint 100 scrip to alpha`. */
export const scheduledText = (change: ScheduledChange): string => {
  switch (change.kind) {
    case "set": {
      const all = Object.entries(change.settings);
      return `set ${all.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(", ")}`;
    }
    case "mint":
      return `mint ${amountText(change)} to ${namesText(change.to)}`;
    case "take":
      return `take ${amountText(change)} from ${namesText(change.from)}`;
    case "install":
      return `install ${change.id}${change.owner === null ? "" : ` for ${change.owner}`}`;
    case "add":
      return `add ${change.agent.id}`;
    default:
      return `${change.kind} ${change.agent}`;
  }
};

const amountText = ({ scrip, llm_budget_micros: micros }: ScheduledAmount): string =>
  [
    ...(scrip > 0 ? [`${scrip} scrip`] : []),
    ...(micros > 0 ? [`${micros / 1e6} USD of model budget`] : []),
  ].join(" and ");

const namesText = (who: Recipients): string => (who === "all" ? "all agents" : who.join(", "));

export type ScheduleCommands = {
  /** Replaces the entries that are not executed yet, and the settings of executed entries. */
  plan_schedule: { at_ms: number } & Schedule;
  /** Executes the next entry of the schedule. */
  execute_scheduled: {
    at_ms: number;
    /** The new physics, if the entry sets settings. Absent: `problem` says why there are none. */
    physics?: Physics;
    problem?: string;
    /** The analysis of the code, if the entry installs code. */
    code_check?: CodeCheck;
  };
};

export interface ScheduleRow extends ActionRow {
  readonly schedule: Schedule;
}

export interface ScheduleTables extends ActionTables {
  readonly world: Table<"world", ScheduleRow>;
}

const row = rowsOf<ScheduleTables>();

export const SCHEDULE_EVENTS = {
  schedule_planned: row<Schedule>({
    about: "the changes that the configuration plans for later times",
    evolve: (state, { entries, settings }) =>
      changeWorld(state, { schedule: { entries, settings } }),
  }),

  /**
   * An entry of the schedule was executed; the events of its change follow. `problem` says why it
   * could not be executed, or is null. `due_at_ms` is the scheduled time. The events of its change
   * say enough, so it is private.
   */
  schedule_executed: row<{ due_at_ms: number; change: string; problem: string | null }>({
    about:
      "an entry of the schedule was executed; the next events of the transaction are its effects",
    evolve: (state, { problem }) => {
      const { entries, settings } = worldRow(state).schedule;
      const [next, ...rest] = entries;
      const isSet = problem === null && next?.change.kind === "set";
      const inForce = isSet ? { ...settings, ...next.change.settings } : settings;
      changeWorld(state, { schedule: { entries: rest, settings: inForce } });
    },
  }),
};

export type ScheduleEvent = SetupEvent | EventIn<typeof SCHEDULE_EVENTS>;
type ScheduleDecision<Answer = Json> = Decision<Answer, ScheduleEvent>;

type Change<K extends ScheduledChange["kind"]> = Extract<ScheduledChange, { readonly kind: K }>;
type When = { readonly at_ms: number; readonly principal: null };
type Execution = ScheduleCommands["execute_scheduled"];

/** Replaces the rest of the schedule. Checks: the world exists, the entries are sorted. */
export const decidePlan = (
  state: ScheduleTables,
  command: ScheduleCommands["plan_schedule"],
): ScheduleDecision => {
  if (!state.world.has("world")) return refuse("not_found", "there is no world yet");
  const { at_ms, entries, settings } = command;
  if (entries.some((entry, at) => entry.at_ms < (entries[at - 1]?.at_ms ?? 0))) {
    return refuse("invalid_argument", "the entries of a schedule must be sorted by time");
  }
  return accept([{ at_ms, principal: null, kind: "schedule_planned", entries, settings }], null);
};

/**
 * Executes the next entry of the schedule: its change happens completely or not at all. An entry
 * that cannot be executed is recorded with the problem and is not tried again.
 */
export const decideScheduled = (state: ScheduleTables, command: Execution): ScheduleDecision => {
  const { at_ms } = command;
  const [next] = worldRow(state).schedule.entries;
  if (next === undefined) return refuse("not_found", "nothing is scheduled");
  if (at_ms < next.at_ms) {
    return refuse("invalid_argument", `the next entry is scheduled for ${next.at_ms / 1_000} s`);
  }
  const when = { at_ms, principal: null };
  const effect = effectOf(state, next, command);
  const done = effect.kind === "accepted" ? effect.events : [];
  const problem = effect.kind === "refused" ? effect.refusal.message : null;
  const change = scheduledText(next.change);
  const executed: EventIn<typeof SCHEDULE_EVENTS, "schedule_executed"> = {
    ...when,
    kind: "schedule_executed",
    due_at_ms: next.at_ms,
    change,
    problem,
  };
  // The world did it, so no principal is the cause of any event.
  return accept([executed, ...done.map((event) => ({ ...event, ...when }))], null);
};

const effectOf = (
  state: ScheduleTables,
  { change }: ScheduledEntry,
  command: Execution,
): ScheduleDecision => {
  const when = { at_ms: command.at_ms, principal: null };
  switch (change.kind) {
    case "set":
      return command.physics === undefined
        ? refuse("invalid_argument", command.problem ?? "the settings are missing")
        : decideAmend(state, { at_ms: command.at_ms, physics: command.physics });
    case "mint":
      return mint(state, when, change);
    case "take":
      return take(state, when, change);
    case "install":
      return install(state, when, change, command.code_check);
    case "pause":
    case "resume":
    case "remove":
      return changeAgent(state, when, change);
    case "add":
      return addAgent(state, when, change);
  }
};

/** The principals that a payment names, or every agent that has not stopped, oldest first. */
const principalsIn = (state: ScheduleTables, who: Recipients): readonly Id[] | Refused => {
  if (who === "all") {
    const agents = [...state.agents.rows()].filter((agent) => agent.state !== "stopped");
    return agents.sort((a, b) => a.order - b.order).map(({ id }) => id);
  }
  const unknown = who.find((id) => !state.accounts.has(id));
  return unknown === undefined
    ? [...new Set(who)]
    : refuse("not_found", `"${unknown}" is not a principal`);
};

/** Mints the amounts for each principal. Checks: the principals, and the sums of all supplies. */
const mint = (
  state: ScheduleTables,
  when: When,
  { to: who, ...amounts }: Change<"mint">,
): ScheduleDecision => {
  const all = principalsIn(state, who);
  if ("kind" in all) return all;
  const { scrip, llm_budget_micros: micros } = amounts;
  const { supply, budget } = worldRow(state);
  if (scrip * all.length > mintable(supply) || micros * all.length > issuable(budget)) {
    return refuse("invalid_argument", "it would make the supply too large");
  }
  const events = all.flatMap((to): readonly ScheduleEvent[] => [
    ...(scrip > 0 ? [{ ...when, kind: "scrip_minted", to, amount: scrip, reason } as const] : []),
    ...(micros > 0
      ? [
          { ...when, kind: "budget_issued", to, micros } as const,
          ...unfrozen(state, when, to, "llm_budget", micros),
        ]
      : []),
  ]);
  return accept(events, null);
};

const reason = "schedule";

/** Takes up to the amounts from each principal. Held scrip stays where it is. */
const take = (
  state: ScheduleTables,
  when: When,
  { from: who, ...amounts }: Change<"take">,
): ScheduleDecision => {
  const all = principalsIn(state, who);
  if ("kind" in all) return all;
  return accept(
    all.flatMap((from) => taken(state, when, { from, ...amounts })),
    null,
  );
};

const taken = (
  state: ScheduleTables,
  when: When,
  { from, scrip, llm_budget_micros }: ScheduledAmount & { readonly from: Id },
): readonly ScheduleEvent[] => {
  const { scrip: free = 0, llmBudgetMicros = 0 } = state.accounts.get(from) ?? {};
  const amount = Math.min(scrip, free);
  const micros = Math.min(llm_budget_micros, llmBudgetMicros);
  return [
    ...(amount > 0 ? [{ ...when, kind: "scrip_burned", from, amount, reason } as const] : []),
    ...(micros > 0 ? [{ ...when, kind: "budget_withdrawn", from, micros } as const] : []),
  ];
};

/** Installs an artifact. Checks, in this order: the code, the name, the owner, the disk. */
const install = (
  state: ScheduleTables,
  { at_ms }: When,
  { id, owner, fields }: Change<"install">,
  check: CodeCheck | undefined,
): ScheduleDecision => {
  if (check !== undefined && "refusal" in check) return { kind: "refused", refusal: check.refusal };
  const keeper = reservedFor(state, id) ?? reservedForOwner(state, id);
  if (keeper !== null && keeper !== owner) {
    return refuse("not_authorized", `"${id}" is reserved for ${keeper}`);
  }
  const made = decideInstall(state, {
    at_ms,
    id,
    owner: owner ?? id,
    fields: { ...fields, ...check },
  });
  if (made.kind !== "accepted") return made;
  const adds = made.events.reduce(
    (sum, event) => sum + (event.kind === "artifact_written" ? event.size_bytes : 0),
    0,
  );
  return diskRefusal(state, owner ?? id, adds, id) ?? made;
};

/**
 * Pauses, resumes or stops an agent. Checks that it exists and has not stopped; to resume it, that
 * it is paused; to pause it, that it is not paused already without an end.
 */
const changeAgent = (
  state: ScheduleTables,
  when: When,
  { kind, agent: id }: Change<"pause" | "resume" | "remove">,
): ScheduleDecision => {
  const agent = state.agents.get(id);
  if (agent === undefined) return refuse("not_found", `there is no agent "${id}"`);
  if (agent.state === "stopped") return refuse("not_open", `${id} has stopped for good`);
  if (kind === "resume" && agent.state !== "paused") {
    return refuse("not_open", `${id} is not paused but ${agent.state}`);
  }
  // A pause after failures ends after a time, so the schedule can still make it last.
  if (kind === "pause" && agent.state === "paused" && agent.due === null) {
    return refuse("not_open", `${id} is already paused until someone resumes it`);
  }
  return accept([stateChange(when, agent, changeOf(kind, when.at_ms))], null);
};

const changeOf = (kind: "pause" | "resume" | "remove", at_ms: number): AgentStateChange => {
  const byIt = { cause: "schedule", due_at_ms: null } as const;
  switch (kind) {
    case "pause":
      return { to: "paused", reason: "the schedule has paused it", ...byIt };
    case "remove":
      return { to: "stopped", reason: "the schedule has removed it", ...byIt };
    case "resume":
      return { to: "running", reason: "the schedule has resumed it", due_at_ms: at_ms };
  }
};

const addAgent = (
  state: ScheduleTables,
  { at_ms }: When,
  { agent }: Change<"add">,
): ScheduleDecision => {
  const { id, content, workspace, scrip, standing, starts_after_ms, ...terms } = agent;
  const { llm_budget_micros, disk_bytes, windows: quotas } = physicsOf(state).resources;
  return decideCreateAgent(state, {
    at_ms,
    id,
    content,
    memory: "[]",
    ...(workspace === undefined ? {} : { workspace }),
    endowment: { scrip, llm_budget_micros, disk_bytes, quotas },
    ...terms,
    ...(standing === null ? {} : { standing }),
    starts_at_ms: at_ms + starts_after_ms,
  });
};
