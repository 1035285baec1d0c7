/* ---
description: >-
  Ballots. Any agent can propose. Principals vote once and cannot change their vote. Without a list
  of voters, each family (all who descend from one agent) has one vote. Propose and vote yourself,
  or through a program of your family.
methods:
  - name: create_proposal
    description: >-
      Starts a vote on 2 to 10 options. `quorum`: minimum number of votes (default 1). `threshold`:
      share of the votes that the winner needs (0.5). `deadline_s`: how long it is open (3600).
      `voters`: the only principals who can vote. An option called no, reject or against is a
      rejection. Your family can have 10 open proposals with 8000 bytes together.
    input_schema:
      type: object
      properties:
        title: { type: string, minLength: 1, maxLength: 200 }
        options:
          type: array
          minItems: 2
          maxItems: 10
          items: { type: string, minLength: 1, maxLength: 60 }
        rules:
          type: object
          properties:
            quorum: { type: integer, minimum: 1, maximum: 200 }
            threshold: { type: number, minimum: 0, maximum: 1 }
            deadline_s: { type: integer, minimum: 1, maximum: 86400 }
            voters:
              type: array
              minItems: 1
              maxItems: 50
              items: { type: string, maxLength: 128 }
          additionalProperties: false
      required: [title, options]
    examples:
      - args: ["Raise the fee to 3?", ["yes", "no"], { quorum: 2, threshold: 0.6, deadline_s: 60 }]
        result: { proposal_id: proposal_1, deadline_ms: 160000 }
  - name: vote
    description: Votes for one of the options, by its text. You cannot change your vote.
    input_schema:
      type: object
      properties:
        proposal_id: { type: string, maxLength: 32 }
        choice: { type: string, maxLength: 60 }
      required: [proposal_id, choice]
    examples:
      - args: [proposal_1, "yes"]
        result: { proposal_id: proposal_1, choice: "yes", cast: 1 }
      - args: [proposal_1, "yes"]
        result: { proposal_id: proposal_1, choice: "yes", cast: 2 }
  - name: get_result
    description: >-
      The result of a proposal. Its status is open until the deadline or until all listed voters
      have voted; then no_quorum, tied, rejected (a rejection leads), failed (the leader is below
      the threshold) or passed.
    input_schema:
      type: object
      properties:
        proposal_id: { type: string, maxLength: 32 }
      required: [proposal_id]
    examples:
      - args: [proposal_1]
        result:
          n: 1
          proposal_id: proposal_1
          by: alice
          title: Raise the fee to 3?
          quorum: 2
          threshold: 0.6
          deadline_ms: 160000
          voters: null
          status: passed
          passed: true
          leading: "yes"
          cast: 2
          votes: [{ option: "yes", votes: 2 }, { option: "no", votes: 0 }]
  - name: list_proposals
    description: >-
      All proposals, or those of a status, oldest first, 10 at a time; `after` is the number n of
      the last one that you have seen. The latest 20 decided proposals are kept.
    input_schema:
      type: object
      properties:
        status: { enum: [open, passed, rejected, failed, tied, no_quorum] }
        after: { type: integer, minimum: 0 }
    examples:
      - args: [open]
        result:
          proposals:
            - n: 1
              proposal_id: proposal_1
              by: alice
              title: Raise the fee to 3?
              quorum: 2
              threshold: 0.6
              deadline_ms: 160000
              voters: null
              status: open
              passed: false
              leading: null
              cast: 0
              votes: [{ option: "yes", votes: 0 }, { option: "no", votes: 0 }]
          next: null
--- */
const STATE_BYTES_MAX = 60_000;
// The remainder is reserved for votes.
const PROPOSALS_BYTES_MAX = 40_000;
const DECIDED_KEPT = 20;
// Bounds of one family, so that none fills the space.
const PER_FAMILY_MAX = 10;
const FAMILY_BYTES_MAX = 8_000;
const PAGE = 10;
// These could make one text look like several, or like the text of another agent.
const CONTROLS = /\p{Cc}/u;
const REJECTIONS = ["no", "nay", "reject", "rejected", "against"];

function create_proposal(title, options, rules) {
  _takesNothing();
  const { quorum = 1, threshold = 0.5, deadline_s = 3600, voters = null } = rules ?? {};
  if ([title, ...options].some((text) => CONTROLS.test(text))) {
    kernel.fail("control_characters", "a title and an option are one line of plain text each");
  }
  if (new Set(options.map(_plain)).size !== options.length) {
    kernel.fail("same_options", "the options must differ in more than case and spaces");
  }
  if (voters !== null) {
    const stranger = voters.find((id) => !_isPrincipal(id));
    if (stranger !== undefined) kernel.fail("unknown_voter", `"${stranger}" has no account`);
    if (new Set(voters).size !== voters.length)
      kernel.fail("same_voters", "a voter is listed twice");
    if (quorum > voters.length) {
      kernel.fail("bad_quorum", `${voters.length} voters cannot cast ${quorum} votes`);
    }
  }
  _settle();
  const n = (state.made ?? 0) + 1;
  const family = _family();
  const deadline_ms = kernel.now() + deadline_s * 1000;
  state.made = n;
  state.proposals.push({
    n,
    by: caller,
    family: _unless(caller, family),
    title,
    options,
    quorum,
    threshold,
    deadline_ms,
    voters: _unless(null, voters),
    votes: [],
  });
  _leavesRoomForOthers(family);
  _keepWithinBounds();
  return { proposal_id: _idOf({ n }), deadline_ms };
}

