import { accept, type CommandOf, type Decision, refuse } from "../command.ts";
import type { Event } from "../event.ts";
import type { State } from "../state.ts";
import type { Agent } from "./agent.ts";
import { stateChange } from "./state-change.ts";

/** The most messages that wait for a mind. */
const WAITING_MAX = 20;
const TEXT_CHARS_MAX = 20_000;

/** Sends a message to an agent, and wakes the agent if it sleeps. */
export const decideMessage = (state: State, command: CommandOf<"send_message">): Decision => {
  const { at_ms, to, text, reset } = command;
  const agent = state.agents.get(to);
  if (agent === undefined) return refuse("not_found", `there is no agent "${to}"`);
  if (agent.state === "stopped") return refuse("invalid_argument", `${to} has stopped for good`);
  if (agent.messages.length >= WAITING_MAX) {
    const full = `${to} has not taken its last ${WAITING_MAX} messages yet; send this one later`;
    return refuse("invalid_argument", full);
  }
  if (text.length > TEXT_CHARS_MAX) {
    const most = `at most ${TEXT_CHARS_MAX}`;
    return refuse("invalid_argument", `a message has ${most} characters, not ${text.length}`);
  }
  const by = { at_ms, principal: null };
  const number = agent.messagesReceived + 1;
  const sent: Event = { ...by, kind: "message_sent", to, number, text, reset };
  const wakes = { to: "running", reason: "it got a message", due_at_ms: at_ms } as const;
  return accept(agent.state === "sleeping" ? [sent, stateChange(by, agent, wakes)] : [sent], null);
};

/** The messages that wait after a mind has taken those up to the number `taken`. */
export const messagesAfter = ({ messages }: Agent, taken: number | undefined): Agent["messages"] =>
  taken === undefined ? messages : messages.filter(({ number }) => number > taken);
