import { decideAmend, decideRewrite } from "./amendment.ts";
import { decideCharge } from "./charge.ts";
import type { ActCommand, AgentCommand, Command, WorldCommand } from "./command.ts";
import { decideCreateAgent, decideCreateWorld, decideInstall } from "./creation.ts";
import { accept, type Decision, refuse } from "./decision.ts";
import { decideNative, decideTransfer } from "./genesis/index.ts";
import { unreachable } from "./invariant.ts";
import { type Call, decideClose, decideFailure, decideOpen } from "./invocation.ts";
import {
  decideAgentState,
  decideBankruptcy,
  decideEnd,
  decideFailedThought,
  decideFreeze,
  decideLimit,
  decideThought,
} from "./iteration.ts";
import type { Json } from "./json.ts";
import { decideMint } from "./mint/index.ts";
import { decideGive } from "./ownership.ts";
import { decideRead } from "./read.ts";
import { decideRemember } from "./remembering.ts";
import { decideSpawn } from "./spawn.ts";
import type { State } from "./state.ts";
import { stamp } from "./subject.ts";
import { decideWrite, type Written } from "./write.ts";

type Opens = Extract<Command, { readonly kind: "open_invocation" }>;
type Writes = Extract<Command, { readonly kind: "write_artifact" }>;

/**
 * The physics. A command asks; the answer is what happened, a refusal with its reason, or a
 * question to an access contract. Nothing is changed here: `evolve` applies the events.
 *
 * Each case is a ladder of checks in the order its own file states. Who acts is always the
 * `Subject` in the command, never something an agent wrote.
 */
export function decide(state: State, command: Opens): Decision<Call>;
export function decide(state: State, command: Writes): Decision<Written>;
export function decide(state: State, command: Exclude<Command, Opens | Writes>): Decision<Json>;
export function decide(state: State, command: Command): Decision<Json | Call | Written> {
  switch (command.kind) {
    case "create_world":
    case "install_artifact":
    case "create_agent":
    case "amend_physics":
    case "rewrite_agent":
      return decideForWorld(state, command);
    case "resolve_auction":
    case "score_artifact":
    case "fail_scoring":
    case "open_task":
      return decideMint(state, command);
    case "complete_thought":
    case "fail_thought":
    case "remember":
    case "freeze_agent":
    case "declare_bankrupt":
    case "limit_agent":
    case "change_agent_state":
      return decideForAgent(state, command);
    default:
      return decideAct(state, command);
  }
}

const decideForWorld = (state: State, command: WorldCommand): Decision => {
  switch (command.kind) {
    case "create_world":
      return decideCreateWorld(state, command);
    case "install_artifact":
      return decideInstall(state, command);
    case "create_agent":
      return decideCreateAgent(state, command);
    case "amend_physics":
      return decideAmend(state, command);
    case "rewrite_agent":
      return decideRewrite(state, command);
    default:
      return unreachable(command);
  }
};

const decideForAgent = (state: State, command: AgentCommand): Decision => {
  switch (command.kind) {
    case "complete_thought":
      return decideThought(state, command);
    case "fail_thought":
      return decideFailedThought(state, command);
    case "remember":
      return decideRemember(state, command);
    case "freeze_agent":
      return decideFreeze(state, command);
    case "declare_bankrupt":
      return decideBankruptcy(state, command);
    case "limit_agent":
      return decideLimit(state, command);
    case "change_agent_state":
      return decideAgentState(state, command);
    default:
      return unreachable(command);
  }
};

/** Inside an access contract an actor looks and may not touch. */
const TOUCHES: ReadonlySet<ActCommand["kind"]> = new Set([
  "write_artifact",
  "pay",
  "charge",
  "give",
  "create_principal",
]);

const decideAct = (state: State, command: ActCommand): Decision<Json | Call | Written> => {
  if (TOUCHES.has(command.kind) && "by" in command && command.by.readOnly) {
    return refuse("not_authorized", "an access contract looks and may not change anything");
  }
  switch (command.kind) {
    case "read_artifact":
      return decideRead(state, command);
    case "write_artifact":
      return decideWrite(state, command);
    case "open_invocation":
      return decideOpen(state, command);
    case "close_invocation":
      return decideClose(state, command.call, command.ran);
    case "fail_invocation":
      return decideFailure(command.by, command.request, command.failed);
    case "call_native":
      return decideNative(state, command);
    case "create_principal":
      return decideSpawn(state, { ...command, fees: [] });
    case "pay": {
      const { by, to, scrip: amount } = command;
      return decideTransfer(state, { by, to, amount, fees: [], reason: "pay" });
    }
    case "charge":
      return decideCharge(state, command);
    case "give":
      return decideGive(state, command);
    case "keep_draws": {
      const { by, draws, prng } = command;
      return accept([{ ...stamp(by), kind: "random_drawn", draws, prng }], null);
    }
    case "end_action":
      return decideEnd(state, command);
    default:
      return unreachable(command);
  }
};
