import { accept, type CommandOf, type Decision, type Refused, refuse } from "../command.ts";
import type { Subject } from "../invocation/subject.ts";
import type { Id } from "../primitives/ids.ts";
import type { State } from "../state.ts";
import { mailboxOf } from "./mailbox.ts";

/** Replaces the addresses to which an agent may send messages. Its children keep theirs. */
export const decideContacts = (
  state: State,
  { at_ms, agent, contacts }: CommandOf<"set_contacts">,
): Decision => {
  if (!state.agents.has(agent)) return refuse("not_found", `"${agent}" is not an agent`);
  return accept([{ at_ms, principal: null, kind: "contacts_set", agent, contacts }], null);
};

/**
 * Refuses a private text, in a message or a notification, to a principal that is not a contact of
 * its writer or has blocked its writer.
 */
export const unwantedRefusal = (state: State, by: Subject, to: Id): Refused | null =>
  contactRefusal(state, by, to) ?? blockRefusal(state, by, to);

/**
 * An agent with contacts can write only to them, also by a program that it runs. The program can
 * write to this agent itself.
 */
const contactRefusal = (state: State, { actor, origin }: Subject, to: Id): Refused | null => {
  for (const id of [actor, origin]) {
    const contacts = state.agents.get(id)?.contacts ?? null;
    if (contacts === null || id === to || contacts.includes(to)) continue;
    const known = contacts.length === 0 ? "no one" : contacts.join(", ");
    return refuse("not_authorized", `${id} may send messages only to ${known}, not to ${to}`);
  }
  return null;
};

/** A block also applies to the programs that the sender owns or runs. */
const blockRefusal = (state: State, { actor, origin }: Subject, to: Id): Refused | null => {
  const { blocked } = mailboxOf(state, to);
  const owner = state.artifacts.get(actor)?.owner ?? actor;
  if (![actor, origin, owner].some((id) => blocked.includes(id))) return null;
  return refuse("not_authorized", `${to} has blocked your messages; write to another principal`);
};
