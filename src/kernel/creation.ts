import { mintable } from "./account.ts";
import { isAmountOrZero, overflows } from "./amount.ts";
import { crowded, emptyAccount, firstVersion, nameProblem, newborn } from "./birth.ts";
import type { Endowment, WorldCommand } from "./command.ts";
import { accept, type Decision, type Refused, refuse } from "./decision.ts";
import type { Event } from "./event.ts";
import { physicsOf, type State, wholeOf } from "./state.ts";

type Of<K extends WorldCommand["kind"]> = Extract<WorldCommand, { readonly kind: K }>;

export const decideCreateWorld = (state: State, command: Of<"create_world">): Decision => {
  if (state.whole.has("world")) return refuse("already_exists", "a world is created once");
  const { at_ms, physics } = command;
  return accept([{ at_ms, principal: null, kind: "world_created", physics }], null);
};

/** id free → its owner is there → whoever asks a price can be paid. */
export const decideInstall = (state: State, command: Of<"install_artifact">): Decision => {
  const { id, at_ms: at, owner, fields } = command;
  if (state.artifacts.has(id)) return refuse("already_exists", `${id} exists`);
  const stands = fields.has_standing === true;
  if (owner !== id && !state.accounts.has(owner)) {
    return refuse("not_found", `"${owner}" is no principal, and only principals own`);
  }
  const paysNobody = owner === id && !stands;
  if (paysNobody && (fields.price ?? 0) + (fields.read_price ?? 0) > 0) {
    return refuse("invalid_argument", `${id} asks a price and its owner has no account`);
  }
  const occasion = { at, principal: null, by: owner };
  const artifact = firstVersion(state, occasion, { id, owner, fields });
  if (!stands) return accept([artifact], null);
  const account = emptyAccount({ at_ms: at, principal: null }, id, null);
  const disk_quota = owner === id ? artifact.size_bytes + physicsOf(state).genesis.disk_bytes : 0;
  return accept([{ ...account, disk_quota }, artifact], null);
};

/**
 * An agent of the first day: its account, its own artifact, its memory, its loop. The ids are well
 * formed and nobody's → there is room for a principal → the endowment can be counted.
 */
export const decideCreateAgent = (state: State, command: Of<"create_agent">): Decision => {
  const { id, at_ms: at, endowment, content, memory } = command;
  const refused = nameProblem(state, id) ?? crowded(state) ?? endowmentProblem(state, endowment);
  if (refused !== null) return refused;
  const startsAt = command.starts_at_ms;
  const birth = { at, principal: id, by: id, id, owner: id, content, memory, startsAt };
  const born = newborn(state, birth);
  const own_bytes = born.agent.size_bytes + born.memory.size_bytes;
  if (overflows(endowment.disk_bytes, own_bytes)) {
    return refuse(
      "invalid_argument",
      `${endowment.disk_bytes} bytes of disk are too many to count`,
    );
  }
  const account: Event = {
    at_ms: at,
    principal: id,
    kind: "principal_created",
    id,
    scrip: endowment.scrip,
    llm_budget_micros: endowment.llm_budget_micros,
    disk_quota: endowment.disk_bytes + own_bytes,
    quotas: endowment.quotas,
    parent: null,
  };
  return accept([account, born.agent, born.memory, born.loop], null);
};

/** All the scrip there is must be countable, so that no account can ever hold too much to count. */
const endowmentProblem = (state: State, endowment: Endowment): Refused | null => {
  const { scrip, llm_budget_micros, disk_bytes, quotas } = endowment;
  for (const [name, value] of Object.entries({ scrip, llm_budget_micros, disk_bytes, ...quotas })) {
    if (isAmountOrZero(value)) continue;
    return refuse("invalid_argument", `${name} must be a whole number, 0 or more, not ${value}`);
  }
  return scrip > mintable(wholeOf(state).supply)
    ? refuse("invalid_argument", `with ${scrip} more there would be too much scrip to count`)
    : null;
};
