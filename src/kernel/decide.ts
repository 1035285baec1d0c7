import { type Call, decideClose, decideFailure, decideOpen } from "./action/invocation.ts";
import { decideRead } from "./action/read.ts";
import { decideGive } from "./action/transfer.ts";
import { decideWrite, type WriteResult } from "./action/write.ts";
import type { Command, CommandOf } from "./command.ts";
import { decideSale } from "./compute/sale.ts";
import { accept, type Decision, type Refused, refuse } from "./core/decision.ts";
import { invariant } from "./core/errors.ts";
import type { Json } from "./core/json.ts";
import { EVENTS, type Event } from "./event.ts";
import { decideSpawn } from "./family/spawn.ts";
import { decideNative, nativeWrites } from "./genesis/natives.ts";
import { decideCharge } from "./ledger/delegation.ts";
import { decideTransfer } from "./ledger/payment.ts";
import { stamp } from "./ledger/subject.ts";
import * as loop from "./loop/iteration.ts";
import { decideRemember } from "./loop/remember.ts";
import { decideProposal, decidePropose, decideReview } from "./loop/review.ts";
import { decideContacts, decideOperatorMessage } from "./messages/send.ts";
import { decideResolve } from "./mint/auction.ts";
import { decideFailScoring, decideScore } from "./mint/scoring.ts";
import { decideOpenTask } from "./mint/tasks.ts";
import { decidePlan, decideScheduled } from "./schedule/schedule.ts";
import * as setup from "./setup/setup.ts";
import type { State } from "./state.ts";

/** What `decide` returns: events and an answer, a refusal, or a question for the world. */
export type Decided<Answer = Json> = Decision<Answer, Event>;

type Opens = CommandOf<"open_invocation">;
type Writes = CommandOf<"write_artifact">;

/**
 * Decides a command. Returns events, a refusal with its reason, or a question that the world must
 * answer first. `decide` never changes the state; `evolve` applies the events.
 *
 * Each function called below documents the order of its checks. The actor is always the `Subject`
 * in the command, never a value that an agent wrote.
 */
export function decide(state: State, command: Opens): Decided<Call>;
export function decide(state: State, command: Writes): Decided<WriteResult>;
export function decide(state: State, command: Exclude<Command, Opens | Writes>): Decided<Json>;
export function decide(state: State, command: Command): Decided<Answer> {
  if (!isReadOnly(command)) return decisionOn(state, command);
  if (isWrite(command)) return READ_ONLY;
  const decision = decisionOn(state, command);
  return hasEffect(decision) ? READ_ONLY : decision;
}

type Answer = Json | Call | WriteResult;

const decisionOn = <K extends Command["kind"]>(
  state: State,
  command: CommandOf<K>,
): Decided<Answer> => {
  invariant(Object.hasOwn(DECIDERS, command.kind), `unknown kind of command: ${command.kind}`);
  return DECIDERS[command.kind](state, command);
};

const DECIDERS: {
  readonly [K in Command["kind"]]: (state: State, command: CommandOf<K>) => Decided<Answer>;
} = {
  create_world: setup.decideCreateWorld,
  install_artifact: setup.decideInstall,
  create_agent: setup.decideCreateAgent,
  amend_physics: setup.decideAmend,
  rewrite_agent: setup.decideRewrite,
  set_contacts: decideContacts,
  set_review: decideReview,
  plan_schedule: decidePlan,
  execute_scheduled: decideScheduled,

  read_artifact: decideRead,
  write_artifact: decideWrite,
  open_invocation: decideOpen,
  close_invocation: decideClose,
  fail_invocation: (_state, command) => decideFailure(command),
  call_native: decideNative,
  create_principal: (state, command) => decideSpawn(state, { ...command, fees: [] }),
  pay: (state, { by, to, scrip: amount }) =>
    decideTransfer(state, { by, to, amount, fees: [], reason: "pay" }),
  charge: decideCharge,
  give: decideGive,
  record_draws: (_state, { by, draws, prng }) =>
    accept([{ ...stamp(by), kind: "random_drawn", draws, prng }], null),
  end_action: loop.decideEnd,

  start_thought: loop.decideThoughtStart,
  complete_thought: loop.decideThought,
  fail_thought: loop.decideFailedThought,
  remember: decideRemember,
  freeze_agent: loop.decideFreeze,
  declare_bankrupt: loop.decideBankruptcy,
  limit_agent: loop.decideLimit,
  change_agent_state: loop.decideAgentState,
  propose_action: decidePropose,
  decide_proposal: decideProposal,
  send_message: decideOperatorMessage,

  sell_compute: decideSale,
  resolve_auction: decideResolve,
  score_artifact: decideScore,
  fail_scoring: decideFailScoring,
  open_task: decideOpenTask,
};

/** True if the command comes from an access contract. Access contracts may only read. */
const isReadOnly = (command: Command): boolean => {
  if ("by" in command) return command.by.readOnly;
  return command.kind === "close_invocation" && command.call.self.readOnly;
};

/** True for commands that are refused to an access contract even if they would change nothing. */
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

/** True if the decision pays or changes something, or would do so with more funds. */
const hasEffect = (decision: Decided<unknown>): boolean => {
  if (decision.kind === "asks") return false;
  return decision.kind === "accepted"
    ? decision.events.some(({ kind }) => EVENTS[kind].isRead !== true)
    : decision.refusal.code === "insufficient_funds";
};

const READ_ONLY: Refused = refuse(
  "not_authorized",
  "an access contract may only read; it cannot pay or change anything",
);
