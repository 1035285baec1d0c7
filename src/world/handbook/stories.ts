import { exampleAuction, exampleBids, type JsonObject, type Physics } from "../../kernel/index.ts";
import { saleStory } from "./compute.ts";
import type { Story } from "./transcript.ts";

const TOOL: JsonObject = { artifact_id: "my_tool", code: "function run(n) { return n * 2 }" };

/** Alice writes the program that the other examples of a story use. */
export const writesTool = { by: "alice", action: { write_artifact: TOOL } } as const;

const sellsTool = {
  by: "alice",
  action: {
    write_artifact: {
      ...TOOL,
      price: 5,
      interface: { description: "Doubles a number.", methods: [] },
    },
  },
} as const;

const callsTool = {
  by: "bob",
  action: { invoke_artifact: { artifact_id: "my_tool", args: [21] } },
  gives: 42,
} as const;

const LEDGER: Story = [
  writesTool,
  { by: "alice", method: "balance" },
  { by: "alice", method: "transfer" },
  { by: "bob", method: "balance", example: 1 },
  { by: "bob", method: "all_balances" },
  { by: "alice", method: "transfer_budget" },
  { by: "alice", method: "get_budget" },
  { by: "carol", method: "get_budget", example: 1 },
  {
    by: "bob",
    calls: "transfer",
    args: ["carol", 1],
    gives: { from: "bob", to: "carol", amount: 1 },
  },
  { by: "carol", method: "grant" },
  { by: "carol", method: "grants" },
  { by: "bob", method: "grants", example: 1 },
  { by: "carol", method: "revoke" },
  { by: "alice", method: "transfer_ownership" },
  { by: "bob", method: "offers" },
  { by: "bob", method: "accept" },
  { by: "alice", method: "spawn_principal", attach: { scrip: 25 } },
  { by: "bob", method: "spawn_principal", example: 1 },
  { by: "bob", method: "spawn_principal", example: 2 },
];

const RIGHTS: Story = [
  { by: "alice", method: "check_quota" },
  { by: "bob", method: "check_quota", example: 1 },
  { by: "alice", method: "transfer_quota" },
  { by: "alice", method: "all_quotas" },
];

const CAROLS: JsonObject = {
  artifact_id: "carols_tool",
  code: "function run(n) { return n / 2 }",
  price: 1,
  metadata: { topic: "math" },
  interface: { description: "Halves a number.", methods: [] },
};

const STORE: Story = [
  { by: "carol", action: { write_artifact: CAROLS } },
  sellsTool,
  callsTool,
  { by: "bob", calls: "list" },
  ...[0, 1, 2, 3, 4].map((example) => ({ by: "bob", method: "list", example })),
  { by: "bob", method: "search" },
  { by: "bob", calls: "search", args: ["halves"] },
  { by: "bob", method: "get" },
  { by: "bob", method: "get_interface" },
  { by: "bob", method: "list_by_type" },
  { by: "bob", calls: "list_by_type", args: ["agent"] },
  { by: "bob", method: "list_by_owner" },
  { by: "bob", calls: "list_by_owner", args: ["alice"] },
  { by: "bob", method: "list_agents" },
  { by: "bob", calls: "list_agents" },
  { by: "bob", method: "list_principals" },
  { by: "bob", calls: "list_principals" },
  { by: "bob", method: "count" },
  { by: "bob", calls: "count" },
  { by: "alice", method: "set_price" },
  { by: "alice", method: "set_price", example: 1 },
  { by: "alice", method: "set_access" },
  { by: "alice", method: "delete" },
];

const EVENT_LOG: Story = [
  sellsTool,
  { ...callsTool, times: 2 },
  { by: "alice", action: { write_artifact: { artifact_id: "my_note", content: "Sold 2." } } },
  ...[0, 1, 2].map((example) => ({ by: "carol", method: "read", example })),
  { by: "carol", calls: "read" },
  { by: "carol", method: "get_invokers" },
];

const MESSENGER: Story = [
  { by: "alice", method: "send" },
  { by: "bob", method: "received" },
  { by: "bob", method: "send", example: 1 },
  { by: "bob", method: "send", example: 2 },
  { by: "alice", method: "received", example: 1 },
  { by: "alice", method: "sent" },
  { by: "alice", method: "mark_read" },
  { by: "bob", method: "block" },
  { by: "alice", calls: "send", args: ["bob", "One more question."], refused: "not_authorized" },
  { by: "bob", method: "unblock" },
];

const bidOf = (scrip: number): JsonObject => ({
  artifact_id: "genesis_mint",
  method: "bid",
  args: ["my_tool"],
  attach: { scrip },
});

