import { accept, type CommandOf, type Decision, type Refused, refuse } from "../command.ts";
import type { Subject } from "../invocation/subject.ts";
import type { Id } from "../primitives/ids.ts";
import type { State } from "../state.ts";

/** Replaces the addresses to which an agent may send messages. Its children keep theirs. */
export const decideContacts = (
  state: State,
  { at_ms, agent, contacts }: CommandOf<"set_contacts">,
): Decision => {
  if (!state.agents.has(agent)) return refuse("not_found", `"${agent}" is not an agent`);
  return accept([{ at_ms, principal: null, kind: "contacts_set", agent, contacts }], null);
};

/** An agent with contacts can write only to them, also by a program that it runs. */
export const contactRefusal = (
  state: State,
  { actor, origin }: Subject,
  to: Id,
): Refused | null => {
  for (const id of [actor, origin]) {
    const contacts = state.agents.get(id)?.contacts ?? null;
    if (contacts === null || contacts.includes(to)) continue;
    const known = contacts.length === 0 ? "no one" : contacts.join(", ");
    return refuse("not_authorized", `${id} may send messages only to ${known}, not to ${to}`);
  }
  return null;
};
