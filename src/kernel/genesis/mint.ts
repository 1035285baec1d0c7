import type { ActionDecision } from "../action/events.ts";
import { find } from "../artifact/tables.ts";
import { accept, answered } from "../core/decision.ts";
import { asId, type Id } from "../core/ids.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { Physics } from "../core/physics.ts";
import { decideBid, decideCancel } from "../mint/bidding.ts";
import {
  auctionHistory,
  auctionStatus,
  closesAt,
  comingAuction,
  opensAt,
  ownSubmission,
  publicScore,
  RESULTS_KEPT_MAX,
  type Submission,
  submissionsOf,
} from "../mint/mint.ts";
import { decidePost, decideSolve, decideWithdraw, openTasks, publicTask } from "../mint/tasks.ts";
import type { SearchTables } from "../search/query.ts";
import {
  EXAMPLES_AT_MS,
  ID_SCHEMA,
  type NativeArtifact,
  type NativeCall,
  named,
  takes,
  textArg,
} from "./native.ts";

const TASKS_SHOWN_MAX = 20;

const status = (state: SearchTables, { by }: NativeCall): ActionDecision =>
  accept([], {
    ...auctionStatus(state, by.atMs),
    submissions: submissionsOf(state, by.actor).map(ownSubmission),
  });

const check = (state: SearchTables, { by, args }: NativeCall): ActionDecision =>
  answered(find(state, asId(textArg(args[0]))), ({ id }) => {
    const open = state.submissions.get(id);
    const shown = open === undefined ? null : submissionShown(open, by.actor);
    return { artifact: id, submission: shown, score: publicScore(state, id) };
  });

/** A submission as `reader` sees it. Bids are sealed: only the bidder sees `amount` and `price`. */
const submissionShown = (open: Submission, reader: Id): Json => {
  const { amount, price, ...shown } = ownSubmission(open);
  return open.bidder === reader ? { ...shown, amount, price } : shown;
};

const history = (state: SearchTables, { args }: NativeCall): ActionDecision => {
  const limit = typeof args[0] === "number" ? args[0] : RESULTS_KEPT_MAX;
  return accept([], auctionHistory(state, limit));
};

const tasks = (state: SearchTables, { args }: NativeCall): ActionDecision => {
  const after = args[0] === undefined ? null : textArg(args[0]);
  return accept([], openTasks(state, TASKS_SHOWN_MAX, after).map(publicTask));
};

const post = (state: SearchTables, { by, args, scrip }: NativeCall): ActionDecision => {
  const [description, open, hidden] = args;
  const text = { public_tests: open ?? null, hidden_tests: hidden ?? [] };
  return decidePost(state, { by, scrip, description: textArg(description), ...text });
};

const TESTS: JsonObject = {
  type: "array",
  items: {
    type: "object",
    properties: { args: { type: "array" }, result: {} },
    required: ["args", "result"],
    additionalProperties: false,
  },
};

const SHOWN_TEST = { args: [2], result: 4 };
const SHOWN_SCORE = 9;

/** The auction of the examples: it is open at `EXAMPLES_AT_MS`, or it is the next one. */
export const exampleAuction = ({ mint }: Physics) => {
  const auction = comingAuction(mint, EXAMPLES_AT_MS);
  const opensAtMs = opensAt(mint, auction);
  const atMs = Math.max(EXAMPLES_AT_MS, opensAtMs);
  return { auction, atMs, opensAtMs, closesAtMs: closesAt(mint, auction) };
};

/** The bids of the examples. The first one is cancelled, and the second one wins. */
export const exampleBids = ({ mint: { minimum_bid } }: Physics): readonly [number, number] => [
  minimum_bid + 11,
  minimum_bid + 8,
];

const shownStatus = (physics: Physics): Json => {
  const { auction, opensAtMs, closesAtMs } = exampleAuction(physics);
  const { minimum_bid, slots } = physics.mint;
  const [, amount] = exampleBids(physics);
  const about = { artifact: "my_tool", auction, amount, stage: "bid", price: null };
  return {
    auction,
    open: true,
    opens_at_ms: opensAtMs,
    closes_at_ms: closesAtMs,
    minimum_bid,
    slots,
    // Earlier auctions had no bids.
    last_price: auction === 0 ? null : minimum_bid,
    submissions: [{ id: "my_tool:2", ...about }],
  };
};

/** The scored winner: the price is the minimum, because no bid has lost. */
const shownWin = (physics: Physics) => {
  const { auction, closesAtMs: at_ms } = exampleAuction(physics);
  const { minimum_bid: price, mint_ratio } = physics.mint;
  const minted = Math.floor(SHOWN_SCORE / mint_ratio);
  return { auction, at_ms, price, score: SHOWN_SCORE, minted };
};

/** The auctions before that of the examples, newest first. They had no bids. */
const shownEmpty = (physics: Physics): readonly Json[] => {
  const { mint } = physics;
  const { auction: after } = exampleAuction(physics);
  return Array.from({ length: Math.min(after, RESULTS_KEPT_MAX) }, (_, back) => {
    const auction = after - 1 - back;
    const at_ms = closesAt(mint, auction);
    return { auction, at_ms, price: mint.minimum_bid, bids: 0, won: [] };
  });
};

