import { createHash } from "node:crypto";
import { z } from "zod";
import { Dice } from "../../src/kernel/core/dice.ts";
import { type Call, calling } from "./smith.ts";

const asked = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string().nullish() })),
  tools: z.array(z.unknown()).optional(),
});

const SCRIPT = "echo $RANDOM >> log.txt; wc -l log.txt; cat notes/*.md | sort";
const DRAFT = "drafts/double.js";
const CODE = "function run(n) { return n * 2 }";

/** Each makes one call. Some have wrong arguments, and some are refused by the world. */
const CALLS: readonly ((dice: Dice, n: number) => Call)[] = [
  (dice) => ["write_file", { path: `notes/${dice.pick(4)}.md`, text: `${dice.pick(1_000)}\n` }],
  () => ["write_file", { path: DRAFT, text: CODE }],
  () => ["edit_file", { path: DRAFT, old_text: "n * 2", new_text: "n + n" }],
  () => ["delete_file", { path: "notes/1.md" }],
  () => ["try_program", { path: DRAFT, args: [4] }],
  // A shell takes long to start.
  (dice) => (dice.chance(0.5) ? ["bash", { command: SCRIPT }] : ["list_files", { pattern: "*" }]),
  (dice) => ["note", { text: `I rolled ${dice.pick(100)}.` }],
  () => ["list_files", {}],
  () => ["look", {}],
  () => ["search_market", { words: "double" }],
  () => ["read_artifact", { artifact_id: "handbook_actions" }],
  (dice, n) => ["write_artifact", { artifact_id: `double_${n}_${dice.pick(3)}`, code: CODE }],
  (dice, n) => ["invoke_artifact", { artifact_id: `double_${n}_${dice.pick(3)}`, args: [3] }],
  () => ["invoke_artifact", { artifact_id: "genesis_ledger", method: "transfer", args: ["b", 1] }],
  () => ["write_file", { path: "../outside.md", text: "" }],
  () => ["no_such_tool", {}],
];

const ENDS: readonly ((dice: Dice) => Call)[] = [
  (dice) => ["wait", { for_s: dice.pick(3) }],
  () => ["end_turn", { summary: "done" }],
];

/**
 * A model that calls random tools: about one step in eight ends its turn. It always gives the same
 * answer to the same conversation.
 */
export const improviser: typeof globalThis.fetch = (_url, init) => {
  const { messages, tools } = asked.parse(JSON.parse(String(init?.body)));
  const said = createHash("sha256").update(JSON.stringify(messages)).digest("hex");
  const dice = Dice.of(1, said);
  const n = messages.length;
  const some = Array.from({ length: 1 + dice.pick(3) }, () => dice.choose(CALLS)?.(dice, n));
  const last = dice.chance(1 / 8) ? [dice.choose(ENDS)?.(dice)] : [];
  const calls = [...some, ...last].flatMap((call) => (call === undefined ? [] : [call]));
  const { whole } = calling(n, tools === undefined ? [] : calls, `I rolled ${said}.`);
  return Promise.resolve(
    new Response(JSON.stringify(whole), { headers: { "content-type": "application/json" } }),
  );
};
