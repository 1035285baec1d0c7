import type { ActionEnd, Event, EventKind, EventOf, InboxSeen } from "../event.ts";
import { useUp } from "../ledger/books.ts";
import { windowLeft } from "../ledger/quota.ts";
import { asId, type Id } from "../primitives/ids.ts";
import { must } from "../primitives/invariant.ts";
import { cutText } from "../primitives/json.ts";
import { patched } from "../primitives/patch.ts";
import { type Secret, sipHash, wordsOf } from "../primitives/siphash.ts";
import { type Changes, liveArtifact, physicsOf, type State, worldRow } from "../state.ts";
import { type ActionRecord, type Agent, type LastResult, NO_COUNTERS, whyFrozen } from "./agent.ts";
import { emptyInbox, type Inbox, withSeen } from "./inbox.ts";

const agentOf = (state: State, event: Event): Agent =>
  must(actorOf(state, event), `the agent of a recorded event must exist: ${event.principal}`);

const agentNamed = (state: State, id: Id): Agent =>
  must(state.agents.get(id), `the agent of a recorded event must exist: ${id}`);

const actorOf = (state: State, event: Event): Agent | undefined =>
  event.principal === null ? undefined : state.agents.get(event.principal);

export const AGENT_CHANGES = {
  agent_created: (state, event) => {
    const world = worldRow(state);
    const secret = secretWith(state, event);
    state.world.put("world", { ...world, agentsMade: event.order + 1, secret });
    state.agents.put(event.id, {
      id: event.id,
      order: event.order,
      group: event.group,
      state: "running",
      reason: "created",
      cause: null,
      due: { step: "think", atMs: event.due_at_ms },
      thinking: null,
      pending: null,
      sleep: null,
      epoch: 0,
      needs: null,
      delayMs: world.physics.agents.min_delay_ms,
      counters: NO_COUNTERS,
      actions: [],
      failures: [],
      last: null,
      remembered: 0,
      mind: null,
    });
    state.inboxes.put(event.id, emptyInbox(event.id));
  },

  agent_state_changed: (state, event) => {
    const agent = agentOf(state, event);
    const due = thinkAt(event.due_at_ms);
    // Waking from sleep does not reset the number of failures.
    const forgiven = event.to === "running" && event.from !== "sleeping";
    const counters = forgiven ? { ...agent.counters, errors: 0 } : agent.counters;
    const { to, reason, cause = null } = event;
    endSleep(state, agent.id);
    const next = { state: to, reason, cause, due, counters, needs: null };
    state.agents.put(agent.id, { ...dropped(agent), ...next });
  },

  agent_slept: (state, event) => {
    const agent = agentOf(state, event);
    const { until, for_ms } = event.sleep;
    const earliestMs = event.at_ms + agent.delayMs;
    if (until.length > 0) state.sleepers.put(agent.id, { agent: agent.id, until, earliestMs });
    const reason = `it sleeps for ${for_ms} ms${until.length > 0 ? " or until it is woken" : ""}`;
    const due = thinkAt(event.due_at_ms);
    state.agents.put(agent.id, { ...agent, state: "sleeping", reason, due, sleep: null });
  },

  agent_woken: (state, event) => {
    const agent = agentNamed(state, event.agent);
    endSleep(state, agent.id);
    const { reason } = event;
    const due = thinkAt(event.due_at_ms);
    state.agents.put(agent.id, { ...agent, state: "running", reason, due });
  },

  agent_handed_over: (state, event) => {
    const agent = agentNamed(state, event.agent);
    endSleep(state, agent.id);
    if (event.due_at_ms === null) {
      state.agents.put(agent.id, dropped(agent));
      return;
    }
    const reason = `${event.to} owns it now`;
    const due = thinkAt(event.due_at_ms);
    const counters = { ...agent.counters, errors: 0 };
    const next = { state: "running", reason, cause: null, due, counters } as const;
    state.agents.put(agent.id, { ...dropped(agent), ...next });
  },

  agent_bankrupt: (state, event) => {
    const agent = agentOf(state, event);
    const reason = `it was frozen for ${event.frozen_ms} ms without new budget: ${agent.reason}`;
    const end = { state: "stopped", reason, cause: "bankrupt", due: null, needs: null } as const;
    state.agents.put(agent.id, { ...dropped(agent), ...end });
  },

  agent_frozen: (state, event) => {
    const agent = agentOf(state, event);
    const { lacks, needs } = event;
    // Only a lack of model budget ends in bankruptcy.
    const bankruptAfterMs =
      lacks === "llm_budget" ? physicsOf(state).agents.bankrupt_after_ms : null;
    state.agents.put(agent.id, {
      ...agent,
      state: "frozen",
      reason: whyFrozen(event),
      due: bankruptAfterMs === null ? null : thinkAt(event.at_ms + bankruptAfterMs),
      needs: { lacks, amount: needs },
    });
  },

  agent_unfrozen: (state, event) => {
    const agent = agentNamed(state, event.agent);
    state.agents.put(agent.id, {
      ...agent,
      state: "running",
      reason: `funded by ${event.principal}`,
      due: thinkAt(event.due_at_ms),
      needs: null,
    });
  },

  agent_rate_limited: (state, event) => {
    const agent = agentOf(state, event);
    state.agents.put(agent.id, { ...agent, due: thinkAt(event.until_ms) });
  },

  thought_started: (state, event) => {
    const agent = agentOf(state, event);
    state.agents.put(agent.id, {
      ...agent,
      due: { step: "decide", atMs: event.ends_at_ms },
      thinking: { sinceMs: event.at_ms, epoch: agent.epoch },
    });
  },

  thought_completed: (state, event) => {
    const agent = agentOf(state, event);
    const counters = payForThought(state, agent, event);
    state.agents.put(agent.id, {
      ...agent,
      thinking: null,
      due: { step: "act", atMs: event.act_at_ms },
      pending: event.action,
      sleep: event.sleep,
      mind: patched(agent.mind, event.mind),
      counters: { ...counters, thoughts: counters.thoughts + 1 },
    });
    if (event.inbox !== undefined)
      state.inboxes.put(agent.id, inboxAfter(state, agent.id, event.inbox));
  },

  thought_dropped: (state, event) => {
    const agent = agentOf(state, event);
    const counters = payForThought(state, agent, event);
    state.agents.put(agent.id, { ...agent, thinking: null, counters });
  },

  thought_failed: (state, event) => {
    const agent = agentOf(state, event);
    const counters = payForThought(state, agent, event);
    const record: ActionRecord = {
      atMs: event.at_ms,
      action: "think",
      target: null,
      method: null,
      ok: false,
      code: null,
      message: `${event.reason}: ${event.message}`,
    };
    state.agents.put(agent.id, {
      ...waitingAfter(agent, event),
      thinking: null,
      mind: event.mind === undefined ? agent.mind : patched(agent.mind, event.mind),
      counters: {
        ...counters,
        thoughtsFailed: counters.thoughtsFailed + 1,
        errors: counters.errors + 1,
      },
      ...remember(state, agent, { ...record, result: null, cut: false }),
    });
  },

  memory_recorded: (state, event) => {
    const agent = agentOf(state, event);
    state.memories.put(event.artifact_id, event.number);
    state.agents.put(agent.id, { ...agent, remembered: event.through });
  },

  memory_refused: (state, event) => {
    const agent = agentOf(state, event);
    state.agents.put(agent.id, { ...agent, remembered: event.through });
  },

  memory_written: (state, event) => {
    agentOf(state, event);
    useUp(state, event, { bytes_written: event.bytes });
  },

  action_completed: (state, event) => {
    const { charged } = event;
    useUp(state, event, { actions: 1, cpu_gas: charged.gas, bytes_written: charged.bytes });
    const agent = actorOf(state, event);
    if (agent === undefined) return;
    const { counters } = agent;
    state.agents.put(agent.id, {
      ...waitingAfter(agent, { ...event, paused: false }),
      counters: {
        ...counters,
        actions: counters.actions + 1,
        succeeded: counters.succeeded + 1,
        errors: 0,
      },
      ...remember(state, agent, {
        ...recordOf(event),
        ok: true,
        code: null,
        ...(event.result === null
          ? readResult(state, event)
          : { result: event.result, cut: event.cut }),
      }),
    });
  },

  action_refused: (state, event) => {
    const { charged } = event;
    const counted = hadNoActionLeft(state, event) ? 0 : 1;
    useUp(state, event, { actions: counted, cpu_gas: charged.gas, bytes_written: charged.bytes });
    const agent = actorOf(state, event);
    if (agent === undefined) return;
    const { counters } = agent;
    state.agents.put(agent.id, {
      ...waitingAfter(agent, event),
      counters: { ...counters, actions: counters.actions + 1, errors: counters.errors + 1 },
      ...remember(state, agent, {
        ...recordOf(event),
        ok: false,
        code: event.code,
        result: event.result,
        cut: event.cut,
      }),
    });
  },
} satisfies Partial<Changes<EventKind>>;

