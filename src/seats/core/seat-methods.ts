import { z } from "zod";
import { isObject, type JsonObject, textProblem } from "../../kernel/index.ts";
import { sleepSchema } from "../../mind/index.ts";
import type { SeatLook, SeatOutcome } from "./seat-look.ts";

/** The most seconds of the run that one wait of a seat takes. */
export const WAIT_S_MAX = 86_400;

const seat = {
  agent: z.string().min(1).max(128),
  /** The secret of the seat. */
  token: z.string().min(1).max(128),
};
const reasoning = z
  .string()
  .refine((value) => textProblem(value) === null, {
    error: ({ input }) => textProblem(String(input)) ?? "",
  })
  .max(4_000);

/** What clients with the token of a seat can ask of a live run. */
export const SEAT_METHODS = {
  /** What a seat sees. On the virtual clock, waits until the seat is to move. */
  seat_look: { params: z.strictObject(seat), result: z.custom<SeatLook>(isObject) },
  /** Makes the next move of a seat. The result comes when its action has ended. */
  seat_act: {
    params: z.strictObject({
      ...seat,
      // JSON-RPC messages are plain JSON.
      action: z.custom<JsonObject>(isObject),
      reasoning: reasoning.optional(),
      sleep: sleepSchema.optional(),
    }),
    result: z.custom<SeatOutcome>(isObject),
  },
  /**
   * Waits until the seat is to move, or until it has a message that no look has shown. `timeout_s`
   * is in seconds of the run.
   */
  seat_wait: {
    params: z.strictObject({
      ...seat,
      until: z.enum(["message", "move"]),
      timeout_s: z.number().min(0).max(WAIT_S_MAX),
    }),
    result: z.object({ woke: z.enum(["message", "move", "timeout", "no_move"]), at_ms: z.int() }),
  },
  /** A page of the handbook, and the names of all pages. */
  seat_page: {
    params: z.strictObject({ ...seat, page: z.string().max(128) }),
    result: z.object({ page: z.string(), text: z.string(), pages: z.array(z.string()) }),
  },
};
