import { writesTool } from "./native-stories.ts";
import type { Story } from "./transcript.ts";

const TOOL = { artifacts: ["my_tool"] };

const ESCROW: Story = [
  writesTool,
  { by: "alice", method: "deposit", attach: TOOL },
  { by: "bob", method: "list_active" },
  { by: "bob", method: "check" },
  { by: "bob", method: "purchase", attach: { scrip: 40 } },
  { by: "bob", method: "deposit", example: 1, attach: TOOL },
  { by: "bob", method: "cancel" },
];

const DEBT: Story = [
  writesTool,
  { by: "alice", method: "issue", attach: TOOL },
  { by: "bob", method: "list_all" },
  { by: "bob", method: "accept", attach: { scrip: 50 } },
  { by: "bob", method: "list_debts" },
  { by: "alice", method: "repay", attach: { scrip: 20 } },
  { by: "bob", method: "transfer_creditor" },
  { at_s: 3701 },
  { by: "carol", method: "check" },
  { by: "carol", method: "collect" },
  { by: "alice", method: "issue", example: 1 },
  { by: "alice", method: "cancel" },
  { by: "carol", method: "issue", example: 2, attach: TOOL },
  { by: "bob", method: "accept", example: 1, attach: { scrip: 5 } },
  { by: "alice", method: "repay", example: 1, attach: { scrip: 5 } },
  { by: "carol", method: "reclaim" },
];

const VOTING: Story = [
  { by: "alice", method: "create_proposal" },
  { by: "bob", method: "list_proposals" },
  { by: "bob", method: "vote" },
  { by: "carol", method: "vote", example: 1 },
  { at_s: 160 },
  { by: "alice", method: "get_result" },
];

const BOARD: Story = [
  { by: "alice", method: "post" },
  { by: "bob", method: "channels" },
  { by: "bob", method: "read" },
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