/** Mixes a new agent's texts into the secret. Once code is written, the secret stays the same. */
const secretWith = (state: State, event: EventOf<"agent_created">): Secret => {
  const { secret, codesWritten } = worldRow(state);
  if (codesWritten > 0) return secret;
  const texts = [event.id, event.memory_artifact_id].map(
    (id) => liveArtifact(state, id)?.content ?? "",
  );
  return sipHash(secret, wordsOf(texts.join(" ")));
};

const inboxAfter = (state: State, id: Id, shown: InboxSeen): Inbox =>
  withSeen(must(state.inboxes.get(id), `an agent must have an inbox: ${id}`), shown);

const thinkAt = (atMs: number | null): Agent["due"] =>
  atMs === null ? null : { step: "think", atMs };

/** Clears the pending action and the sleep, and invalidates a running thought. */
const dropped = (agent: Agent): Agent => ({
  ...agent,
  pending: null,
  sleep: null,
  epoch: agent.epoch + 1,
});

const endSleep = (state: State, id: Id): void => {
  if (state.sleepers.has(id)) state.sleepers.remove(id);
};

const payForThought = (
  state: State,
  agent: Agent,
  event: EventOf<"thought_completed" | "thought_dropped" | "thought_failed">,
): Agent["counters"] => {
  const { usage } = event;
  useUp(state, event, {
    llm_calls: usage.calls,
    llm_tokens: usage.input_tokens + usage.output_tokens,
    micros: usage.cost_micros,
  });
  const { counters } = agent;
  return { ...counters, spentMicros: counters.spentMicros + usage.cost_micros };
};

