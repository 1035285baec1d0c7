import { writesTool } from "./native-stories.ts";
import type { Story } from "./transcript.ts";

const TOOL = { artifacts: ["my_tool"] };

const REJECTED = "rejected_by_artifact";

const ESCROW: Story = [
  writesTool,
  { by: "alice", method: "deposit", attach: TOOL },
  { by: "bob", method: "list_active" },
  { by: "bob", calls: "list_active", args: [1], gives: { listings: [], next: null } },
  { by: "bob", method: "check" },
  { by: "bob", calls: "purchase", args: ["my_tool", 1], attach: { scrip: 40 }, refused: REJECTED },
  { by: "bob", method: "purchase", attach: { scrip: 40 } },
  { by: "bob", method: "deposit", example: 1, attach: TOOL },
  { by: "alice", calls: "purchase", args: ["my_tool"], attach: { scrip: 30 }, refused: REJECTED },
  { at_ms: 161_000 },
  { by: "carol", calls: "purchase", args: ["my_tool"], attach: { scrip: 30 }, refused: REJECTED },
  { by: "bob", method: "cancel" },
];

const DEBT: Story = [
  writesTool,
  { by: "alice", method: "issue", attach: TOOL },
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
  { by: "carol", method: "issue", example: 2, attach: TOOL },
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

/** The examples of each contract of the standard library. */
export const LIBRARY_STORIES: ReadonlyMap<string, Story> = new Map([
  ["genesis_escrow", ESCROW],
  ["genesis_debt_contract", DEBT],
  ["genesis_voting", VOTING],
  ["genesis_board", BOARD],
]);
