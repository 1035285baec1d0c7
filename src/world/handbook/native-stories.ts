import type { JsonObject } from "../../kernel/index.ts";
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
  { by: "carol", method: "grant" },
  { by: "carol", method: "grants" },
  { by: "carol", method: "revoke" },
  { by: "alice", method: "transfer_ownership" },
  { by: "bob", method: "offers" },
  { by: "bob", method: "accept" },
  { by: "alice", method: "spawn_principal", attach: { scrip: 25 } },
];

const RIGHTS: Story = [
  { by: "alice", method: "check_quota" },
  { by: "alice", method: "transfer_quota" },
  { by: "alice", method: "all_quotas" },
];

const STORE: Story = [
  sellsTool,
  callsTool,
  { by: "bob", method: "list" },
  { by: "bob", method: "search" },
  { by: "bob", method: "get" },
  { by: "bob", method: "get_interface" },
  { by: "bob", method: "list_by_type" },
  { by: "bob", method: "list_by_owner" },
  { by: "bob", method: "list_agents" },
  { by: "bob", method: "list_principals" },
  { by: "bob", method: "count" },
  { by: "alice", method: "set_price" },
  { by: "alice", method: "set_access" },
  { by: "alice", method: "delete" },
];

const EVENT_LOG: Story = [
  sellsTool,
  callsTool,
  { by: "carol", method: "read" },
  { by: "carol", method: "get_invokers" },
];

const BID: JsonObject = {
  artifact_id: "genesis_mint",
  method: "bid",
  args: ["my_tool"],
  attach: { scrip: 9 },
};

const MINT: Story = [
  sellsTool,
  callsTool,
  { by: "alice", method: "bid", attach: { scrip: 12 } },
  { by: "alice", method: "cancel" },
  { by: "alice", action: { invoke_artifact: BID } },
  { by: "alice", method: "status" },
  { by: "bob", method: "post_task", attach: { scrip: 20 } },
  { by: "alice", method: "tasks" },
  { by: "alice", method: "solve" },
  { by: "bob", method: "post_task", example: 1, attach: { scrip: 10 } },
  { by: "bob", method: "withdraw_task" },
  { at_s: 120 },
  { by: "alice", method: "check" },
  { by: "bob", method: "history" },
];

/** The examples of each native artifact. */
export const NATIVE_STORIES: ReadonlyMap<string, Story> = new Map([
  ["genesis_ledger", LEDGER],
  ["genesis_rights_registry", RIGHTS],
  ["genesis_store", STORE],
  ["genesis_event_log", EVENT_LOG],
  ["genesis_mint", MINT],
]);
