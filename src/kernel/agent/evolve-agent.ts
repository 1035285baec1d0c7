import type { ActionEnd, Event, EventKind, EventOf, InboxSeen } from "../event.ts";
import { useUp } from "../ledger/books.ts";
import { windowLeft } from "../ledger/quota.ts";
import { markRead } from "../messages/evolve-messages.ts";
import { asId, type Id } from "../primitives/ids.ts";
import { must } from "../primitives/invariant.ts";
import { cutText } from "../primitives/json.ts";
import { patched } from "../primitives/patch.ts";
import { type Secret, sipHash, wordsOf } from "../primitives/siphash.ts";
import { type Changes, liveArtifact, physicsOf, type State, worldRow } from "../state.ts";
import {
  type ActionRecord,
  type Agent,
  type LastResult,
  NO_COUNTERS,
  whyLimited,
} from "./agent.ts";
import { emptyInbox, type Inbox, withSeen } from "./inbox.ts";
import { acceptedProposal, endProposal, keptReasoning } from "./proposal.ts";

const agentOf = (state: State, event: Event): Agent =>
  must(actorOf(state, event), `the agent of a recorded event must exist: ${event.principal}`);

const agentNamed = (state: State, id: Id): Agent =>
  must(state.agents.get(id), `the agent of a recorded event must exist: ${id}`);

const actorOf = (state: State, event: Event): Agent | undefined =>
  event.principal === null ? undefined : state.agents.get(event.principal);

const noChange = (): void => {};

/** The reason of an agent until its state changes or a window is used up. */
const ALWAYS_RAN = "it has run since it was created";

