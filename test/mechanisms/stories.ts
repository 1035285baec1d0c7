import type { Json, JsonObject } from "../../src/kernel/index.ts";

/** One call of a story. `to` is the method of the mechanism, or `artifact.method`. */
export type StoryCall = {
  readonly by: string;
  readonly to: string;
  readonly args?: readonly Json[];
  readonly scrip?: number;
  readonly artifacts?: readonly string[];
  /** The run time of this call and the later ones. The first calls happen at 100000 ms. */
  readonly atMs?: number;
};

/** A world for the examples of a mechanism, and the calls that its interface shows. */
export type Story = {
  readonly settings?: JsonObject;
  /** Other mechanisms, by id. Each has the name of its file and its settings. */
  readonly others?: { readonly [id: string]: readonly [name: string, settings: JsonObject] };
  readonly calls: readonly StoryCall[];
};

const WHEAT = { wheat: ["token", { initial: { alice: 20 } }] } as const;

const APPROVAL: StoryCall = { by: "alice", to: "wheat.approve", args: ["it", 10] };

const SEALED: readonly StoryCall[] = [
  { by: "alice", to: "open", args: [10, 60], artifacts: ["my_tool"] },
  { by: "carol", to: "bid", args: [1, 20], scrip: 20 },
  { by: "bob", to: "bid", args: [1, 30], scrip: 40 },
  { by: "bob", to: "lots" },
  { by: "bob", to: "status" },
  { by: "bob", to: "settle", args: [1], atMs: 160_000 },
  { by: "bob", to: "results" },
  { by: "bob", to: "collect" },
];

