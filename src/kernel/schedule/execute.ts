import { reservedFor, reservedForOwner } from "../agent/memory.ts";
import { stateChange } from "../agent/state-change.ts";
import { unfrozen } from "../agent/waking.ts";
import { diskRefusal } from "../artifact/write.ts";
import {
  accept,
  type CodeCheck,
  type CommandOf,
  type Decision,
  type Refused,
  refuse,
} from "../command.ts";
import type { AgentStateChange, Event, EventKind, EventOf } from "../event.ts";
import { issuable, mintable } from "../ledger/account.ts";
import { issueBudget, withdrawBudget } from "../ledger/books.ts";
import type { Id } from "../primitives/ids.ts";
import { decideAmend, decideCreateAgent, decideInstall } from "../setup/setup.ts";
import { type Changes, physicsOf, type State, worldRow } from "../state.ts";
import {
  type Recipients,
  type ScheduledAmount,
  type ScheduledChange,
  type ScheduledEntry,
  scheduledText,
} from "./schedule.ts";

type Change<K extends ScheduledChange["kind"]> = Extract<ScheduledChange, { readonly kind: K }>;
type When = { readonly at_ms: number; readonly principal: null };
type Execution = CommandOf<"execute_scheduled">;

/** Replaces the rest of the schedule. Checks: the world exists, the entries are sorted. */
export const decidePlan = (state: State, command: CommandOf<"plan_schedule">): Decision => {
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
export const decideScheduled = (state: State, command: Execution): Decision => {
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
  const executed: EventOf<"schedule_executed"> = {
    ...when,
    kind: "schedule_executed",
    due_at_ms: next.at_ms,
    change,
    problem,
  };
  // The world did it, so no principal is the cause of any event.
  return accept([executed, ...done.map((event) => ({ ...event, ...when }))], null);
};

const effectOf = (state: State, { change }: ScheduledEntry, command: Execution): Decision => {
  const when = { at_ms: command.at_ms, principal: null };
  switch (change.kind) {
    case "set":
      return amend(state, command);
    case "mint":
      return mint(state, when, change);
    case "take":
      return take(state, when, change);
    case "install":
      return install(state, when, { change, check: command.code_check });
    case "pause":
    case "resume":
    case "remove":
      return changeAgent(state, when, change);
    case "add":
      return addAgent(state, when, change);
  }
};

const amend = (state: State, { at_ms, physics, problem }: Execution): Decision => {
  if (physics !== undefined) return decideAmend(state, { kind: "amend_physics", at_ms, physics });
  return refuse("invalid_argument", problem ?? "the settings are missing");
};

/** The principals that a payment names, or every agent that has not stopped, oldest first. */
const principalsIn = (state: State, who: Recipients): readonly Id[] | Refused => {
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
const mint = (state: State, when: When, { to: who, ...amounts }: Change<"mint">): Decision => {
  const all = principalsIn(state, who);
  if ("kind" in all) return all;
  const { scrip, llm_budget_micros: micros } = amounts;
  const { supply, budget } = worldRow(state);
  if (scrip * all.length > mintable(supply) || micros * all.length > issuable(budget)) {
    return refuse("invalid_argument", "it would make the supply too large");
  }
  const events = all.flatMap((to): readonly Event[] => [
    ...(scrip > 0 ? [{ ...when, kind: "scrip_minted", to, amount: scrip, reason } as const] : []),
    ...(micros > 0 ? issue(state, when, { to, micros }) : []),
  ]);
  return accept(events, null);
};

const reason = "schedule";

const issue = (
  state: State,
  when: When,
  { to, micros }: { readonly to: Id; readonly micros: number },
): readonly Event[] => [
  { ...when, kind: "budget_issued", to, micros },
  ...unfrozen(state, when, { to, what: "llm_budget", amount: micros }),
];

/** Takes up to the amounts from each principal. Held scrip stays where it is. */
const take = (state: State, when: When, { from: who, ...amounts }: Change<"take">): Decision => {
  const all = principalsIn(state, who);
  if ("kind" in all) return all;
  return accept(
    all.flatMap((from) => taken(state, when, { from, ...amounts })),
    null,
  );
};

const taken = (
  state: State,
  when: When,
  { from, scrip, llm_budget_micros }: ScheduledAmount & { readonly from: Id },
): readonly Event[] => {
  const { scrip: free = 0, llmBudgetMicros = 0 } = state.accounts.get(from) ?? {};
  const amount = Math.min(scrip, free);
  const micros = Math.min(llm_budget_micros, llmBudgetMicros);
  return [
    ...(amount > 0 ? [{ ...when, kind: "scrip_burned", from, amount, reason } as const] : []),
    ...(micros > 0 ? [{ ...when, kind: "budget_withdrawn", from, micros } as const] : []),
  ];
};

type Installing = { readonly change: Change<"install">; readonly check: CodeCheck | undefined };

/** Installs an artifact. Checks, in this order: the code, the name, the owner, the disk. */
const install = (state: State, { at_ms }: When, { change, check }: Installing): Decision => {
  const { id, owner, fields } = change;
  if (check !== undefined && "refusal" in check) return { kind: "refused", refusal: check.refusal };
  const keeper = reservedFor(state, id) ?? reservedForOwner(state, id);
  if (keeper !== null && keeper !== owner) {
    return refuse("not_authorized", `"${id}" is reserved for ${keeper}`);
  }
  const made = decideInstall(state, {
    kind: "install_artifact",
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
  return diskRefusal(state, owner ?? id, { adds, what: id }) ?? made;
};

/**
 * Pauses, resumes or stops an agent. Checks that it exists and has not stopped; to resume it, that
 * it is paused; to pause it, that it is not paused already without an end.
 */
const changeAgent = (
  state: State,
  when: When,
  { kind, agent: id }: Change<"pause" | "resume" | "remove">,
): Decision => {
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
  return accept([stateChange(when, agent, CHANGES_OF[kind](when.at_ms))], null);
};

const CHANGES_OF: {
  readonly [K in "pause" | "resume" | "remove"]: (at_ms: number) => AgentStateChange;
} = {
  pause: () => ({
    to: "paused",
    reason: "the schedule has paused it",
    cause: "schedule",
    due_at_ms: null,
  }),
  resume: (due_at_ms) => ({ to: "running", reason: "the schedule has resumed it", due_at_ms }),
  remove: () => ({
    to: "stopped",
    reason: "the schedule has removed it",
    cause: "schedule",
    due_at_ms: null,
  }),
};

const addAgent = (state: State, { at_ms }: When, { agent }: Change<"add">): Decision => {
  const { id, content, workspace, group, contacts, values, scrip, standing } = agent;
  const { review, starts_after_ms } = agent;
  const { llm_budget_micros, disk_bytes, windows: quotas } = physicsOf(state).resources;
  return decideCreateAgent(state, {
    kind: "create_agent",
    at_ms,
    id,
    content,
    memory: "[]",
    ...(workspace === undefined ? {} : { workspace }),
    endowment: { scrip, llm_budget_micros, disk_bytes, quotas },
    group,
    ...(contacts === undefined ? {} : { contacts }),
    values,
    ...(standing === null ? {} : { standing }),
    ...(review === undefined ? {} : { review }),
    starts_at_ms: at_ms + starts_after_ms,
  });
};

export const SCHEDULE_CHANGES = {
  schedule_planned: (state, { entries, settings }) =>
    state.world.put("world", { ...worldRow(state), schedule: { entries, settings } }),

  schedule_executed: (state, { problem }) => {
    const world = worldRow(state);
    const { entries, settings } = world.schedule;
    const [next, ...rest] = entries;
    const isSet = problem === null && next?.change.kind === "set";
    const inForce = isSet ? { ...settings, ...next.change.settings } : settings;
    state.world.put("world", { ...world, schedule: { entries: rest, settings: inForce } });
  },

  budget_issued: (state, { to, micros }) => issueBudget(state, to, micros),

  budget_withdrawn: (state, { from, micros }) => withdrawBudget(state, from, micros),
} satisfies Partial<Changes<EventKind>>;