/** Applies the pause and the time of the next thought. An event can have one, both or neither. */
const waitingAfter = (
  agent: Agent,
  event: { readonly next_at_ms: number | null; readonly paused: boolean; readonly at_ms: number },
): Agent => {
  const { next_at_ms, paused } = event;
  if (next_at_ms === null && !paused) return agent;
  return {
    ...agent,
    state: paused ? "paused" : agent.state,
    reason: paused ? "too many failures in a row" : agent.reason,
    cause: paused ? "failures" : agent.cause,
    due: thinkAt(next_at_ms),
    pending: null,
    sleep: paused ? null : agent.sleep,
    delayMs: next_at_ms === null ? agent.delayMs : next_at_ms - event.at_ms,
  };
};

const remember = (
  state: State,
  agent: Agent,
  last: LastResult,
): Pick<Agent, "actions" | "failures" | "last"> => {
  const { result: _result, cut: _cut, ...record } = last;
  const { action_history_max, failure_history_max } = physicsOf(state).agents;
  return {
    last,
    actions: newest([...agent.actions, record], action_history_max),
    failures: record.ok ? agent.failures : newest([...agent.failures, record], failure_history_max),
  };
};

const newest = (records: readonly ActionRecord[], max: number): readonly ActionRecord[] =>
  records.slice(Math.max(0, records.length - max));

/** True if an action was refused because no actions were left. Such an action is not charged. */
const hadNoActionLeft = (state: State, event: EventOf<"action_refused">): boolean => {
  if (event.code !== "rate_limited") return false;
  const id = must(event.principal, "an action must have a principal");
  return windowLeft(state, id, { resource: "actions", now: event.at_ms }).available < 1;
};

const recordOf = (event: ActionEnd) => ({
  atMs: event.at_ms,
  action: event.action,
  target: event.target,
  method: event.method,
  message: event.message,
});

/** The result of a read action. Takes the text from the artifact, because the event has none. */
const readResult = (
  state: State,
  event: EventOf<"action_completed">,
): Pick<LastResult, "result" | "cut"> => {
  const artifact = state.artifacts.get(asId(event.target ?? ""));
  if (event.action !== "read_artifact" || artifact === undefined)
    return { result: null, cut: false };
  const text = artifact.code ?? artifact.content;
  const max = physicsOf(state).agents.result_kept_chars;
  return { result: cutText(text, max), cut: text.length > max };
};