export const STORIES: ReadonlyMap<string, Story> = new Map<string, Story>([
  [
    "token",
    {
      settings: { initial: { alice: 20 }, issuer: "carol" },
      others: { market: ["order-book", { good: "it" }] },
      calls: [
        { by: "alice", to: "status" },
        { by: "alice", to: "balance", args: ["alice"] },
        { by: "alice", to: "approve", args: ["market", 10] },
        { by: "alice", to: "allowance", args: ["alice", "market"] },
        { by: "alice", to: "transfer", args: ["bob", 3] },
        { by: "alice", to: "approve", args: ["carol", 2] },
        { by: "carol", to: "transfer_from", args: ["alice", "bob", 2] },
        { by: "carol", to: "issue", args: ["bob", 5] },
        { by: "alice", to: "burn", args: [1] },
      ],
    },
  ],
  [
    "order-book",
    {
      settings: { good: "wheat" },
      others: WHEAT,
      calls: [
        APPROVAL,
        { by: "alice", to: "sell", args: [5, 2] },
        { by: "bob", to: "buy", args: [6, 3], scrip: 18 },
        { by: "bob", to: "book" },
        { by: "bob", to: "orders" },
        { by: "bob", to: "trades" },
        { by: "bob", to: "status" },
        { by: "bob", to: "cancel", args: [2] },
        { by: "bob", to: "collect" },
      ],
    },
  ],
  [
    "call-market",
    {
      settings: { good: "wheat" },
      others: WHEAT,
      calls: [
        APPROVAL,
        { by: "alice", to: "sell", args: [5, 2] },
        { by: "bob", to: "buy", args: [8, 3], scrip: 24 },
        { by: "bob", to: "status" },
        { by: "bob", to: "orders" },
        { by: "alice", to: "sell", args: [6, 1] },
        { by: "alice", to: "cancel", args: [3] },
        { by: "bob", to: "clear", atMs: 120_000 },
        { by: "bob", to: "results" },
        { by: "bob", to: "collect" },
      ],
    },
  ],
  ["vickrey", { calls: SEALED }],
  ["first-price", { calls: SEALED }],
  [
    "english",
    {
      calls: [
        { by: "alice", to: "open", args: [10, 5, 60, 20], artifacts: ["my_tool"] },
        { by: "bob", to: "status" },
        { by: "carol", to: "bid", args: [1], scrip: 10 },
        { by: "bob", to: "lots" },
        { by: "bob", to: "bid", args: [1], scrip: 25, atMs: 155_000 },
        { by: "bob", to: "settle", args: [1], atMs: 175_000 },
        { by: "bob", to: "results" },
        { by: "bob", to: "collect" },
      ],
    },
  ],
  [
    "dutch",
    {
      calls: [
        { by: "alice", to: "open", args: [50, 20, 10, 5], artifacts: ["my_tool"] },
        { by: "bob", to: "lots" },
        { by: "bob", to: "status" },
        { by: "bob", to: "take", args: [1], scrip: 45, atMs: 107_000 },
        { by: "bob", to: "results" },
        { by: "alice", to: "open", args: [9, 9, 1, 5], artifacts: ["my_note"] },
        { by: "alice", to: "withdraw", args: [2] },
        { by: "bob", to: "collect" },
      ],
    },
  ],
  [
    "posted-price",
    {
      settings: { good: "wheat" },
      others: WHEAT,
      calls: [
        APPROVAL,
        { by: "alice", to: "offer", args: [5, 8] },
        { by: "alice", to: "reprice", args: [6] },
        { by: "bob", to: "offers" },
        { by: "bob", to: "buy", args: ["alice", 3], scrip: 20 },
        { by: "bob", to: "status" },
        { by: "alice", to: "withdraw" },
        { by: "bob", to: "collect" },
      ],
    },
  ],
  [
    "induced-values",
    {
      settings: { good: "wheat", values: { alice: [180, 132, 84], bob: [90] } },
      others: WHEAT,
      calls: [
        APPROVAL,
        { by: "carol", to: "genesis_ledger.transfer", args: ["it", 500] },
        { by: "alice", to: "worth" },
        { by: "alice", to: "redeem", args: [2] },
        { by: "bob", to: "status" },
      ],
    },
  ],
  [
    "constant-product",
    {
      settings: { good: "wheat" },
      others: { wheat: ["token", { initial: { alice: 1_100 } }] },
      calls: [
        { by: "alice", to: "wheat.approve", args: ["it", 1_100] },
        { by: "alice", to: "add", args: [1_000], scrip: 1_000 },
        { by: "alice", to: "shares", args: ["alice"] },
        { by: "bob", to: "quote", args: [100, 100] },
        { by: "bob", to: "status" },
        { by: "bob", to: "buy", args: [90], scrip: 100 },
        { by: "alice", to: "remove", args: [100] },
        { by: "alice", to: "sell", args: [10, 9] },
        { by: "bob", to: "collect" },
      ],
    },
  ],
  [
    "commons",
    {
      settings: { good: "wheat" },
      others: { wheat: ["token", { issuer: "it" }] },
      calls: [
        { by: "alice", to: "harvest", args: [10] },
        { by: "alice", to: "asked" },
        { by: "bob", to: "harvest", args: [20] },
        { by: "carol", to: "harvest", args: [20] },
        { by: "alice", to: "status" },
        { by: "alice", to: "results", atMs: 120_000 },
        { by: "bob", to: "collect" },
      ],
    },
  ],
  [
    "prediction-market",
    {
      settings: { question: "Will it rain?", resolver: "carol", liquidity: 100, payout: 100 },
      calls: [
        { by: "alice", to: "fund", scrip: 7_000 },
        { by: "bob", to: "quote", args: ["yes", 50] },
        { by: "bob", to: "buy", args: ["yes", 50], scrip: 3_000 },
        { by: "bob", to: "shares", args: ["bob"] },
        { by: "bob", to: "status" },
        { by: "bob", to: "sell", args: ["yes", 10, 500] },
        { by: "carol", to: "resolve", args: ["yes"] },
        { by: "bob", to: "collect" },
      ],
    },
  ],
  [
    "deferred-acceptance",
    {
      calls: [
        { by: "alice", to: "propose", args: [["bob", "carol"]] },
        { by: "bob", to: "receive", args: [["alice", "dave"], 2] },
        { by: "bob", to: "own" },
        { by: "carol", to: "receive", args: [["alice"]] },
        { by: "bob", to: "status" },
        { by: "carol", to: "withdraw" },
        { by: "bob", to: "results", atMs: 120_000 },
        { by: "bob", to: "partners", args: ["alice"] },
      ],
    },
  ],
  [
    "bargaining",
    {
      calls: [
        { by: "alice", to: "open", args: ["bob", "carol", 3, 90, 60], scrip: 100 },
        { by: "bob", to: "status" },
        { by: "bob", to: "offer", args: [1, 70] },
        { by: "carol", to: "games" },
        { by: "carol", to: "reject", args: [1] },
        { by: "carol", to: "offer", args: [1, 60] },
        { by: "bob", to: "accept", args: [1] },
        { by: "bob", to: "results" },
        { by: "bob", to: "collect" },
      ],
    },
  ],
  [
    "quadratic-funding",
    {
      calls: [
        { by: "alice", to: "fund", scrip: 100 },
        { by: "bob", to: "enter", args: ["a map of all services"] },
        { by: "alice", to: "contribute", args: ["bob"], scrip: 4 },
        { by: "carol", to: "contribute", args: ["bob"], scrip: 9 },
        { by: "bob", to: "projects" },
        { by: "bob", to: "status" },
        { by: "bob", to: "results", atMs: 600_000 },
        { by: "bob", to: "collect" },
      ],
    },
  ],
]);
