import type { Event } from "./event.ts";
import type { Question } from "./evidence.ts";
import type { Json } from "./json.ts";
import { type Refusal, type RefusalCode, refusal } from "./refusal.ts";

/**
 * What the kernel says to a command: it happened (these events, this answer for the asker), it is
 * refused, or something must be found out first and the command put again with the evidence.
 * Deciding never changes the state.
 */
export type Decision<Answer = Json> = Accepted<Answer> | Refused | Asks;

export type Accepted<Answer> = {
  readonly kind: "accepted";
  readonly events: readonly Event[];
  readonly answer: Answer;
};
export type Refused = { readonly kind: "refused"; readonly refusal: Refusal };
export type Asks = { readonly kind: "asks"; readonly question: Question };

export const accept = <Answer>(events: readonly Event[], answer: Answer): Accepted<Answer> => ({
  kind: "accepted",
  events,
  answer,
});

export const refuse = (code: RefusalCode, message: string, data?: Json): Refused => ({
  kind: "refused",
  refusal: refusal(code, message, data),
});
