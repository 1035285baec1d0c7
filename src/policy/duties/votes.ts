import { call } from "../core/policy.ts";
import { type Duty, lookUp, valuation } from "./duty.ts";
import { isPump } from "./fuel.ts";

const VOTING = "genesis_voting";
const PROPOSE_EVERY_MS = 150_000;
const OPEN_FOR_S = 45;
const QUORUM = 3;

/** Lets customers vote on a lower price of model budget. Sets that price if the proposal passed. */
export const askCustomers: Duty = ({ view, memory }) => {
  const pump = view.owned.find(isPump);
  const { ballot } = memory;
  if (pump === undefined || pump.price < 2) return null;
  if (ballot !== null && ballot.passed === null) {
    if (view.now < ballot.ends_ms) return null;
    return {
      action: call(`${VOTING}.get_result`, [ballot.proposal_id]),
      why: "what have the customers decided?",
      memory: { ...memory, asked: "ballot" },
    };
  }
  if (ballot?.passed === true) {
    const price = Math.max(1, Math.floor(pump.price * 0.8));
    return {
      action: call("genesis_store.set_price", [pump.id, price]),
      why: `${ballot.proposal_id} passed: ${pump.id} goes from ${pump.price} to ${price}`,
      memory: { ...memory, ballot: { ...ballot, passed: false } },
    };
  }
  if (view.now - (memory.askedAt.ballot ?? 0) < PROPOSE_EVERY_MS) return null;
  const title = `Should ${pump.id} cost a fifth less than ${pump.price}?`;
  const rules = { quorum: QUORUM, threshold: 0.5, deadline_s: OPEN_FOR_S };
  return {
    action: call(`${VOTING}.create_proposal`, [title, ["lower", "reject"], rules]),
    why: "customers pay a price that they have agreed to",
    memory: {
      ...memory,
      asked: "proposal",
      askedAt: { ...memory.askedAt, ballot: view.now },
      ballot: null,
    },
  };
};

/** Votes once per proposal: for option 1 if model budget is short, else for the first or last. */
export const castVote =
  (everyMs: number): Duty =>
  (here) => {
    const { view, memory, thoughtMicros } = here;
    const open = memory.ballots.find(
      ({ proposal_id, by }) => by !== view.id && !memory.voted.includes(proposal_id),
    );
    if (open === undefined) return lookUp("ballots", everyMs)(here);
    const { proposal_id, votes } = open;
    const short = view.account.llmBudgetMicros < 150 * thoughtMicros;
    const choice = votes[short || valuation(view.id, proposal_id) > 0.8 ? 0 : votes.length - 1];
    if (choice === undefined) return null;
    return {
      action: call(`${VOTING}.vote`, [proposal_id, choice.option]),
      why: short ? "it needs cheap model budget" : "it prefers this option",
      memory: { ...memory, voted: [...memory.voted, proposal_id].slice(-10) },
    };
  };
