import { z } from "zod";
import { isObject, type Json, type JsonObject } from "../../kernel/index.ts";
import { WORLD_INPUTS } from "../../mind/index.ts";
import { WAIT_S_MAX } from "./seat-methods.ts";

const id = z.string().min(1);
const scrip = z.int().min(0);
/** The arguments of a call, as JSON, or as the text that a person has typed. */
const args = z.union([z.array(z.custom<Json>()), z.string()]);
const max_price = scrip.optional();

/** What a player asks for: reading, which is free, or a move. */
const COMMANDS = [
  z.strictObject({ kind: z.literal("look") }),
  z.strictObject({ kind: z.literal("page"), page: z.string() }),
  z.strictObject({ kind: z.literal("wait"), seconds: z.number().min(0).max(WAIT_S_MAX) }),
  WORLD_INPUTS.search.extend({ kind: z.literal("search") }),
  z.strictObject({ kind: z.literal("read"), id }),
  /** Calls a program. Without `max_price`, for at most the price that was shown. */
  z.strictObject({ kind: z.literal("buy"), id, args, max_price }),
  /** Sets the price of a call, or of a read if the artifact is a text. */
  z.strictObject({ kind: z.literal("sell"), id, price: scrip }),
  WORLD_INPUTS.send.extend({ kind: z.literal("send") }),
  /** Answers a message, to its sender. */
  z.strictObject({ kind: z.literal("reply"), message: z.int().min(1), text: z.string() }),
  z.strictObject({
    kind: z.literal("invoke"),
    id,
    method: z.string().min(1),
    args,
    attach: scrip.optional(),
  }),
  /** Publishes or changes an artifact. `fields` are those of `write_artifact`. */
  z.strictObject({ kind: z.literal("write"), fields: z.custom<JsonObject>(isObject) }),
  /** Bids at the mint with a program. */
  z.strictObject({ kind: z.literal("bid"), id, amount: scrip }),
] as const;

export const seatCommand = z.discriminatedUnion("kind", COMMANDS);

export type SeatCommand = z.infer<typeof seatCommand>;

/** A command that is an action in the world. */
export type MoveCommand = Exclude<SeatCommand, { kind: "look" | "page" | "wait" }>;
