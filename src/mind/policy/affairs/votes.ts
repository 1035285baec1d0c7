import { call, type Duty, reckoning } from "./affairs.ts";
import { lookUp } from "./lookup.ts";

const VOTING = "genesis_voting";
const PROPOSE_EVERY_MS = 150_000;
const OPEN_FOR_S = 45;
const QUORUM = 3;
const LOWER = "lower";

/** Lets the customers decide on the price of model budget, and does what they decided. */
export const askCustomers: Duty = ({ view, memory }) => {
  const pump = view.owned.find(({ type }) => type === "fuel");
  const { ballot } = memory;
  if (pump === undefined || pump.price < 2) return null;
  if (ballot !== null && ballot.passed === null) {
    if (view.now < ballot.ends_ms) return null;
    return {
      action: call(`${VOTING}.get_result`, [ballot.proposal_id]),
      why: "what have the customers decided?",
      affairs: { ...memory, asked: "ballot" },
    };
  }
  if (ballot?.passed === true) {
    const price = Math.max(1, Math.floor(pump.price * 0.8));
    return {
      action: call("genesis_store.set_price", [pump.id, price]),
      why: `${ballot.proposal_id} passed: ${pump.id} goes from ${pump.price} to ${price}`,
      affairs: { ...memory, ballot: { ...ballot, passed: false } },
    };
  }
  if (view.now - (memory.askedAt.ballot ?? 0) < PROPOSE_EVERY_MS) return null;
  const title = `Should ${pump.id} cost a fifth less than ${pump.price}?`;
  const rules = { quorum: QUORUM, threshold: 0.5, deadline_s: OPEN_FOR_S };
  return {
    action: call(`${VOTING}.create_proposal`, [title, [LOWER, "reject"], rules]),
    why: "a price that the customers have agreed to will be paid",
    affairs: {
      ...memory,
      asked: "proposal",
      askedAt: { ...memory.askedAt, ballot: view.now },
      ballot: null,
    },
  };
};

/** Votes once on every proposal: for the first option by taste, and always when short of budget. */
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
    const choice = votes[short || reckoning(view.id, proposal_id) > 0.8 ? 0 : votes.length - 1];
    if (choice === undefined) return null;
    return {
      action: call(`${VOTING}.vote`, [proposal_id, choice.option]),
      why: short ? "model budget is what it will need most" : "it sees no reason for a change",
      affairs: { ...memory, voted: [...memory.voted, proposal_id].slice(-10) },
    };
  };
