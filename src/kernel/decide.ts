import {
  decideAgentState,
  decideBankruptcy,
  decideEnd,
  decideFailedThought,
  decideFreeze,
  decideLimit,
  decideThought,
} from "./agent/iteration.ts";
import { decideRemember } from "./agent/remembering.ts";
import { decideGive } from "./artifact/ownership.ts";
import { decideRead } from "./artifact/read.ts";
import { decideWrite, type Written } from "./artifact/write.ts";
import {
  accept,
  type Call,
  type Command,
  type CommandOf,
  type Decision,
  type Refused,
  refuse,
} from "./command.ts";
import type { EventKind } from "./event.ts";
import { decideSpawn } from "./family/spawn.ts";
import { decideTransfer } from "./genesis/ledger.ts";
import { decideNative, nativeWrites } from "./genesis/natives.ts";
import { decideClose, decideFailure, decideOpen } from "./invocation/invocation.ts";
import { stamp } from "./invocation/subject.ts";
import { decideCharge } from "./ledger/delegation.ts";
import { decideResolve } from "./mint/auction.ts";
import { decideFailScoring, decideScore } from "./mint/scoring.ts";
import { decideOpenTask } from "./mint/tasks.ts";
import { unreachable } from "./primitives/invariant.ts";
import type { Json } from "./primitives/json.ts";
import {
  decideAmend,
  decideCreateAgent,
  decideCreateWorld,
  decideInstall,
  decideRewrite,
} from "./setup/setup.ts";
import type { State } from "./state.ts";

type Opens = CommandOf<"open_invocation">;
type Writes = CommandOf<"write_artifact">;

/**
 * Decides a command: events, a refusal with its reason, or a question that the world must answer
 * first. `decide` never changes the state; `evolve` applies the events.
 *
 * Each function called below documents the order of its checks. The actor is always the `Subject`
 * in the command, never a value that an agent wrote.
 */
export function decide(state: State, command: Opens): Decision<Call>;
export function decide(state: State, command: Writes): Decision<Written>;
export function decide(state: State, command: Exclude<Command, Opens | Writes>): Decision<Json>;
export function decide(state: State, command: Command): Decision<Json | Call | Written> {
  if (!isReadOnly(command)) return decisionOn(state, command);
  if (isWrite(command)) return READ_ONLY;
  const decision = decisionOn(state, command);
  return hasEffect(decision) ? READ_ONLY : decision;
}

const decisionOn = (state: State, command: Command): Decision<Json | Call | Written> => {
  switch (command.kind) {
    // From the runner.
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

    // From an actor: an agent at the top of an action, or a program inside it.
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

    // From the loop of an agent.
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

    // From the clock of the mint.
    case "resolve_auction":
      return decideResolve(state, command);
    case "score_artifact":
      return decideScore(state, command);
    case "fail_scoring":
      return decideFailScoring(state, command);
    case "open_task":
      return decideOpenTask(state, command);
    default:
      return unreachable(command);
  }
};

/** True for commands from inside an access contract, which may read but change nothing. */
const isReadOnly = (command: Command): boolean => {
  if ("by" in command) return command.by.readOnly;
  return command.kind === "close_invocation" && command.call.self.readOnly;
};

/** Commands that are refused inside an access contract before anything else is checked. */
const isWrite = (command: Command): boolean => {
  switch (command.kind) {
    case "write_artifact":
    case "pay":
    case "charge":
    case "give":
    case "create_principal":
      return true;
    case "call_native":
      return nativeWrites(command);
    default:
      return false;
  }
};

/** `insufficient_funds` means that a payment was attempted. */
const hasEffect = (decision: Decision<unknown>): boolean => {
  if (decision.kind === "asks") return false;
  return decision.kind === "accepted"
    ? decision.events.some(({ kind }) => !READS.has(kind))
    : decision.refusal.code === "insufficient_funds";
};

/** The events of reads and of calls that pay nothing and change nothing. */
const READS: ReadonlySet<EventKind> = new Set([
  "artifact_read",
  "artifact_invoked",
  "invocation_failed",
  "dangling_contract",
]);

const READ_ONLY: Refused = refuse(
  "not_authorized",
  "an access contract may only read; it cannot pay or change anything",
);
