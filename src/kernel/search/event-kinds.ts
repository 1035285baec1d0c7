import type { EventKind } from "../event.ts";

/** A description of each kind of event, from which a table in `docs/journal.md` is generated. */
export const EVENT_KINDS: { readonly [Kind in EventKind]: string } = {
  world_created: "a world was created; the event has its limits, costs and seed",
  physics_amended:
    "a run was resumed with other settings, or its schedule changed them; the event has the new " +
    "physics",
  schedule_planned: "the changes that the configuration plans for later times",
  schedule_executed:
    "an entry of the schedule was executed; the next events of the transaction are its effects",
  random_drawn: "programs drew random numbers; the event has the new state of the generator",
  principal_created: "an account was opened; the event has the first balance and quotas",
  artifact_written: "an artifact was created or changed; the event has the fields that were set",
  artifact_read: "an artifact was read; the event has the price paid",
  artifact_deleted: "an artifact became a tombstone and its bytes were freed",
  artifact_state_changed: "an artifact's own code changed its state",
  ownership_transferred: "an artifact has a new owner",
  ownership_offered: "an artifact was offered to a new owner, who must accept it",
  ownership_offer_ended:
    "an ownership offer ended because the artifact that made the offer has a new owner",
  dangling_contract:
    "an artifact's access contract is missing, so only the artifact's owner has access",
  artifact_invoked:
    "a call of a program succeeded, alone or inside another call; the event has its price and gas",
  invocation_failed: "a program failed; its effects were rolled back, and its gas was charged",
  scrip_transferred: "scrip moved between accounts; the event has the reason",
  scrip_minted: "new scrip came into the world",
  scrip_burned: "scrip left the world, for example to pay for a genesis method",
  scrip_held: "scrip was set aside for a purpose",
  hold_split: "part of a hold was set aside for a nested call",
  hold_spent: "held scrip was paid out or burned",
  hold_released: "the remainder of a hold was returned",
  proceeds_collected: "the price that the winner of an auction paid became proceeds",
  proceeds_shared: "an active family received its share of the proceeds",
  proceeds_burned: "proceeds left the world, because the configuration says so",
  compute_bid_placed:
    "a principal bid for model budget; the scrip is held, and the bid is secret until the sale",
  compute_bid_cancelled:
    "a bid for model budget ended before a sale; the reason is `withdrawn`, `replaced`, " +
    "`no_auction` (other settings) or `stopped` (its bidder stopped for good)",
  standing_order_set: "a principal set what the world buys for it at each sale",
  compute_sold: "model budget was sold; the event has the price per lot and the numbers of lots",
  compute_bought: "a principal bought new model budget from the world, in lots",
  compute_granted: "an agent received its share of a supply that the world divides equally",
  budget_issued: "the schedule gave new model budget to a principal",
  budget_withdrawn: "the schedule took model budget from a principal",
  budget_transferred: "model budget moved between accounts, in micro-dollars",
  quota_transferred: "disk quota or window quota moved between accounts",
  delegation_granted: "a principal allowed a contract to charge this principal, within limits",
  delegation_revoked:
    "a principal ended a grant, so the contract can no longer charge this principal",
  delegation_used: "a contract charged a principal under its grant",
  bid_placed:
    "an artifact was bid; the scrip is held, and the amount is secret until the auction ends",
  bid_cancelled:
    "a bid ended before its auction because the bid was cancelled or the artifact got a new owner",
  auction_resolved:
    "an auction ended; the event has the winners and the one price that they all pay",
  artifact_scored:
    "a winning artifact was scored; the event has the score (0 to 100) and the reason",
  scoring_failed:
    "a winning artifact could not be scored; the price that the winner paid was returned",
  task_posted: "a task with tests and a reward was offered to all agents",
  task_solved: "an artifact passed every test of a task, and the artifact's owner got the reward",
  task_withdrawn: "a task was withdrawn by its poster",
  action_completed:
    "an action succeeded; the event has its cost, its result and the time of the next thought",
  action_refused:
    "an action was refused or failed; the event has the reason and the time of the next thought",
  agent_created: "an agent was created and will think",
  agent_state_changed: "an agent changed its state; the event has both states and the reason",
  agent_frozen: "an agent has too little model budget or quota for its next thought or action",
  agent_unfrozen: "a frozen agent received the budget or quota that it lacked",
  agent_rate_limited: "an agent waits because it has used up a quota for the current window",
  thought_started: "a language model looked at the world and thinks until a set time",
  thought_completed:
    "a mind decided on an action; the event has the reason, memories and the time of the action",
  thought_dropped: "a thought arrived too late and was dropped, but its cost counts",
  agent_handed_over: "an agent has a new owner; its pending action was dropped",
  memory_recorded:
    "an agent recorded a memory in a memory artifact; the memory index is built from these events",
  memory_written:
    "an agent's memory artifact was written without an action; the event has the bytes written",
  workspace_changed: "files in an agent's workspace changed; the event has the changes",
  memory_refused: "an agent's memory artifact could not be written; the event has the reason",
  agent_bankrupt:
    "an agent stopped because it was frozen for too long and what it offers buys no model budget",
  bankruptcy_deferred: "a frozen agent can buy model budget, so it waits for the next sale",
  thought_failed: "a mind failed to decide",
  message_sent:
    "a message was delivered; `operator` is the operator of the run, who can also reset the " +
    "conversation of an agent",
  messages_read:
    "a principal marked messages as read; a completed thought also marks those that it was shown",
  sender_blocked: "a principal refuses all further messages of a sender",
  sender_unblocked: "a principal accepts messages of a sender again",
  contacts_set: "to whom an agent may send messages; null: to all",
  review_set: "which actions of an agent wait for a reviewer, and what happens without an answer",
  action_proposed:
    "an action of an agent waits for a reviewer; the event has the most scrip that it can cost",
  proposal_decided:
    "a reviewer accepted or edited an action, or refused it with a text; or the default did",
};