export const AGENT_CHANGES = {
  agent_created: (state, event) => {
    const world = worldRow(state);
    const secret = secretWith(state, event);
    state.world.put("world", { ...world, agentsMade: event.order + 1, secret });
    state.agents.put(event.id, {
      id: event.id,
      order: event.order,
      group: event.group,
      contacts: event.contacts ?? null,
      values: event.values ?? {},
      state: "running",
      reason: ALWAYS_RAN,
      cause: null,
      due: { step: "think", atMs: event.due_at_ms },
      thinking: null,
      pending: null,
      reasoning: "",
      sleep: null,
      epoch: 0,
      needs: null,
      waitsFor: null,
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
    const agent = agentNamed(state, event.agent);
    const { at_ms, from, to, reason, cause = null, sleep } = event;
    endSleep(state, agent.id);
    if (sleep !== undefined && sleep.until.length > 0) {
      const earliestMs = at_ms + agent.delayMs;
      state.sleepers.put(agent.id, { agent: agent.id, until: sleep.until, earliestMs });
    }
    const accepted = from === "in_review" ? acceptedProposal(state, agent.id) : null;
    // Any other end of a review ends the proposal.
    if (to !== "in_review" && accepted === null) endProposal(state, agent.id);
    const due = dueAt(accepted === null ? "think" : "act", event.due_at_ms);
    const needs = to === "frozen" ? agent.needs : null;
    // A sleep or a review does not reset the number of failures.
    const isForgiven = to === "running" && from !== "sleeping" && from !== "in_review";
    state.agents.put(agent.id, {
      ...dropped(agent),
      ...{ state: to, reason, cause, due, needs, waitsFor: null },
      ...(isForgiven ? unburdened(state, agent) : {}),
      ...(accepted === null ? {} : { pending: accepted.action, sleep: accepted.sleep }),
    });
  },

  /** The change of state is an event of its own. */
  agent_handed_over: noChange,
  agent_bankrupt: noChange,
  agent_unfrozen: noChange,

  bankruptcy_deferred: (state, event) => {
    const agent = agentOf(state, event);
    state.agents.put(agent.id, { ...agent, due: thinkAt(event.due_at_ms) });
  },

  agent_frozen: (state, event) => {
    const agent = agentOf(state, event);
    const { lacks, needs, terms = null } = event;
    state.agents.put(agent.id, {
      ...agent,
      needs: { lacks, amount: needs, terms, sinceMs: event.at_ms },
    });
  },

  agent_rate_limited: (state, event) => {
    const agent = agentOf(state, event);
    const { resource, until_ms } = event;
    const reason = whyLimited(resource, until_ms);
    const waits = { reason, waitsFor: resource, due: thinkAt(until_ms) };
    state.agents.put(agent.id, { ...agent, ...waits });
  },

  thought_started: (state, event) => {
    const agent = agentOf(state, event);
    state.agents.put(agent.id, {
      ...withRoom(agent),
      due: { step: "decide", atMs: event.ends_at_ms },
      thinking: { sinceMs: event.at_ms, epoch: agent.epoch },
    });
  },

  contacts_set: (state, { agent: id, contacts }) => {
    const agent = must(state.agents.get(id), `contacts must belong to an agent: ${id}`);
    state.agents.put(id, { ...agent, contacts });
  },

  thought_completed: (state, event) => {
    const agent = agentOf(state, event);
    const counters = payForThought(state, agent, event);
    state.agents.put(agent.id, {
      ...withRoom(agent),
      thinking: null,
      due: { step: "act", atMs: event.act_at_ms },
      pending: event.action,
      reasoning: keptReasoning(state, agent.id, event.reasoning),
      sleep: event.sleep,
      mind: patched(agent.mind, event.mind),
      // The mind has seen the feedback, and no later action has this result.
      last: agent.last?.isFeedback === true ? null : agent.last,
      counters: { ...counters, thoughts: counters.thoughts + 1 },
    });
    if (event.inbox !== undefined)
      state.inboxes.put(agent.id, inboxAfter(state, agent.id, event.inbox));
    if (event.read_through !== undefined) markRead(state, agent.id, event.read_through);
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
      ...waitingUntil(withRoom(agent), event),
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
    endAccepted(state, agent);
    const { counters } = agent;
    state.agents.put(agent.id, {
      ...waitingUntil(agent, event),
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
    endAccepted(state, agent);
    const { counters } = agent;
    state.agents.put(agent.id, {
      ...waitingUntil(agent, event),
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

const dueAt = (step: "think" | "act", atMs: number | null): Agent["due"] =>
  atMs === null ? null : { step, atMs };

const thinkAt = (atMs: number | null): Agent["due"] => dueAt("think", atMs);

/** Ends an accepted proposal whose action has been executed. */
const endAccepted = (state: State, { id }: Agent): void => {
  if (acceptedProposal(state, id) !== null) endProposal(state, id);
};

/** Clears the pending action and the sleep, and invalidates a running thought. */
const dropped = (agent: Agent): Agent => ({
  ...agent,
  pending: null,
  reasoning: "",
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

/** Sets the time of the next thought. If it is null, the agent is not running or pauses next. */
const waitingUntil = (
  agent: Agent,
  { next_at_ms, at_ms }: { readonly next_at_ms: number | null; readonly at_ms: number },
): Agent =>
  next_at_ms === null
    ? agent
    : {
        ...agent,
        ...{ due: thinkAt(next_at_ms), pending: null, reasoning: "" },
        delayMs: next_at_ms - at_ms,
      };

/** An agent that thinks no longer waits for a window. */
const withRoom = (agent: Agent): Agent => {
  const { waitsFor } = agent;
  if (waitsFor === null) return agent;
  return { ...agent, waitsFor: null, reason: `its window of ${waitsFor} had room again` };
};

/** An agent that starts again has no failures and the shortest delay. */
const unburdened = (state: State, agent: Agent): Pick<Agent, "counters" | "delayMs"> => ({
  counters: { ...agent.counters, errors: 0 },
  delayMs: physicsOf(state).agents.min_delay_ms,
});

const remember = (
  state: State,
  agent: Agent,
  last: Omit<LastResult, "isFeedback">,
): Pick<Agent, "actions" | "failures" | "last"> => {
  const { result: _result, cut: _cut, ...record } = last;
  const { action_history_max, failure_history_max } = physicsOf(state).agents;
  return {
    last: { ...last, isFeedback: false },
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