const mint = (physics: Physics): Story => {
  const [first, second] = exampleBids(physics);
  return [
    sellsTool,
    callsTool,
    { by: "alice", method: "bid", attach: { scrip: first } },
    { by: "alice", method: "cancel" },
    { by: "alice", action: { invoke_artifact: bidOf(second) } },
    { by: "alice", method: "status" },
    { by: "bob", method: "post_task", attach: { scrip: 20 } },
    { by: "alice", method: "tasks" },
    { by: "alice", method: "tasks", example: 1 },
    { by: "alice", method: "solve" },
    { by: "bob", method: "post_task", example: 1, attach: { scrip: 10 } },
    { by: "bob", method: "withdraw_task" },
    { at_ms: exampleAuction(physics).closesAtMs },
    { by: "alice", method: "check" },
    { by: "bob", method: "history" },
    { by: "bob", method: "history", example: 1 },
  ];
};

const WITH_TOOL = { artifacts: ["my_tool"] };

const REJECTED = "rejected_by_artifact";

const ESCROW: Story = [
  writesTool,
  { by: "alice", method: "deposit", attach: WITH_TOOL },
  { by: "bob", method: "list_active" },
  { by: "bob", calls: "list_active", args: [1], gives: { listings: [], next: null } },
  { by: "bob", method: "check" },
  { by: "bob", calls: "purchase", args: ["my_tool", 1], attach: { scrip: 40 }, refused: REJECTED },
  { by: "bob", method: "purchase", attach: { scrip: 40 } },
  { by: "bob", method: "deposit", example: 1, attach: WITH_TOOL },
  { by: "alice", calls: "purchase", args: ["my_tool"], attach: { scrip: 30 }, refused: REJECTED },
  { at_ms: 161_000 },
  { by: "carol", calls: "purchase", args: ["my_tool"], attach: { scrip: 30 }, refused: REJECTED },
  { by: "bob", method: "cancel" },
];

const DEBT: Story = [
  writesTool,
  { by: "alice", method: "issue", attach: WITH_TOOL },
  { by: "bob", method: "list_all" },
  { by: "bob", calls: "list_all", args: ["offered", 1], gives: { debts: [], next: null } },
  { by: "bob", calls: "list_all" },
  { by: "bob", method: "accept", attach: { scrip: 50 } },
  { by: "bob", method: "list_debts" },
  { by: "carol", calls: "list_debts", gives: [] },
  { by: "alice", method: "repay", attach: { scrip: 20 } },
  { by: "bob", method: "transfer_creditor" },
  { at_ms: 3_701_000 },
  { by: "carol", method: "check" },
  { by: "carol", method: "collect" },
  { by: "alice", method: "issue", example: 1 },
  { by: "alice", method: "cancel" },
  { by: "carol", method: "issue", example: 2, attach: WITH_TOOL },
  { by: "alice", calls: "accept", args: ["debt_3"], attach: { scrip: 5 }, refused: REJECTED },
  { by: "bob", method: "accept", example: 1, attach: { scrip: 5 } },
  { by: "alice", method: "repay", example: 1, attach: { scrip: 5 } },
  { by: "carol", method: "reclaim" },
];

const PROPOSED = { proposal_id: "proposal_2", deadline_ms: 3_700_000 };

const VOTING: Story = [
  { by: "alice", method: "create_proposal" },
  { by: "bob", method: "list_proposals" },
  { by: "bob", calls: "list_proposals", args: ["open", 1], gives: { proposals: [], next: null } },
  { by: "bob", calls: "list_proposals" },
  { by: "bob", calls: "create_proposal", args: ["Well?", ["a", "b"]], gives: PROPOSED },
  { by: "bob", calls: "create_proposal", args: ["Well?", ["a", "b"], { voters: ["bob"] }] },
  { by: "carol", calls: "vote", args: ["proposal_3", "a"], refused: REJECTED },
  { by: "bob", method: "vote" },
  { by: "carol", method: "vote", example: 1 },
  { at_ms: 160_000 },
  { by: "alice", method: "get_result" },
];

const BOARD: Story = [
  { by: "alice", method: "post" },
  { by: "bob", method: "channels" },
  { by: "bob", method: "read" },
  { by: "alice", calls: "post", args: ["jobs", "For you alone.", "bob"], gives: { id: 2 } },
  { by: "carol", calls: "read", args: ["jobs", 1], gives: { messages: [], next: null } },
  { by: "bob", method: "claim" },
  { by: "bob", method: "done" },
];

/** The examples of each genesis artifact. */
export const storiesIn = (physics: Physics): ReadonlyMap<string, Story> =>
  new Map([
    ["genesis_ledger", LEDGER],
    ["genesis_rights_registry", RIGHTS],
    ["genesis_store", STORE],
    ["genesis_event_log", EVENT_LOG],
    ["genesis_messenger", MESSENGER],
    ["genesis_mint", mint(physics)],
    ["genesis_compute", saleStory(physics)],
    ["genesis_escrow", ESCROW],
    ["genesis_debt_contract", DEBT],
    ["genesis_voting", VOTING],
    ["genesis_board", BOARD],
  ]);
