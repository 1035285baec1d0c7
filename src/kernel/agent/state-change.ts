import type { AgentStateChange, Event, EventOf, Stamp } from "../event.ts";
import { physicsOf, type State } from "../state.ts";
import { type Agent, type Shortage, whyFrozen } from "./agent.ts";

/** Returns the event that changes the state of an agent. */
export const stateChange = (
  { at_ms, principal }: Stamp,
  { id, state: from }: Agent,
  change: AgentStateChange,
): EventOf<"agent_state_changed"> => ({
  at_ms,
  principal,
  kind: "agent_state_changed",
  agent: id,
  from,
  ...change,
});

/** Returns the events that freeze an agent. Only a lack of model budget ends in bankruptcy. */
export const freezeEvents = (
  state: State,
  agent: Agent,
  { at_ms, ...lack }: Shortage & { readonly at_ms: number },
): readonly Event[] => {
  const by = { at_ms, principal: agent.id };
  const { bankrupt_after_ms } = physicsOf(state).agents;
  const isFinal = lack.lacks === "llm_budget" && bankrupt_after_ms !== null;
  const due_at_ms = isFinal ? at_ms + bankrupt_after_ms : null;
  const frozen = { to: "frozen", reason: whyFrozen(lack), due_at_ms } as const;
  return [{ ...by, kind: "agent_frozen", ...lack }, stateChange(by, agent, frozen)];
};
