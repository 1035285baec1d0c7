import * as loop from "./agent/iteration.ts";
import { decideProposal, decidePropose } from "./agent/proposal.ts";
import { decideRemember } from "./agent/remember.ts";
import { decideReview } from "./agent/review-terms.ts";
import { decideGive } from "./artifact/ownership.ts";
import { decideRead } from "./artifact/read.ts";
import { decideWrite, type WriteResult } from "./artifact/write.ts";
import {
  accept,
  type Call,
  type Command,
  type CommandOf,
  type Decision,
  type Refused,
  refuse,
} from "./command.ts";
import { decideSale } from "./compute/sale.ts";
import type { EventKind } from "./event.ts";
import { decideSpawn } from "./family/spawn.ts";
import { decideTransfer } from "./genesis/ledger.ts";
import { decideNative, nativeWrites } from "./genesis/natives.ts";
import { decideClose, decideFailure, decideOpen } from "./invocation/invocation.ts";
import { stamp } from "./invocation/subject.ts";
import { decideCharge } from "./ledger/delegation.ts";
import { decideContacts } from "./messages/contacts.ts";
import { decideOperatorMessage } from "./messages/send.ts";
import { decideResolve } from "./mint/auction.ts";
import { decideFailScoring, decideScore } from "./mint/scoring.ts";
import { decideOpenTask } from "./mint/tasks.ts";
import { invariant } from "./primitives/invariant.ts";
import type { Json } from "./primitives/json.ts";
import { decidePlan, decideScheduled } from "./schedule/execute.ts";
import * as setup from "./setup/setup.ts";
import type { State } from "./state.ts";

type Opens = CommandOf<"open_invocation">;
type Writes = CommandOf<"write_artifact">;

/**
 * Decides a command. Returns events, a refusal with its reason, or a question that the world must
 * answer first. `decide` never changes the state; `evolve` applies the events.
 *
 * Each function called below documents the order of its checks. The actor is always the `Subject`
 * in the command, never a value that an agent wrote.
 */
export function decide(state: State, command: Opens): Decision<Call>;
export function decide(state: State, command: Writes): Decision<WriteResult>;
export function decide(state: State, command: Exclude<Command, Opens | Writes>): Decision<Json>;
export function decide(state: State, command: Command): Decision<Answer> {
  if (!isReadOnly(command)) return decisionOn(state, command);
  if (isWrite(command)) return READ_ONLY;
  const decision = decisionOn(state, command);
  return hasEffect(decision) ? READ_ONLY : decision;
}

type Answer = Json | Call | WriteResult;

const decisionOn = <K extends Command["kind"]>(
  state: State,
  command: CommandOf<K>,
): Decision<Answer> => {
  invariant(Object.hasOwn(DECIDERS, command.kind), `unknown kind of command: ${command.kind}`);
  return DECIDERS[command.kind](state, command);
};

const DECIDERS: {
  readonly [K in Command["kind"]]: (state: State, command: CommandOf<K>) => Decision<Answer>;
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
const hasEffect = (decision: Decision<unknown>): boolean => {
  if (decision.kind === "asks") return false;
  return decision.kind === "accepted"
    ? decision.events.some(({ kind }) => !READS.has(kind))
    : decision.refusal.code === "insufficient_funds";
};

/** The kinds of events that calls and reads can cause without paying or changing anything. */
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