export const MINT: NativeArtifact = {
  id: "genesis_mint",
  description:
    "Earn new scrip here. Bid with your program: the highest bids win, all winners " +
    "pay the same price, and the scores set how much new scrip each earns. Or solve a task.",
  methods: named({
    status: {
      description: "The open or next auction, and your own submissions.",
      input_schema: takes({}),
      examples: (physics) => [{ args: [], result: shownStatus(physics) }],
      decide: status,
    },
    bid: {
      description:
        "Bids with a program that you own. Attach the bid, which is secret and held until the " +
        "auction ends. Changing its content, code or interface, or selling it, voids the bid.",
      input_schema: takes({ artifact: ID_SCHEMA }),
      examples: (physics) => {
        const { auction, closesAtMs: closes_at_ms } = exampleAuction(physics);
        const [amount] = exampleBids(physics);
        const about = { artifact: "my_tool", amount, auction, closes_at_ms };
        return [{ args: ["my_tool"], result: { submission: "my_tool:1", ...about } }];
      },
      writes: true,
      takesScrip: true,
      decide: (state, { by, args, scrip }) => decideBid(state, by, asId(textArg(args[0])), scrip),
    },
    cancel: {
      description: "Cancels and refunds your bid while its auction is open.",
      input_schema: takes({ submission: { type: "string", maxLength: 160 } }),
      examples: (physics) => {
        const [refunded] = exampleBids(physics);
        const result = { submission: "my_tool:1", artifact: "my_tool", refunded };
        return [{ args: ["my_tool:1"], result }];
      },
      writes: true,
      decide: (state, { by, args }) => decideCancel(state, by, textArg(args[0])),
    },
    check: {
      description: "Whether an artifact has an open bid or awaits its score, and its last score.",
      input_schema: takes({ artifact: ID_SCHEMA }),
      examples: (physics) => {
        const reason =
          "1 unrelated families paid 5 scrip net since it was last scored (0.18); " +
          "novelty 1.00; 0 of 0 declared examples hold (0.50)";
        const score = { submission: "my_tool:2", ...shownWin(physics), reason };
        return [{ args: ["my_tool"], result: { artifact: "my_tool", submission: null, score } }];
      },
      decide: check,
    },
    history: {
      description: "The newest auction results: price, winners and scores.",
      input_schema: takes(
        { limit: { type: "integer", minimum: 1, maximum: RESULTS_KEPT_MAX } },
        [],
      ),
      examples: (physics) => {
        const { auction, at_ms, price, score, minted } = shownWin(physics);
        const about = { submission: "my_tool:2", artifact: "my_tool", bidder: "alice" };
        const won = [{ ...about, score, minted }];
        const newest = { auction, at_ms, price, bids: 1, won };
        const all = [newest, ...shownEmpty(physics)].slice(0, RESULTS_KEPT_MAX);
        return [
          { args: [1], result: [newest] },
          { args: [], result: all },
        ];
      },
      decide: history,
    },
    tasks: {
      description: `Up to ${TASKS_SHOWN_MAX} open tasks, highest reward first, after a given task.`,
      input_schema: takes({ after: { type: "string", maxLength: 160 } }, []),
      examples: (physics) => [
        {
          args: [],
          result: [
            {
              id: "task:1",
              poster: "bob",
              reward: 20,
              description: "Doubles a number.",
              public_tests: [SHOWN_TEST],
              hidden_tests: 1,
              posted_at_ms: exampleAuction(physics).atMs,
            },
          ],
        },
        { args: ["task:1"], result: [] },
      ],
      decide: tasks,
    },
    post_task: {
      description:
        "Offers the attached scrip for a program whose run(...args) passes all tests. Everyone " +
        "sees the public tests; no one sees the hidden ones.",
      input_schema: takes(
        { description: { type: "string" }, public_tests: TESTS, hidden_tests: TESTS },
        ["description", "public_tests"],
      ),
      examples: () => [
        {
          args: ["Doubles a number.", [SHOWN_TEST], [{ args: [0], result: 0 }]],
          result: { task: "task:1", reward: 20 },
        },
        {
          args: ["Triples a number.", [{ args: [2], result: 6 }]],
          result: { task: "task:2", reward: 10 },
        },
      ],
      writes: true,
      takesScrip: true,
      decide: post,
    },
    withdraw_task: {
      description: "Withdraws your task and refunds its reward.",
      input_schema: takes({ task: { type: "string", maxLength: 160 } }),
      examples: () => [{ args: ["task:2"], result: { task: "task:2", refunded: 10 } }],
      writes: true,
      decide: (state, { by, args }) => decideWithdraw(state, by, textArg(args[0])),
    },
    solve: {
      description:
        "Runs your program on every test of a task and pays the reward if all pass. The program " +
        "cannot use syscalls. You pay the full gas of all tests.",
      input_schema: takes({ task: { type: "string", maxLength: 160 }, artifact: ID_SCHEMA }),
      examples: () => [{ args: ["task:1", "my_tool"], result: { task: "task:1", reward: 20 } }],
      writes: true,
      decide: (state, { by, args, trial }) =>
        decideSolve(state, by, textArg(args[0]), asId(textArg(args[1])), trial),
    },
  }),
};
