import { z } from "zod";
import { ACTION_KINDS } from "../../kernel/index.ts";

/** The four actions, and sleep, as language models are told them. The world judges the values. */
const id = z.string().describe("the id of an artifact");
const maxPrice = z.int().nullable().optional().describe("refuse to pay more scrip than this");
const free = z.unknown();

const readFields = z.object({ artifact_id: id, max_price: maxPrice });

const writeFields = z.object({
  artifact_id: id,
  artifact_type: z.string().optional(),
  content: z.string().optional(),
  code: z.string().nullable().optional().describe("JavaScript: function run(...) { return ... }"),
  price: z.int().optional().describe("scrip that each call costs the caller"),
  read_price: z.int().optional(),
  access: z.string().optional().describe("the id of an access contract"),
  access_locked: z.boolean().optional(),
  interface: free.optional(),
  depends_on: z.array(z.string()).optional(),
  metadata: free.optional(),
  has_standing: z.boolean().optional(),
  max_price: maxPrice,
});

const attachment = z.object({
  scrip: z.int().optional(),
  artifacts: z.array(z.string()).optional(),
});

const invokeFields = z.object({
  artifact_id: id,
  method: z.string().optional(),
  args: z.array(free).optional(),
  attach: attachment.nullable().optional(),
  max_price: maxPrice,
});

export const richAction = z.union([
  z.object({ noop: z.object({}) }),
  z.object({ read_artifact: readFields }),
  z.object({ write_artifact: writeFields }),
  z.object({ invoke_artifact: invokeFields }),
]);

export const richSleep = z
  .object({
    for_s: z.number().describe("seconds to rest after the action"),
    until: z.array(free).optional().describe("what ends the sleep sooner"),
  })
  .nullable()
  .optional();

const text = z.string().nullable();
const number = z.int().nullable();
const json = (what: string) => z.string().nullable().describe(`${what}, as JSON text`);

/** The same in one object: what does not belong to the chosen action is null. */
export const flatFields = {
  action_type: z.enum(ACTION_KINDS),
  artifact_id: text,
  artifact_type: text,
  content: text,
  code: text.describe("JavaScript: function run(...) { return ... }"),
  price: number,
  read_price: number,
  access: text,
  interface_json: json("the interface"),
  depends_on: z.array(z.string()).nullable(),
  metadata_json: json("metadata"),
  has_standing: z.boolean().nullable(),
  method: text,
  args_json: json('the list of arguments, e.g. [1, "a"]'),
  attach_scrip: number,
  attach_artifacts: z.array(z.string()).nullable(),
  max_price: number,
  sleep_for_s: z.number().nullable(),
  sleep_until_json: json("the list of what ends the sleep sooner"),
};
