import type { Id } from "../primitives/ids.ts";
import type { Json } from "../primitives/json.ts";

/** The names of an action. A name that is absent or `*` stands for any. */
export type ActionPattern = {
  readonly action?: string;
  readonly artifact?: string;
  readonly method?: string;
};

/**
 * Which actions of an agent wait for a reviewer. A noop never does.
 * `actions`: all that can change or cost something. `spending_above`: those that can cost more
 * scrip. `match`: those with the names of a pattern.
 */
export type ReviewRule =
  | "off"
  | "actions"
  | { readonly spending_above: number }
  | { readonly match: readonly ActionPattern[] };

/** What happens without an answer: the action waits, or is accepted or refused after a time. */
export const REVIEW_DEFAULTS = ["wait", "accept", "refuse"] as const;
export type ReviewDefault = (typeof REVIEW_DEFAULTS)[number];

export type ReviewTerms = { readonly review: ReviewRule; readonly review_default: ReviewDefault };

/** The terms of one agent. Null: as in the physics of the world. */
export type OwnReviewTerms = { readonly [K in keyof ReviewTerms]: ReviewTerms[K] | null };
export type ReviewedAgent = OwnReviewTerms & { readonly agent: Id };

/** The answer to a proposal. `feedback` refuses the action, and the agent learns the text. */
export type ReviewDecision =
  | { readonly kind: "accept" }
  | { readonly kind: "edit"; readonly action: Json }
  | { readonly kind: "feedback"; readonly text: string };

/** Who decided: a reviewer, or the default, because no reviewer answered. */
export type Decider = "reviewer" | "default";
