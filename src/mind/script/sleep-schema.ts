import { z } from "zod";
import {
  isObject,
  RESOURCES,
  type Sleep,
  WAKES_MAX,
  WAKING_KINDS,
  type Wake,
} from "../../kernel/index.ts";
import { relay } from "../relay.ts";

const amount = z.int().nonnegative();

/** What may end a sleep before its time, by the word that a condition begins with. */
const WAKES = {
  event: z.strictObject({ event: z.enum(WAKING_KINDS) }),
  scrip_at_least: z.strictObject({ scrip_at_least: amount }),
  llm_budget_at_least: z.strictObject({ llm_budget_at_least: amount }),
  resource: z.strictObject({ resource: z.enum(RESOURCES), available: amount }),
} as const;
const WAKE_WORDS = ["event", "scrip_at_least", "llm_budget_at_least", "resource"] as const;

const EXAMPLE = "[{ event: artifact_invoked }, { scrip_at_least: 150 }]";

const wordsIn = (given: unknown): readonly (typeof WAKE_WORDS)[number][] =>
  isObject(given) ? WAKE_WORDS.filter((word) => word in given) : [];

/** One condition, by its word, so that errors name what was meant. */
const wakeSchema = z.custom<Wake>().superRefine((given, context) => {
  const [word, second] = wordsIn(given);
  if (word === undefined) {
    const message = `is no condition: one is a map with one of ${WAKE_WORDS.join(", ")}`;
    context.addIssue({ code: "custom", message: `${message}, as in ${EXAMPLE}` });
  } else if (second !== undefined) {
    const rule = "each condition is a map of its own, and the first to come true ends the sleep";
    const message = `has ${word} and ${second} in one condition; ${rule}: ${EXAMPLE}`;
    context.addIssue({ code: "custom", message });
  } else relay(WAKES[word], given, { context });
});

const fields = z.strictObject({
  for_s: z.number().nonnegative().max(1e9),
  until: z.array(wakeSchema).max(WAKES_MAX).optional(),
});
export type SleepEntry = z.infer<typeof fields>;

/** How long a script sleeps, and until what. */
export const sleepSchema = z.custom<SleepEntry>().superRefine((given, context) => {
  const [word] = wordsIn(given);
  if (word === undefined) relay(fields, given, { context });
  else {
    const message = `has ${word} beside for_s; conditions stand in until, as in until: ${EXAMPLE}`;
    context.addIssue({ code: "custom", message });
  }
});

/** The same as the world takes it. */
export const sleepOf = ({ for_s, until = [] }: SleepEntry): Sleep => ({
  for_ms: Math.round(for_s * 1000),
  until,
});