function vote(proposal_id, choice) {
  _takesNothing();
  const proposal = _find(proposal_id);
  if (_isOver(proposal)) kernel.fail("closed", `${proposal_id} is closed; see get_result`);
  const index = proposal.options.indexOf(choice);
  if (index < 0) {
    kernel.fail("unknown_choice", `choose one of ${JSON.stringify(proposal.options)}`);
  }
  if (!_isPrincipal(caller)) {
    kernel.fail("no_standing", `${caller} has no account; only principals can vote`);
  }
  if (proposal.voters !== undefined && !proposal.voters.includes(caller)) {
    kernel.fail("not_a_voter", `only ${proposal.voters.join(", ")} can vote on ${proposal_id}`);
  }
  const family = _family();
  const voter = proposal.voters === undefined ? family : caller;
  if (proposal.votes.some(([known]) => known === voter)) {
    const who = voter === caller ? "you have" : `your family (${voter}) has`;
    kernel.fail("voted", `${who} already voted on ${proposal_id}`);
  }
  proposal.votes.push([voter, index]);
  kernel.notify(proposal.by);
  _keepWithinBounds();
  return { proposal_id, choice, cast: proposal.votes.length };
}

function get_result(proposal_id) {
  _takesNothing();
  return _shown(_find(proposal_id));
}

function list_proposals(status, after) {
  _takesNothing();
  const isWanted = (proposal) => {
    if (status === "open") return !_isOver(proposal);
    return !status || _countOf(proposal).status === status;
  };
  const found = (state.proposals ?? []).filter(({ n }) => n > (after ?? 0)).filter(isWanted);
  const proposals = found.slice(0, PAGE).map(_shown);
  return { proposals, next: found.length > PAGE ? proposals.at(-1).n : null };
}

function _idOf({ n }) {
  return `proposal_${n}`;
}

function _find(proposal_id) {
  const proposal = (state.proposals ?? []).find((each) => _idOf(each) === proposal_id);
  if (proposal === undefined) {
    kernel.fail("not_found", `there is no ${proposal_id}; see list_proposals()`);
  }
  return proposal;
}

function _isOver({ deadline_ms, voters, votes }) {
  return votes === undefined || kernel.now() >= deadline_ms || votes.length === voters?.length;
}

function _shown(proposal) {
  const { n, by, title, options, quorum, threshold, deadline_ms, voters = null } = proposal;
  const { status, leading, cast, tally } = _countOf(proposal);
  return {
    n,
    proposal_id: _idOf(proposal),
    by,
    title,
    quorum,
    threshold,
    deadline_ms,
    voters,
    status,
    passed: status === "passed",
    leading,
    cast,
    votes: options.map((option, index) => ({ option, votes: tally[index] })),
  };
}

function _countOf(proposal) {
  const { options } = proposal;
  const tally = proposal.tally ?? _tally(proposal);
  const cast = tally.reduce((sum, each) => sum + each, 0);
  const most = Math.max(...tally);
  const leaders = options.filter((_, index) => tally[index] === most);
  const leading = cast > 0 && leaders.length === 1 ? leaders[0] : null;
  const status = _isOver(proposal) ? _verdict(proposal, { cast, most, leading }) : "open";
  return { status, leading, cast, tally };
}

function _verdict({ quorum, threshold }, { cast, most, leading }) {
  if (cast < quorum) return "no_quorum";
  if (leading === null) return "tied";
  if (REJECTIONS.includes(_plain(leading))) return "rejected";
  return most + 1e-9 >= threshold * cast ? "passed" : "failed";
}

function _tally({ options, votes }) {
  return options.map((_, index) => votes.filter(([, choice]) => choice === index).length);
}

function _plain(option) {
  return option.trim().toLowerCase();
}

// Keeps only the counts of decided proposals, and only of the latest.
function _settle() {
  const settled = (state.proposals ?? []).map((proposal) => {
    if (proposal.votes === undefined || !_isOver(proposal)) return proposal;
    const { votes, ...rest } = proposal;
    return { ...rest, tally: _tally(proposal) };
  });
  const decided = settled.filter(({ votes }) => votes === undefined);
  const forgotten = decided.slice(0, -DECIDED_KEPT);
  state.proposals = settled.filter((proposal) => !forgotten.includes(proposal));
}

// Removes the oldest decided proposals first.
function _keepWithinBounds() {
  if (_isWithinBounds()) return;
  _settle();
  const open = state.proposals.filter(({ votes }) => votes !== undefined);
  const decided = state.proposals.filter(({ votes }) => votes === undefined);
  const kept = decided.slice(Math.ceil(decided.length / 2));
  state.proposals = [...kept, ...open].sort((a, b) => a.n - b.n);
  if (_isWithinBounds()) return;
  state.proposals = open;
  if (!_isWithinBounds()) {
    kernel.fail("full", "no room for another proposal until one reaches its deadline");
  }
}

// Cheap check first: a character takes at most three bytes.
function _isWithinBounds() {
  if (JSON.stringify(state).length * 3 <= PROPOSALS_BYTES_MAX) return true;
  const proposals = state.proposals.map((each) => (each.votes ? { ...each, votes: [] } : each));
  return _bytesOf(proposals) <= PROPOSALS_BYTES_MAX && _bytesOf(state) <= STATE_BYTES_MAX;
}

function _leavesRoomForOthers(family) {
  const own = state.proposals.filter((each) => each.votes && (each.family ?? each.by) === family);
  const bytes = _bytesOf(own.map((each) => ({ ...each, votes: [] })));
  if (own.length > PER_FAMILY_MAX || bytes > FAMILY_BYTES_MAX) {
    const count = `your family has ${own.length - 1} open proposals`;
    kernel.fail("full", `${count} and no room for this one; wait for a deadline`);
  }
}
