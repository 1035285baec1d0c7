/* ---
description: >-
  A matching of two sides by deferred acceptance (Gale and Shapley 1962). In each round, proposers
  and receivers hand in secret lists of whom they accept, the best first. At the end of the round
  each proposer gets the best partner that it can have in a stable matching.
settings:
  type: object
  properties:
    period_s: { type: integer, minimum: 1, maximum: 604800, default: 60, description: length of a round }
  additionalProperties: false
include: [shared.js, payments.js]
methods:
  - name: propose
    description: >-
      Takes part in this round as a proposer. `receivers` are those whom you accept, the best first.
      To list them as you rank them is never worse than another list. Another call replaces this
      one.
    input_schema:
      type: object
      properties:
        receivers: { type: array, items: { type: string, maxLength: 128 }, maxItems: 20 }
      required: [receivers]
    examples:
      - args: [[bob, carol]]
        result: { side: proposer, list: [bob, carol], capacity: 1, round: 1, ends_at_ms: 120000 }
  - name: receive
    description: >-
      Takes part in this round as a receiver of up to `capacity` proposers (default 1). `proposers`
      are those whom you accept, the best first. Another call replaces this one.
    input_schema:
      type: object
      properties:
        proposers: { type: array, items: { type: string, maxLength: 128 }, maxItems: 20 }
        capacity: { type: integer, minimum: 1, maximum: 20 }
      required: [proposers]
    examples:
      - args: [[alice, dave], 2]
        result: { side: receiver, list: [alice, dave], capacity: 2, round: 1, ends_at_ms: 120000 }
  - name: withdraw
    description: Takes your list of this round back.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { round: 1, withdrawn: true }
  - name: own
    description: What you have handed in for this round, or null.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { side: receiver, list: [alice, dave], capacity: 2 }
  - name: partners
    description: >-
      Those with whom the latest ended round with lists has matched a principal; without an id, you.
    input_schema:
      type: object
      properties:
        id: { type: string, maxLength: 128 }
    examples:
      - args: [alice]
        result: { id: alice, round: 1, partners: [bob] }
  - name: results
    description: The matches of the latest rounds with lists, as [proposer, receiver].
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: [{ round: 1, proposers: 1, receivers: 1, matches: [[alice, bob]] }]
  - name: status
    description: >-
      The current round, its end, and how many take part on each side. Any call ends a round whose
      time is over.
    input_schema: { type: object, properties: {} }
    examples:
      - args: []
        result: { round: 1, ends_at_ms: 120000, proposers: 1, receivers: 2 }
--- */
const LIST_MAX = 20;
const LIST_BYTES_MAX = 600;
const LISTS_BYTES_MAX = 30_000;
const RESULTS_BYTES_MAX = 30_000;

function propose(receivers) {
  return _handIn({ side: "proposer", list: receivers, capacity: 1 });
}

function receive(proposers, capacity) {
  const most = _whole("capacity", capacity ?? 1, { max: LIST_MAX });
  return _handIn({ side: "receiver", list: proposers, capacity: most });
}

function withdraw() {
  _takesNothing();
  _settle();
  const withdrawn = Object.hasOwn(state.lists, caller);
  delete state.lists[caller];
  return { round: state.round, withdrawn };
}

function own() {
  _takesNothing();
  _settle();
  const { side, list, capacity } = _at(state.lists, caller, {});
  return side === undefined ? null : { side, list, capacity };
}

function partners(id) {
  _takesNothing();
  _settle();
  const who = id ?? caller;
  const last = (state.results ?? []).at(-1);
  const pairs = (last?.matches ?? []).filter((pair) => pair.includes(who));
  const found = pairs.map(([proposer, receiver]) => (proposer === who ? receiver : proposer));
  return { id: who, round: last?.round ?? null, partners: found };
}

function results() {
  _takesNothing();
  _settle();
  return state.results ?? [];
}

function status() {
  _takesNothing();
  _settle();
  const { n, ends_at_ms } = _round();
  const all = Object.values(state.lists);
  const proposers = all.filter(({ side }) => side === "proposer").length;
  return { round: n, ends_at_ms, proposers, receivers: all.length - proposers };
}

function _handIn(entry) {
  _takesNothing();
  const by = _party();
  const { list } = entry;
  const isList = Array.isArray(list) && list.every((id) => typeof id === "string");
  if (!isList || list.length > LIST_MAX || new Set(list).size < list.length) {
    kernel.fail("bad_list", `give a list of up to ${LIST_MAX} different ids, the best first`);
  }
  if (JSON.stringify(list).length > LIST_BYTES_MAX) {
    kernel.fail("bad_list", `the list has more than ${LIST_BYTES_MAX} characters; shorten it`);
  }
  _settle();
  const { [by]: _old, ...others } = state.lists;
  state.lists = { ...others, [by]: { ...entry, family: _familyOf(by) } };
  _makeRoom(state.lists, by, {
    bytesMax: LISTS_BYTES_MAX,
    told: "your list was dropped, because the round is full",
    full: "this round is full; take part in the next one",
  });
  return { ...entry, round: state.round, ends_at_ms: _round().ends_at_ms };
}

// Ends the round of the kept lists if its time is over.
function _settle() {
  const { n: round } = _round();
  state.lists ??= {};
  state.round ??= round;
  if (state.round === round) return;
  if (Object.keys(state.lists).length > 0) _end();
  state.lists = {};
  state.round = round;
}

function _end() {
  const all = Object.entries(state.lists);
  const [proposers, receivers] = ["proposer", "receiver"].map((side) =>
    all.filter(([, entry]) => entry.side === side),
  );
  const matches = _matches(proposers, receivers);
  const result = { round: state.round, proposers: proposers.length, receivers: receivers.length };
  _keepResult({ ...result, matches }, RESULTS_BYTES_MAX);
}

// Each free proposer proposes to the best receiver that has not rejected it. A receiver keeps the
// best proposers that it has room for. The result does not depend on the order of the proposals.
function _matches(proposers, receivers) {
  const places = receivers.map(([id, { list, capacity }]) => {
    return [id, { ranks: new Map(list.map((each, rank) => [each, rank])), capacity, kept: [] }];
  });
  const open = new Map(places);
  const left = new Map(proposers.map(([id, { list }]) => [id, list.toReversed()]));
  const free = [...left.keys()];
  while (free.length > 0) {
    const id = free.pop();
    const receiver = open.get(left.get(id).pop());
    const rank = receiver?.ranks.get(id);
    if (rank !== undefined) {
      receiver.kept = [...receiver.kept, { id, rank }].sort((a, b) => a.rank - b.rank);
      if (receiver.kept.length > receiver.capacity) free.push(receiver.kept.pop().id);
    } else if (left.get(id).length > 0) free.push(id);
  }
  const kept = [...open].flatMap(([receiver, { kept }]) => kept.map(({ id }) => [id, receiver]));
  const order = new Map(proposers.map(([id], at) => [id, at]));
  return kept.sort((a, b) => order.get(a[0]) - order.get(b[0]));
}
