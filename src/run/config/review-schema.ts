import { z } from "zod";
import { ACTION_KINDS, REVIEW_DEFAULTS } from "../../kernel/index.ts";

const NAME_CHARS_MAX = 128;
const PATTERNS_MAX = 100;
const SPENDING_MAX = 1_000_000_000_000;

const name = z.string().min(1).max(NAME_CHARS_MAX);

/** A noop is never reviewed, so no pattern can name it. */
const REVIEWABLE = ACTION_KINDS.filter((kind) => kind !== "noop");

const pattern = z
  .strictObject({
    action: z.enum([...REVIEWABLE, "*"]).exactOptional(),
    artifact: name.exactOptional(),
    method: name.exactOptional(),
  })
  .refine((given) => Object.keys(given).length > 0, {
    error: "must have action, artifact or method; `*` stands for any name",
  });

/** The actions that wait for a reviewer, as a setting of a run or of a persona. */
export const reviewRule = z.union(
  [
    z.enum(["off", "actions"]),
    z.strictObject({ spending_above: z.int().min(0).max(SPENDING_MAX) }),
    z.strictObject({ match: z.array(pattern).min(1).max(PATTERNS_MAX) }),
  ],
  { error: "must be off, actions, { spending_above: N } or { match: [{ action: NAME }] }" },
);

export const reviewDefault = z.enum(REVIEW_DEFAULTS);
